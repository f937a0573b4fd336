import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as CredentialWrap from '../../crypto/CredentialWrap.ts'
import { equal } from '../../crypto/Equal.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import * as Wrap from '../../crypto/Wrap.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import type { RsaPair } from '../ports/Rsa.ts'
import type { PortalSession } from './portalSession.ts'

/** The credential that is being made, its RSA pair, and the keys that wrap for it. */
export type WrappedCredential = {
  readonly owner: Pick<CredentialWrap.WrapOwner, 'kind' | 'userId' | 'recordId' | 'variant'>
  readonly pair: RsaPair
  readonly keys: CredentialWrap.WrappingKeys
}

/**
 * Makes a root key for the user and wraps it with the credential's private key. Both wraps are opened again before
 * anything is sent: a wrap that does not open would lose the wallets.
 */
export const wrapNewKeys = Effect.fn('credentials.wrapNewKeys')(function* (
  portalSession: PortalSession,
  { owner, pair, keys }: WrappedCredential,
) {
  yield* report({ step: 'wrapping' })
  const random = yield* Random
  const seed = yield* random.bytes(RootKey.seedLength)
  const redacted = Redacted.make(seed, { label: 'root seed' })
  const strict = portalSession.admission.kind === 'asked' ? [] : [portalSession.partner.id]
  const wrap: CredentialWrap.WrapOwner = {
    ...owner,
    publicKey: pair.publicKey,
    rootPublicKey: RootKey.publicKeyOf(seed),
  }
  const encryptedWalletPrivateKey = CredentialWrap.sealPrivateKey(
    keys,
    wrap,
    pair.privateKey,
    yield* random.bytes(Wrap.ivLength),
  )
  const wrappedRootKey = CredentialWrap.sealRoot(
    keys,
    wrap,
    { seed: redacted, strict },
    yield* random.bytes(Wrap.ivLength),
  )
  const isPrivateKeyBack = Result.match(CredentialWrap.openPrivateKey(keys, wrap, encryptedWalletPrivateKey), {
    onFailure: () => false,
    onSuccess: (privateKey) => Redacted.value(privateKey) === Redacted.value(pair.privateKey),
  })
  const isRootBack = Result.match(CredentialWrap.openRoot(keys, wrap, wrappedRootKey), {
    onFailure: () => false,
    onSuccess: (root) => equal(Redacted.value(root.seed), seed),
  })
  const publicKey = RsaKey.publicPem(pair.publicKey)
  if (!isPrivateKeyBack || !isRootBack || publicKey === undefined) return yield* new WrapBroken()

  const { kind, userId, recordId } = owner
  return {
    seed: redacted,
    wrappedKey: { encryptedWalletPrivateKey, encryptionKeyHash: bytesToHex(CredentialWrap.encryptionKeyHash(keys)) },
    root: {
      sigDerivedPublicKey: pair.publicKey,
      rootPublicKey: bytesToHex(wrap.rootPublicKey),
      wrappedRootKey,
      rootSignature: bytesToHex(RootKey.signRecipient(seed, { kind, userId, recordId, publicKey })),
    },
  }
})

/** What was just wrapped does not unwrap: nothing was sent. */
export class WrapBroken extends Data.TaggedError('WrapBroken') {
  override readonly message = 'wrapped keys do not open again'
}
