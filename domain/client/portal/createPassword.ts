import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type * as Redacted from 'effect/Redacted'
import { fromHex } from '../../crypto/Hex.ts'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import { insistently } from '../runProtocol.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'
import { masterKey } from './masterKey.ts'
import { leave, type PortalSession } from './portalSession.ts'
import { certify } from './certify.ts'
import { wrapNewKeys } from './wrapNewKeys.ts'

/**
 * Makes the user's password from what the person typed (domain/client/README.md#password): a random RSA pair and a root
 * key, both wrapped under it, and the root key's signatures for the host. Resolves to the commit, after which the page
 * leaves. A commit without an answer may be repeated: the same body is stored once.
 */
export const preparePassword = Effect.fn('passwords.preparePassword')(function* (
  portalSession: PortalSession,
  password: Redacted.Redacted,
) {
  const random = yield* Random
  const { record: passwordId, userId } = portalSession
  const pepper = fromHex(portalSession.pepper ?? '', PasswordKeys.pepperLength)
  if (passwordId === undefined || userId === undefined || pepper === undefined) return yield* new PasswordNotExpected()
  const kdf = portalSession.kdf ?? PasswordKeys.defaultKdf
  const salt = yield* random.bytes(PasswordKeys.saltLength)
  // The pair does not depend on the password: it is generated while the password is hashed.
  const generating = yield* Effect.forkChild((yield* Rsa).generate)
  const key = yield* masterKey({ password, passwordId, salt, kdf })

  yield* report({ step: 'making-keys' })
  const wrapped = yield* wrapNewKeys(portalSession, {
    owner: { kind: 'PASSWORD', userId, recordId: passwordId, variant: '' },
    pair: yield* Fiber.join(generating),
    keys: PasswordKeys.passwordWrappingKeys(key, pepper, passwordId),
  })
  const certified = yield* certify(portalSession, wrapped.seed, {
    userId,
    credentialId: passwordId,
    wallets: [],
    missing: [],
  })
  const update = (yield* Api).call(
    'updatePassword',
    {
      path: { userId, passwordId },
      body: {
        status: 'COMPLETE',
        salt: bytesToHex(salt),
        kdf,
        authPublicKey: bytesToHex(PasswordKeys.authKey(key, passwordId).publicKey),
        ...wrapped.wrappedKey,
        ...wrapped.root,
        ...certified,
      },
    },
    { partnerId: portalSession.partner.id },
  )
  return Effect.gen(function* () {
    yield* report({ step: 'committing' })
    yield* insistently(update)
    yield* leave(portalSession, 'created', certified.sealedResult)
  })
})

/** This portal session is not for the creation of a password. */
export class PasswordNotExpected extends Data.TaggedError('PasswordNotExpected') {
  override readonly message = 'no password is expected here'
}
