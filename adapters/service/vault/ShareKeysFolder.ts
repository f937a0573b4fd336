/**
 * The port on the files of share keys. A file of its own, because each of the co-signer's threads loads ShareKeys.ts
 * and starts in half the time without Effect's runtime.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { ShareKeys } from '../../../domain/service/ports/ShareKeys.ts'
import type { ShareKeyFiles } from './ShareKeys.ts'

export const ShareKeysFolder = (keys: ShareKeyFiles): Layer.Layer<ShareKeys> =>
  Layer.succeed(ShareKeys, {
    epochOf: (walletId, shareId) => Effect.sync(() => keys.epochOf(walletId, shareId)),
    destroyOthers: (acknowledged) => Effect.sync(() => keys.destroyOthers(acknowledged)),
    destroyBefore: (walletId, epoch) => Effect.sync(() => keys.destroyBefore(walletId, epoch)),
    destroyAll: (walletId) => Effect.sync(() => keys.destroyAll(walletId)),
    walletsIn: (part) => Effect.sync(() => keys.walletsIn(part)),
  })
