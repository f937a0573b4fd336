/**
 * The last answer of a run as it rests for a repeated request. That of a key generation or a refresh has the capsule,
 * which opens without a share key: at rest it is sealed under the share key of the sharing that it is of, so that no dump
 * has what opens when that key is gone.
 *
 *     1 ‖ share id 32 ‖ sealed answer
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { Vault } from '../ports/Vault.ts'
import type { Run } from '../Run.ts'
import type { Done } from './Plan.ts'
import { answerPlace } from './places.ts'
import { KeyShareOutOfDate } from './refusals.ts'

export const sealFinalBody = Effect.fn('protocol.sealFinalBody')(function* (
  run: Run,
  { share }: Done['made'],
  body: Uint8Array,
) {
  if (share === undefined) return body
  const sealed = yield* (yield* Vault).seal(placeOf(run, share.shareId), body)
  return concatBytes(Uint8Array.of(form), share.shareId, sealed)
})

/** The sharing may be over: then its key is gone. */
export const openFinalBody = Effect.fn('protocol.openFinalBody')(function* (run: Run, kept: Uint8Array) {
  // Answers of before were stored as they are, and begin with the length of an address.
  if ((run.kind !== 'keygen' && run.kind !== 'refresh') || kept[0] !== form) return kept
  const opened = (yield* Vault).open(placeOf(run, kept.subarray(1, bodyAt)), kept.subarray(bodyAt))
  return yield* Effect.catchTag(opened, 'VaultRefusal', () => Effect.fail(new KeyShareOutOfDate()))
})

const form = 1
const bodyAt = 33

const placeOf = ({ walletId, protocolId, kind, epoch }: Run, shareId: Uint8Array) =>
  answerPlace({ walletId, epoch: kind === 'keygen' ? epoch : epoch + 1, shareId: bytesToHex(shareId) }, protocolId)
