import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import { createUser } from '../../../domain/client/createUser.ts'
import { login } from '../../../domain/client/login.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import { setUpPassword } from '../../../domain/client/setUpPassword.ts'
import { verifyEmail } from '../../../domain/client/verifyEmail.ts'
import { email, makeAccountWorld } from '../../kit/accountWorld.ts'
import { personWith } from '../../kit/portalPlayer.ts'

const password = 'a sturdy passphrase'

describe('an account', () => {
  it('is made with a password on one device and entered with it on another', async () => {
    const world = makeAccountWorld()
    const first = world.makeDevice(personWith(password))

    const signUp = Effect.gen(function* () {
      yield* createUser({ kind: 'email', email })
      yield* verifyEmail('123456')
      const session = yield* setUpPassword()
      const key = yield* (yield* DeviceKeys).find(session.sessionId)
      const recovery = yield* (yield* ShareStore).pendingRecovery.get
      return { session, key, recovery }
    })
    const { session, key, recovery } = await first.runtime.runPromise(signUp)
    expect(session).toMatchObject({ isAuthenticated: true, needsWallet: true })
    expect(Option.getOrThrow(key).certification?.rootPublicKey).toHaveLength(64)
    expect(Option.getOrThrow(recovery).signature).toHaveLength(128)

    const share = world.makeShare(world.rootPublicKey())
    world.listWallet(share)
    await first.runtime.runPromise(world.backUp(session.sessionId, share))
    const second = world.makeDevice(personWith(password))
    const loggedIn = await second.runtime.runPromise(login({ kind: 'email', email }))
    const stored = await second.runtime.runPromise(Effect.flatMap(ShareStore, ({ find }) => find(share.walletId)))

    expect(loggedIn).toEqual({ userId: session.userId, needsWallet: false, missing: [] })
    expect(Option.getOrThrow(stored).shareText).toBe(share.shareText)
  })
})
