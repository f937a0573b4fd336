import { base64urlnopad } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as PasskeyKeys from '../../crypto/PasskeyKeys.ts'
import * as Identity from '../../model/Identity.ts'
import { relyingPartyOf } from '../origin.ts'
import { Api } from '../ports/Api.ts'
import { Passkeys, type CreatedPasskey } from '../ports/Passkeys.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'
import { SeededRsa } from '../ports/SeededRsa.ts'
import { insistently } from '../runProtocol.ts'
import { identityOf, leave, type PortalOpening } from './opening.ts'
import { vouch } from './vouch.ts'
import { wrapNewKeys } from './wrapNewKeys.ts'

/**
 * A passkey on this device and the user's keys under it (flows 4.6 to 4.9): one gesture, two where the device says its PRF
 * output only when it is asked again. Resolves to the commit, blob first, after which the page leaves: whoever got no
 * answer to it may run it again, because the same body is stored once (flows 4.8).
 * As long as the commit was not asked for, whatever stops the page makes the device forget a passkey that nobody knows.
 */
export const preparePasskey = Effect.fn('passkeys.preparePasskey')(function* (opening: PortalOpening) {
  const { record: passkeyId, userId, page } = opening
  if (passkeyId === undefined || userId === undefined || page !== 'create-passkey') {
    return yield* new PasskeyNotExpected()
  }
  const { created, userHandle } = yield* askDevice(opening, userId)
  return yield* Effect.onError(wrapUnder(opening, { userId, passkeyId }, created, userHandle), () =>
    Effect.flatMap(Passkeys, ({ forget }) => forget(relyingPartyOf(opening.portalOrigin), created.credentialId)),
  )
})

type Owner = { readonly userId: string; readonly passkeyId: string }

/** Flows 4.6. The user handle is made here, because it may be what wraps: the service never learns it. */
const askDevice = Effect.fn('passkeys.askDevice')(function* (opening: PortalOpening, userId: string) {
  const { keys } = yield* (yield* Api).call('listPasskeys', { path: { userId } })
  const userHandle = yield* (yield* Random).bytes(PasskeyKeys.secretLength)
  const identity = identityOf(opening)
  yield* report({ step: 'asking-passkey' })
  const created = yield* (yield* Passkeys).create({
    rpId: relyingPartyOf(opening.portalOrigin),
    challenge: yield* opening.challenge,
    userHandle,
    userName: identity === undefined ? opening.partner.displayName : Identity.value(identity),
    exclude: keys.flatMap(({ publicKey }) => publicKey ?? []),
    prfInput: PasskeyKeys.prfInput,
  })
  return { created, userHandle }
})

/** Flows 4.7 and the commit of 4.8, which names the fields of the passkey one by one. */
const wrapUnder = Effect.fn('passkeys.wrapUnder')(function* (
  opening: PortalOpening,
  { userId, passkeyId }: Owner,
  created: CreatedPasskey,
  userHandle: Uint8Array,
) {
  const prf = yield* prfOutput(opening, created)
  const variant = prf === undefined ? 'handle' : 'prf'
  yield* report({ step: 'making-keys' })
  const pair =
    variant === 'prf'
      ? yield* (yield* Rsa).generate
      : yield* (yield* SeededRsa).generate(base64urlnopad.encode(userHandle))
  const { seed, wrappedKey, root } = yield* wrapNewKeys(opening, {
    owner: { kind: 'BIOMETRICS', userId, recordId: passkeyId, variant },
    pair,
    keys: PasskeyKeys.passkeyWrappingKeys(variant, prf ?? userHandle, passkeyId),
  })
  const found = { userId, credentialId: passkeyId, wallets: [], missing: [] }
  const vouched = yield* vouch(opening, seed, found)
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
        ...vouched,
      },
    },
    { partnerId: opening.partner.id },
  )
  return Effect.gen(function* () {
    yield* report({ step: 'committing' })
    yield* insistently(store)
    yield* insistently(update)
    yield* leave(opening, 'created', vouched.sealedResult)
  })
})

/** Devices that have a PRF but say nothing of it at the creation are asked once more; nobody sees that assertion. */
const prfOutput = Effect.fn('passkeys.prfOutput')(function* (opening: PortalOpening, created: CreatedPasskey) {
  if (created.prfOutput !== undefined || !created.hasPrf) return whole(created.prfOutput)
  yield* report({ step: 'asking-passkey' })
  const assertion = yield* (yield* Passkeys).get({
    rpId: relyingPartyOf(opening.portalOrigin),
    challenge: yield* (yield* Random).bytes(32),
    allow: [created.credentialId],
    prfInput: PasskeyKeys.prfInput,
  })
  return whole(assertion.prfOutput)
})

/** An output of another length is none. */
const whole = (output: Uint8Array | undefined): Uint8Array | undefined =>
  output?.length === PasskeyKeys.secretLength ? output : undefined

/** The page's opening is not for the creation of a passkey. */
export class PasskeyNotExpected extends Data.TaggedError('PasskeyNotExpected') {
  override readonly message = 'no passkey is expected here'
}
