import { base64urlnopad } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as PasskeyKeys from '../../crypto/PasskeyKeys.ts'
import * as Identity from '../../model/Identity.ts'
import { relyingPartyOf } from '../../model/Url.ts'
import { Api } from '../ports/Api.ts'
import { Passkeys, type CreatedPasskey } from '../ports/Passkeys.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { Rsa, SeededRsa } from '../ports/Rsa.ts'
import { insistently } from '../runProtocol.ts'
import { identityOf, leave, type PortalSession } from './portalSession.ts'
import { certify } from './certify.ts'
import { wrapNewKeys } from './wrapNewKeys.ts'

/**
 * Makes a passkey on this device and wraps the user's keys under it (domain/client/README.md#passkey): one gesture, two
 * if the device gives its PRF output only when asked again. Resolves to the commit, wrapped key first, after which the
 * page leaves. A commit without an answer may be repeated: the same body is stored once. If the page stops before the
 * commit was asked for, the device is told to forget the passkey, which the service does not know.
 */
export const preparePasskey = Effect.fn('passkeys.preparePasskey')(function* (portalSession: PortalSession) {
  const { record: passkeyId, userId, page } = portalSession
  if (passkeyId === undefined || userId === undefined || page !== 'create-passkey') {
    return yield* new PasskeyNotExpected()
  }
  const { created, userHandle } = yield* askDevice(portalSession, userId)
  return yield* Effect.onError(wrapUnder(portalSession, { userId, passkeyId }, created, userHandle), () =>
    Effect.flatMap(Passkeys, ({ forget }) => forget(relyingPartyOf(portalSession.portalOrigin), created.credentialId)),
  )
})

type Owner = { readonly userId: string; readonly passkeyId: string }

/** The user handle is made here, because it may be what wraps: the service never learns it. */
const askDevice = Effect.fn('passkeys.askDevice')(function* (portalSession: PortalSession, userId: string) {
  const { keys } = yield* (yield* Api).call('listPasskeys', { path: { userId } })
  const userHandle = yield* (yield* Random).bytes(PasskeyKeys.secretLength)
  const identity = identityOf(portalSession)
  yield* report({ step: 'asking-passkey' })
  const created = yield* (yield* Passkeys).create({
    rpId: relyingPartyOf(portalSession.portalOrigin),
    challenge: yield* portalSession.challenge,
    userHandle,
    userName: identity === undefined ? portalSession.partner.displayName : Identity.value(identity),
    exclude: keys.flatMap(({ publicKey }) => publicKey ?? []),
    prfInput: PasskeyKeys.prfInput,
  })
  return { created, userHandle }
})

/**
 * Wraps the keys and makes the commit. Fields are named one by one: the credential's own JSON contains the user handle.
 */
const wrapUnder = Effect.fn('passkeys.wrapUnder')(function* (
  portalSession: PortalSession,
  { userId, passkeyId }: Owner,
  created: CreatedPasskey,
  userHandle: Uint8Array,
) {
  const prf = yield* prfOutput(portalSession, created)
  const variant = prf === undefined ? 'handle' : 'prf'
  yield* report({ step: 'making-keys' })
  const pair =
    variant === 'prf'
      ? yield* (yield* Rsa).generate
      : yield* (yield* SeededRsa).generate(base64urlnopad.encode(userHandle))
  const { seed, wrappedKey, root } = yield* wrapNewKeys(portalSession, {
    owner: { kind: 'BIOMETRICS', userId, recordId: passkeyId, variant },
    pair,
    keys: PasskeyKeys.passkeyWrappingKeys(variant, prf ?? userHandle, passkeyId),
  })
  const found = { userId, credentialId: passkeyId, wallets: [], missing: [] }
  const certified = yield* certify(portalSession, seed, found)
  const api = yield* Api
  const store = api.call('createEncryptedWalletPrivateKey', {
    path: { userId },
    body: { ...wrappedKey, biometricPublicKey: pair.publicKey },
  })
  const { credentialId, clientDataJSON, attestationObject, cosePublicKey, aaguid } = created
  const update = api.call(
    'updatePasskey',
    {
      path: { userId, passkeyId },
      body: {
        status: 'COMPLETE',
        type: 'WEB',
        publicKey: credentialId,
        clientDataJSON,
        attestationObject,
        ...(cosePublicKey === undefined ? {} : { cosePublicKey }),
        ...(aaguid === undefined ? {} : { aaguid }),
        variant,
        ...root,
        ...certified,
      },
    },
    { partnerId: portalSession.partner.id },
  )
  return Effect.gen(function* () {
    yield* report({ step: 'committing' })
    yield* insistently(store)
    yield* insistently(update)
    yield* leave(portalSession, 'created', certified.sealedResult)
  })
})

/** Devices that have a PRF but gave no output at the creation are asked once more. That assertion is not sent. */
const prfOutput = Effect.fn('passkeys.prfOutput')(function* (portalSession: PortalSession, created: CreatedPasskey) {
  if (created.prfOutput !== undefined || !created.hasPrf) return whole(created.prfOutput)
  yield* report({ step: 'asking-passkey' })
  const assertion = yield* (yield* Passkeys).get({
    rpId: relyingPartyOf(portalSession.portalOrigin),
    challenge: yield* (yield* Random).bytes(32),
    allow: [created.credentialId],
    prfInput: PasskeyKeys.prfInput,
  })
  return whole(assertion.prfOutput)
})

/** An output of another length is not used. */
const whole = (output: Uint8Array | undefined): Uint8Array | undefined =>
  output?.length === PasskeyKeys.secretLength ? output : undefined

/** This portal session is not for the creation of a passkey. */
export class PasskeyNotExpected extends Data.TaggedError('PasskeyNotExpected') {
  override readonly message = 'no passkey is expected here'
}
