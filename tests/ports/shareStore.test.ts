import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { LocksWeb } from '../../adapters/browser/Locks.ts'
import { ShareStoreText } from '../../adapters/browser/ShareStore.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { ShareStore } from '../../domain/client/ports/ShareStore.ts'
import { stories } from './shareStore.ts'

/** The same stories run with the sealed form in a browser (tests/browser/adapters.test.ts). */
describe('the share store as text', () => {
  const layer = () => ShareStoreText.pipe(Layer.provideMerge(Layer.merge(StorageMemory, LocksWeb())))

  it.each(stories)('$name', async ({ does, sees }) => {
    expect(await Effect.runPromise(Effect.provide(does, layer()))).toEqual(sees)
  })

  it('leaves the storage empty where it holds nothing', async () => {
    const left = Effect.gen(function* () {
      const store = yield* ShareStore
      yield* store.lock('one')
      yield* store.forgetUser({ keepPregen: true, userId: undefined })
      return yield* (yield* Storage).local.get('@CAPSULE/keyShares')
    })

    expect(await Effect.runPromise(Effect.provide(left, layer()))).toBeUndefined()
  })
})
