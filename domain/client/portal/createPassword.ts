import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { fromHex } from '../../crypto/Hex.ts'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import { insistently } from '../runProtocol.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'
import { masterKey } from './masterKey.ts'
import { leave, type PortalOpening } from './opening.ts'
import { vouch } from './vouch.ts'
import { wrapNewKeys } from './wrapNewKeys.ts'

/**
 * The user's password from what the person typed (flows 3.6 to 3.9): a random RSA pair and a root key, both wrapped under
 * it, and the root key's word for the host. Resolves to the commit, after which the page leaves: whoever got no answer to
 * it may run it again, because the same body is stored once (flows 3.8).
 */
export const preparePassword = Effect.fn('passwords.preparePassword')(function* (
  opening: PortalOpening,
  password: string,
) {
  const random = yield* Random
  const { record: passwordId, userId } = opening
  const pepper = fromHex(opening.pepper ?? '', PasswordKeys.pepperLength)
  if (passwordId === undefined || userId === undefined || pepper === undefined) return yield* new PasswordNotExpected()
  const kdf = opening.kdf ?? PasswordKeys.defaultKdf
  const salt = yield* random.bytes(PasswordKeys.saltLength)
  // The pair needs nothing of the password: it is searched while that is stretched.
  const generating = yield* Effect.forkChild((yield* Rsa).generate)
  const key = yield* masterKey({ password, passwordId, salt, kdf })

  yield* report({ step: 'making-keys' })
  const wrapped = yield* wrapNewKeys(opening, {
    owner: { kind: 'PASSWORD', userId, recordId: passwordId, variant: '' },
    pair: yield* Fiber.join(generating),
    keys: PasswordKeys.passwordWrappingKeys(key, pepper, passwordId),
  })
  const vouched = yield* vouch(opening, wrapped.seed, {
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
        ...vouched,
      },
    },
    { partnerId: opening.partner.id },
  )
  return Effect.gen(function* () {
    yield* report({ step: 'committing' })
    yield* insistently(update)
    yield* leave(opening, 'created', vouched.sealedResult)
  })
})

/** The page's opening is not for the creation of a password. */
export class PasswordNotExpected extends Data.TaggedError('PasswordNotExpected') {
  override readonly message = 'no password is expected here'
}
