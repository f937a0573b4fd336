import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as CredentialWrap from '../../crypto/CredentialWrap.ts'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import * as Wrap from '../../crypto/Wrap.ts'
import { insistently } from '../runProtocol.ts'
import { Api } from '../ports/Api.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'
import { masterKey } from './masterKey.ts'
import { leave, type PortalOpening } from './opening.ts'
import { vouch } from './vouch.ts'

/**
 * Makes the user's password from what the person typed (flows 3.6 to 3.9): a random RSA pair and a root key, both
 * wrapped under the password, and the root key's word for the host. The update is the commit; after it the page leaves.
 */
export const createPassword = Effect.fn('passwords.createPassword')(function* (
  opening: PortalOpening,
  password: string,
) {
  const random = yield* Random
  const { record: passwordId, userId } = opening
  const pepper = fromHex(opening.pepper ?? '', PasswordKeys.pepperLength)
  if (passwordId === undefined || userId === undefined || pepper === undefined) return yield* new PasswordNotExpected()
  const kdf = opening.kdf ?? PasswordKeys.defaultKdf
  const salt = yield* random.bytes(PasswordKeys.saltLength)
  const key = yield* masterKey({ password, passwordId, salt, kdf })

  const wrapped = yield* wrapNewKeys(opening, {
    userId,
    passwordId,
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
        ...wrapped.fields,
        ...vouched,
      },
    },
    { partnerId: opening.partner.id },
  )
  yield* insistently(update)
  yield* leave(opening, 'created', vouched.sealedResult)
})

/**
 * Flows 3.7. What was wrapped is unwrapped again before anything is sent: a page that errs here would lose the wallets.
 */
const wrapNewKeys = Effect.fn('passwords.wrapNewKeys')(function* (
  opening: PortalOpening,
  owner: { readonly userId: string; readonly passwordId: string; readonly keys: CredentialWrap.WrappingKeys },
) {
  const random = yield* Random
  const pair = yield* (yield* Rsa).generate
  const seed = yield* random.bytes(RootKey.seedLength)
  const strict = opening.admission.kind === 'asked' ? [] : [opening.partner.id]
  const { keys } = owner
  const wrap: CredentialWrap.WrapOwner = {
    kind: 'PASSWORD',
    userId: owner.userId,
    recordId: owner.passwordId,
    variant: '',
    publicKey: pair.publicKey,
    rootPublicKey: RootKey.publicKeyOf(seed),
  }
  const encryptedWalletPrivateKey = CredentialWrap.sealPrivateKey(
    keys,
    wrap,
    pair.privateKey,
    yield* random.bytes(Wrap.ivLength),
  )
  const wrappedRootKey = CredentialWrap.sealRoot(keys, wrap, { seed, strict }, yield* random.bytes(Wrap.ivLength))
  const isPrivateKeyBack = Result.match(CredentialWrap.openPrivateKey(keys, wrap, encryptedWalletPrivateKey), {
    onFailure: () => false,
    onSuccess: (privateKey) => privateKey === pair.privateKey,
  })
  const isRootBack = Result.match(CredentialWrap.openRoot(keys, wrap, wrappedRootKey), {
    onFailure: () => false,
    onSuccess: (root) => equal(root.seed, seed),
  })
  const publicKey = RsaKey.publicPem(pair.publicKey)
  if (!isPrivateKeyBack || !isRootBack || publicKey === undefined) return yield* new WrapBroken()

  const { userId, passwordId: recordId } = owner
  return {
    seed,
    fields: {
      sigDerivedPublicKey: pair.publicKey,
      encryptedWalletPrivateKey,
      encryptionKeyHash: bytesToHex(CredentialWrap.encryptionKeyHash(keys)),
      rootPublicKey: bytesToHex(wrap.rootPublicKey),
      wrappedRootKey,
      rootSignature: bytesToHex(RootKey.signRecipient(seed, { kind: 'PASSWORD', userId, recordId, publicKey })),
    },
  }
})

/** The page's opening is not for the creation of a password. */
export class PasswordNotExpected extends Data.TaggedError('PasswordNotExpected') {
  override readonly message = 'no password is expected here'
}

/** What was just wrapped does not unwrap: nothing was sent. */
export class WrapBroken extends Data.TaggedError('WrapBroken') {
  override readonly message = 'wrapped keys do not open again'
}
