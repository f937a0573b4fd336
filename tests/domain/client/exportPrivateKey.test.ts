import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { exportPrivateKey } from '../../../domain/client/exportPrivateKey.ts'
import { clocked } from '../../kit/hostStage.ts'
import { makeLoginScene, userId } from '../../kit/loginScene.ts'

describe('an export', () => {
  it('closes its window when its app no longer waits, so that the page cannot show a key later', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    scene.lists([share])
    scene.says({ isAuthenticated: true, userId, currentWalletIds: { EVM: [share.walletId] } })
    const { stage } = scene

    const { open, outcome } = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(exportPrivateKey(undefined))
        yield* TestClock.adjust('9 minutes')
        const isOpen = stage.window.url !== '' && !stage.window.isClosed
        yield* TestClock.adjust('1 minute')
        return { open: isOpen, outcome: yield* Fiber.join(fiber) }
      }),
    )

    expect([open, outcome, stage.window.isClosed]).toEqual([true, 'cancelled', true])
  })
})
