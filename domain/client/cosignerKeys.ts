/**
 * Under which key of the co-signer an answer counts (domain/client/README.md#the-co-signers-key). A share pins one; a
 * later one is accepted for a chain of signatures that begins at it.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { equal } from '../crypto/Equal.ts'
import * as Frame from '../mpc/Frame.ts'
import { cosignerKeyOverlapMs } from '../model/Limits.ts'
import { following } from './lateCode.ts'
import { Cosigner } from './ports/Cosigner.ts'
import { ShareStore, type AcceptedKey } from './ports/ShareStore.ts'

/** The co-signer that a share is pinned to: its name, and the 65-byte key that signs its answers. */
export type PinnedCosigner = { readonly name: string; readonly publicKey: Uint8Array }

/** The key that a refreshed share pins: the last one that this device accepted, or the one that this share pins. */
export const currentKey = (cosigner: PinnedCosigner) =>
  Effect.map(acceptedSince(cosigner), (accepted) => accepted.at(-1)?.newKey ?? cosigner.publicKey)

/**
 * The answer to `frame`; `undefined` if it is not the co-signer's. Where its key took the place of a compromised one, the
 * OT states of this device are erased: the next run of each wallet makes another. This one goes on, because the co-signer
 * allows no enrolment beside it.
 */
export const openAnswer = Effect.fnUntraced(function* (cosigner: PinnedCosigner, frame: Uint8Array, bytes: Uint8Array) {
  const read = Frame.readAnswer(frame, bytes)
  if (read === undefined) return undefined
  const { isSigned } = yield* Cosigner
  const isUnder = (key: Uint8Array) => isSigned(key, read.message, read.signature)
  const accepted = yield* acceptedSince(cosigner)
  const now = yield* Clock.currentTimeMillis
  const last = accepted.at(-1)
  const key = last?.newKey ?? cosigner.publicKey
  if (yield* isUnder(key)) return read.answer
  if (last !== undefined && now - last.at < cosignerKeyOverlapMs && (yield* isUnder(last.oldKey))) return read.answer

  const from = { cosigner: { name: cosigner.name, publicKey: key }, after: last?.from, now }
  return (yield* following((of) => of.follow(from, isUnder))) ? read.answer : undefined
})

/** What this device accepted in the place of the pinned key, and of those after it. */
const acceptedSince = Effect.fnUntraced(function* ({ name, publicKey }: PinnedCosigner) {
  const all = yield* (yield* ShareStore).cosignerKeys
  const accepted: AcceptedKey[] = []
  for (let key = publicKey; ;) {
    const next = all.find((one) => one.name === name && equal(one.oldKey, key))
    if (next === undefined || accepted.includes(next)) return accepted
    accepted.push(next)
    key = next.newKey
  }
})
