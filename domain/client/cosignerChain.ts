/** The way from one key of the co-signer to a later one (domain/client/README.md#the-co-signers-key), which a device goes once for each. */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { leadingOn, linkMessage, type SignedLink } from '../crypto/CosignerLink.ts'
import { isSilence } from '../model/ApiError.ts'
import type { PinnedCosigner } from './cosignerKeys.ts'
import { Api } from './ports/Api.ts'
import { Cosigner } from './ports/Cosigner.ts'
import { ShareStore } from './ports/ShareStore.ts'

/** The key that counts now, from when on it does, and this device's time. */
export type Start = { readonly cosigner: PinnedCosigner; readonly after: number | undefined; readonly now: number }

/** Accepts the published keys up to the one that signed. Answers whether there is one. */
export const follow = Effect.fn('protocol.followCosigner')(function* (
  { cosigner: { name, publicKey }, after: first, now }: Start,
  isUnder: (key: Uint8Array) => Effect.Effect<boolean>,
) {
  const links = yield* publishedLinks
  const walked: SignedLink[] = []
  for (;;) {
    const last = walked.at(-1)
    const from = { name, key: last?.newKey ?? publicKey, after: last?.from ?? first }
    const next = yield* firstSigned(leadingOn(from, links))
    if (next === undefined) return false
    walked.push(next)
    if (yield* isUnder(next.newKey)) return yield* accept(walked, now)
  }
})

const firstSigned = Effect.fnUntraced(function* (links: readonly SignedLink[]) {
  const { isSigned } = yield* Cosigner
  for (const link of links) if (yield* isSigned(link.oldKey, linkMessage(link), link.signature)) return link
  return undefined
})

/** After a compromised key the one before counts no more, so its overlap is over at once. */
const accept = Effect.fnUntraced(function* (walked: readonly SignedLink[], now: number) {
  const erasesOt = walked.some(({ isCompromised }) => isCompromised)
  const at = erasesOt ? 0 : now
  const keys = walked.map(({ name, oldKey, newKey, from }) => ({ name, oldKey, newKey, from, at }))
  return yield* (yield* ShareStore).acceptCosignerKeys(keys, { erasesOt })
})

/** None where the service refuses them. */
const publishedLinks = Effect.gen(function* () {
  const { name, links } = yield* (yield* Api).call('getCosignerKeys', {})
  return links.map(({ oldPublicKey, newPublicKey, from, isCompromised, signature }) => ({
    name,
    oldKey: hexToBytes(oldPublicKey),
    newKey: hexToBytes(newPublicKey),
    from,
    isCompromised,
    signature: hexToBytes(signature),
  }))
}).pipe(
  Effect.catchIf(
    (error) => !isSilence(error),
    () => Effect.succeed([]),
  ),
)
