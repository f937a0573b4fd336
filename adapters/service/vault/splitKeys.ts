/**
 * From the one key-encryption key of earlier versions to two rings, beside running processes of this version
 * (adapters/service/vault/README.md#from-one-key-to-two-rings). It may be killed anywhere and called again.
 *
 * The co-signer's ring begins with the key of before, because the capsules in clients' hands are sealed under it. The
 * service's ring begins with it, too, and is rotated away from it.
 */
import * as Effect from 'effect/Effect'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { readKeyEncryptionKey } from './keyEncryptionKey.ts'
import { orRefused } from './KeyFileRefused.ts'
import { ringKey } from './KeyRing.ts'
import { macKeyOf } from './macKey.ts'
import { copyPolicies } from './policyCopies.ts'
import { createRing, readRing, ringAt, ringStoreIn, type RingFile } from './ringFile.ts'
import { retireKey, RotationRefused, rotateRing, type Waits } from './rotation.ts'
import type { RecordKeys } from './sealing.ts'

export type RingFiles = { readonly [R in Ring]: RingFile }

/** `waiting`: why the service's ring still has the key of before; called again later, it goes. */
export type Split = { readonly id: string; readonly waiting: string | undefined }

/** Fails with `RotationRefused` where there is no key of before, or rings that were not made from it. */
export const splitKeys = Effect.fn('vault.splitKeys')(function* (
  files: RingFiles,
  shareKeys: RecordKeys['shareKeys'],
  waits: Waits,
  progress?: (rewrapped: number) => void,
) {
  const { before, environment } = files.service
  const key = yield* keyFile(() => readKeyEncryptionKey(before, environment))
  if (key === undefined) return yield* new RotationRefused({ message: `There is no key in ${before} to split.` })
  const { id } = ringKey(key, 0)
  // Before there is a ring: it is derived from the key of before.
  yield* macKeyOf(yield* keyFile(() => ringAt(files.service)))
  yield* keyFile(() => {
    createRing(files.cosigner, key)
    createRing(files.service, key)
  })
  const keysOf = (ring: Ring) => keyFile(() => readRing(files[ring]) ?? [])
  if (!(yield* keysOf('cosigner')).some((one) => one.id === id)) {
    const message = `${files.cosigner.path} was not made from ${before}, or its key ${id} is retired.`
    return yield* new RotationRefused({ message })
  }
  yield* copyPolicies(yield* keyFile(() => ({ service: ringAt(files.service), cosigner: ringAt(files.cosigner) })))
  const kept = yield* keysOf('service')
  if (!kept.some((one) => one.id === id)) return { id, waiting: undefined } satisfies Split
  const of = { store: ringStoreIn(files.service), shareKeys }
  if (kept.at(-1)?.id === id || kept.at(-1)?.rewrappedAt === undefined) yield* rotateRing(of, waits, progress)
  const retired = yield* Effect.result(retireKey(of, id, waits))
  const split: Split = { id, waiting: retired._tag === 'Failure' ? retired.failure.message : undefined }
  return split
})

const keyFile = <A>(use: () => A): Effect.Effect<A, RotationRefused> =>
  Effect.catch(
    Effect.try({ try: use, catch: (cause) => cause }),
    orRefused((message) => new RotationRefused({ message })),
  )
