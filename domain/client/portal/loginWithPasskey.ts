import { base64 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Export from '../../crypto/Export.ts'
import * as PasskeyKeys from '../../crypto/PasskeyKeys.ts'
import type { Identity } from '../../model/Identity.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { relyingPartyOf } from '../../model/Url.ts'
import { Api } from '../ports/Api.ts'
import { Passkeys, type PasskeyAssertion } from '../ports/Passkeys.ts'
import { report } from '../ports/Progress.ts'
import { deliverShares } from './deliverShares.ts'
import { exportingOf, identityOf, type PortalSession } from './portalSession.ts'
import { unwrapKeys, type VerifiedCredential } from './unwrapKeys.ts'

/** Logs the person in with a passkey of this device. Resolves to the ids of wallets that had no usable backup. */
export const loginWithPasskey = Effect.fn('passkeys.loginWithPasskey')(function* (portalSession: PortalSession) {
  return yield* deliverShares(portalSession, yield* openWithPasskey(portalSession))
})

/**
 * The keys that the passkey's record wraps. One gesture signs the challenge and gives what unwraps. Each try asks for a
 * challenge of its own, so a lost answer or a cancelled gesture costs another gesture and nothing else.
 */
export const openWithPasskey = Effect.fn('passkeys.openWithPasskey')(function* (portalSession: PortalSession) {
  const { assertion, answer } = yield* prove(portalSession)
  const keys = wrappingKeys(answer, assertion)
  if (keys === undefined) return yield* new BackupDecryptionFailed()
  const { variant, ...wrapping } = keys
  return yield* unwrapKeys(answer, { kind: 'BIOMETRICS', recordId: answer.credentialId, variant }, wrapping)
})

/** Without an identity the device shows every passkey that it has for this host. */
const queryOf = (identity: Identity | undefined) => {
  if (identity === undefined) return {}
  const { kind: _, ...query } = identity
  return query
}

/**
 * The fields of the assertion are named one by one: it contains the user handle as well. A passkey that the service
 * does not know stays on the device: after a restore of the database it may be the only key to a wallet.
 */
const prove = Effect.fn('passkeys.prove')(function* (portalSession: PortalSession) {
  const api = yield* Api
  const passkeys = yield* Passkeys
  const rpId = relyingPartyOf(portalSession.portalOrigin)
  const { challenge, allowedPublicKeys: allow = [] } = yield* api.call('getPasskeyChallenge', {
    query: queryOf(identityOf(portalSession)),
  })

  const given = base64.decode(challenge)
  const exporting = exportingOf(portalSession)
  yield* report({ step: 'asking-passkey' })
  const assertion = yield* passkeys.get({
    rpId,
    challenge: exporting === undefined ? given : Export.challengeOf(given, exporting.publicKey),
    allow,
    prfInput: PasskeyKeys.prfInput,
  })
  yield* report({ step: 'proving' })
  const { credentialId, clientDataJSON, authenticatorData, signature } = assertion
  const answer = yield* Effect.catch(
    api.call(
      'verifyPasskey',
      {
        body: {
          signature: { clientDataJSON, authenticatorData, signature },
          publicKey: credentialId,
          sessionLookupId: portalSession.sessionLookupId,
        },
      },
      { partnerId: portalSession.partner.id },
    ),
    (error) => Effect.fail(error.code === unknownPasskey ? new UnknownPasskey() : error),
  )
  return { assertion, answer }
})

/** The PRF output or the user handle, as the record says; nothing if this device does not give it. */
const wrappingKeys = ({ variant, credentialId }: VerifiedCredential, { prfOutput, userHandle }: PasskeyAssertion) => {
  const secret = variant === 'prf' ? prfOutput : userHandle
  if (variant === undefined || secret?.length !== PasskeyKeys.secretLength) return undefined
  return { variant, ...PasskeyKeys.passkeyWrappingKeys(variant, secret, credentialId) }
}

const unknownPasskey = 'UnknownPasskey'

/** The service does not know the passkey, or its assertion does not verify. */
export class UnknownPasskey extends Data.TaggedError(unknownPasskey) {
  override readonly message = 'unknown passkey'
}
