/**
 * The stored last answer of a run, for a repeated request. The answer of a key generation or refresh contains the
 * capsule, which opens without a share key. So it is stored sealed under the share key of its sharing, and no dump
 * contains a capsule that still opens when that key is destroyed.
 *
 *     1 ‖ share id 32 ‖ sealed answer
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { Vault } from '../ports/Vault.ts'
import type { Run } from '../Run.ts'
import type { Done } from './Plan.ts'
import { answerAssociatedData } from './associatedData.ts'
import { KeyShareOutOfDate } from './refusals.ts'

/** The body in its stored form: sealed if the run made a share, else as it is. */
export const sealFinalBody = Effect.fn('protocol.sealFinalBody')(function* (
  run: Run,
  { share }: Done['made'],
  body: Uint8Array,
) {
  if (share === undefined) return body
  const sealed = yield* (yield* Vault).seal(associatedDataOf(run, share.shareId), body)
  return concatBytes(Uint8Array.of(form), share.shareId, sealed)
})

/** Refused if the sharing has been replaced, because its key is destroyed. */
export const openFinalBody = Effect.fn('protocol.openFinalBody')(function* (run: Run, kept: Uint8Array) {
  // Earlier versions stored answers unsealed; these begin with the length of an address.
  if ((run.kind !== 'keygen' && run.kind !== 'refresh') || kept[0] !== form) return kept
  const opened = (yield* Vault).open(associatedDataOf(run, kept.subarray(1, bodyAt)), kept.subarray(bodyAt))
  return yield* Effect.catchTag(opened, 'VaultRefusal', () => Effect.fail(new KeyShareOutOfDate()))
})

const form = 1
const bodyAt = 33

const associatedDataOf = ({ walletId, protocolId, kind, epoch }: Run, shareId: Uint8Array) =>
  answerAssociatedData(
    { walletId, epoch: kind === 'keygen' ? epoch : epoch + 1, shareId: bytesToHex(shareId) },
    protocolId,
  )
