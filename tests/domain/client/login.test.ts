import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it, vi } from 'vitest'
import { login, resumeLogin } from '../../../domain/client/login.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { Popup, PopupBlocked } from '../../../domain/client/ports/Popup.ts'
import { Progress, type Step } from '../../../domain/client/ports/Progress.ts'
import { rememberDeviceKey } from '../../../domain/client/rememberDeviceKey.ts'
import { SessionState } from '../../../domain/client/SessionState.ts'
import { touch } from '../../../domain/client/touch.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import type { ResultWallet } from '../../../domain/crypto/Opener.ts'
import { sessionCookie } from '../../../domain/model/StorageKeys.ts'
import { clocked } from '../../kit/hostStage.ts'
import {
  lookupId,
  makeLoginScene,
  makeShare,
  named,
  pair,
  partnerId,
  portalOrigin,
  sessionId,
  userId,
  type Share,
} from '../../kit/loginScene.ts'

const ada = { kind: 'email', email: 'ada@example.com' } as const
const loginPair = '@CAPSULE/loginEncryptionKeyPair'
const storedKeys = { ...pair, privateKey: Redacted.value(pair.privateKey) }

type Scene = ReturnType<typeof makeLoginScene>

/** A login up to the page's handshake, and then what the test has happen. */
const during = <A, E, R>(scene: Scene, happens: (fiber: Fiber.Fiber<unknown, unknown>) => Effect.Effect<A, E, R>) =>
  clocked(
    scene.stage.layer as never,
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(login(ada))
      yield* TestClock.adjust(0)
      scene.sendsHandshake()
      yield* TestClock.adjust(0)
      return yield* happens(fiber)
    }) as Effect.Effect<A, E>,
  )

/** A login whose page leaves this share, up to its end. */
const completing = (scene: Scene, share: ReturnType<Scene['makeShare']>, withinMs = 2_000) =>
  during(scene, (fiber) =>
    Effect.gen(function* () {
      scene.commits([share], scene.seals([named(share)]))
      yield* TestClock.adjust(withinMs)
      yield* Fiber.join(fiber)
    }),
  )

/** The outcome of a fiber that has ended. */
const failureOf = (fiber: Fiber.Fiber<unknown, unknown>) =>
  Effect.map(Fiber.await(fiber), (exit) =>
    Exit.isFailure(exit) ? Option.getOrNull(Exit.findErrorOption(exit)) : exit.value,
  )

describe('login', () => {
  it('opens its popup within the click, before anything is awaited', () => {
    const { stage } = makeLoginScene()

    const fiber = Effect.runFork(Effect.provide(login(ada), stage.layer))

    expect(stage.story[0]).toBe('open LOGIN_PASSKEY')
    return Effect.runPromise(Fiber.interrupt(fiber))
  })

  it('sends the popup to its page with session and login key, and keeps the pair under its storage key', async () => {
    const scene = makeLoginScene()

    const kept = await during(scene, (fiber) =>
      Effect.gen(function* () {
        const text = scene.stage.session.get(loginPair) ?? ''
        yield* Fiber.interrupt(fiber)
        return text
      }),
    )

    const url = new URL(scene.stage.window.url)
    expect(url.origin + url.pathname).toBe('http://localhost:3003/web/passwords/login')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      apiKey: 'a key',
      partnerId,
      sessionId,
      encryptionKey: pair.publicKey,
      email: 'ada@example.com',
    })
    expect(JSON.parse(kept)).toEqual({
      v: 1,
      sessionId,
      ...storedKeys,
    })
    expect(scene.stage.local.get('@CAPSULE/e-mail')).toBe('ada@example.com')
    expect([...scene.stage.local.values()].join()).not.toContain(storedKeys.privateKey)
    expect([...scene.stage.session.keys()]).toEqual([])
  })

  it('polls the session every 2 s', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        yield* TestClock.adjust(6_000)
        yield* Fiber.interrupt(fiber)
      }),
    )

    const [regenerated, ...polls] = scene.stage.calls.filter(({ operation }) => operation === 'touchSession')
    expect(regenerated?.input).toEqual({ query: { regenerate: 'true' } })
    expect(polls.map(({ at }) => at)).toEqual([0, 2_000, 4_000, 6_000])
    expect(polls.map(({ input }) => input)).toEqual(Array(4).fill({ query: { regenerate: 'false' } }))
  })

  it('fails within 10 s after the popup is closed, and then stops polling', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.stage.window.isClosed = true
        scene.portalSession('CLOSED')
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'PopupClosed', kind: 'LOGIN_PASSKEY' })
        const asked = scene.stage.times('touchSession').length
        yield* TestClock.adjust(60_000)
        expect(scene.stage.times('touchSession')).toHaveLength(asked)
      }),
    )
    expect(scene.stage.events).toEqual([])
  })

  it('is not failed by a window that says it is closed while its page still beats', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.stage.window.isClosed = true
        yield* TestClock.adjust(30_000)
        expect(fiber.pollUnsafe()).toBeUndefined()
        scene.portalSession('CLOSED')
        yield* TestClock.adjust(1_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'PopupClosed' })
      }),
    )
  })

  it('fails when a popup is closed whose page never greeted', async () => {
    const scene = makeLoginScene()

    const error = await clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(login(ada))
        yield* TestClock.adjust('3 seconds')
        scene.stage.window.isClosed = true
        yield* TestClock.adjust('1 second')
        return yield* failureOf(fiber)
      }),
    )

    expect(error).toMatchObject({ _tag: 'PopupClosed' })
  })

  it('continues to wait where the popup seems closed from the first moment: the host may isolate itself', async () => {
    const scene = makeLoginScene()
    scene.stage.window.isClosed = true

    await clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(login(ada))
        yield* TestClock.adjust('9 minutes')
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust('1 minute')
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'PopupClosed' })
      }),
    )
  })

  it('logs a poll that fails and goes on', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.says(connectionError())
        yield* TestClock.adjust(4_000)
        expect(scene.stage.logs.filter((log) => log.startsWith('a poll failed'))).toHaveLength(2)
        scene.commits([share], scene.seals([named(share)]))
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toEqual({ userId, needsWallet: false, missing: [] })
      }),
    )
  })

  it('polls at once when the page says that it is done', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        yield* TestClock.adjust(500)
        const sealedResult = scene.seals([named(share)])
        scene.commits([share], sealedResult)
        scene.done('login', sealedResult)
        yield* TestClock.adjust(1)
        expect(yield* failureOf(fiber)).toMatchObject({ userId })
      }),
    )
    expect(scene.stage.events).toEqual([{ name: 'paraLogin', data: { userId, needsWallet: false, missing: [] } }])
  })

  it('uses the result in the page’s own message where the service does not give it', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        const sealedResult = scene.seals([named(share)])
        scene.commits([share], sealedResult)
        scene.says({ isAuthenticated: true, userId, currentWalletIds: { EVM: [share.walletId] } })
        scene.done('login', sealedResult)
        yield* TestClock.adjust(1)
        expect(yield* failureOf(fiber)).toMatchObject({ userId })
      }),
    )
  })

  it('ends when the person cancels', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.done('cancelled')
        yield* TestClock.adjust(1)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'PopupClosed' })
      }),
    )
    expect(scene.stage.window.isClosed).toBe(true)
  })

  it('reports each step', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    const steps: Step[] = []

    await clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          Effect.provideService(login(ada), Progress, (step) => void steps.push(step)),
        )
        yield* TestClock.adjust(0)
        scene.sendsHandshake()
        yield* TestClock.adjust(0)
        scene.commits([share], scene.seals([named(share)]))
        yield* TestClock.adjust(2_000)
        yield* Fiber.join(fiber)
      }),
    )

    expect(steps.map(({ step }) => step)).toEqual(['portal', 'waiting', 'receiving', 'checking', 'storing'])
  })

  it('continues when a listener of its steps throws', async () => {
    const scene = makeLoginScene()

    await clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        const listener = () => {
          throw new Error('not now')
        }
        const fiber = yield* Effect.forkChild(Effect.provideService(login(ada), Progress, listener))
        yield* TestClock.adjust('3 seconds')
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* Fiber.interrupt(fiber)
      }),
    )
    expect(scene.stage.logs).toContain('a progress listener threw')
  })

  it('gives the page’s address where no window opens, and keeps what it needs when that page returns', async () => {
    const scene = makeLoginScene()
    const blocked = Popup.of({ open: () => Effect.fail(new PopupBlocked({})), messages: Effect.never })

    const error = await clocked(scene.stage.layer, Effect.flip(Effect.provideService(login(ada), Popup, blocked)))

    const url = error._tag === 'PopupBlocked' ? error.continueUrl : undefined
    expect(url).toContain(`/web/passwords/login?apiKey=a%20key&partnerId=${partnerId}`)
    expect(url).toContain(`sessionId=${sessionId}`)
    expect([...scene.stage.session.keys()].sort()).toEqual([
      loginPair,
      '@CAPSULE/tandem/device',
      '@CAPSULE/tandem/session',
      '@CAPSULE/tandem/visit',
    ])
  })

  it('that fails leaves nothing of itself in the tab, nor its device key', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        expect([...scene.stage.keys.keys()]).toEqual([sessionId])
        scene.done('cancelled')
        yield* TestClock.adjust(1)
        yield* failureOf(fiber)
      }),
    )

    expect([...scene.stage.session.keys()]).toEqual([])
    expect(scene.stage.local.has('@CAPSULE/tandem/session')).toBe(false)
    expect([...scene.stage.keys.keys()]).toEqual([])
  })

  describe('while the tabs share a session that has a device key, as in a sign-up', () => {
    const another = crypto.randomUUID()
    const besides = async () => {
      const scene = makeLoginScene()
      await clocked(
        scene.stage.layer,
        Effect.flatMap(DeviceKeys, ({ create }) => Effect.andThen(rememberDeviceKey(another), create(another))),
      )
      return scene
    }

    it('keeps that key where the login is given up', async () => {
      const scene = await besides()

      await during(scene, Fiber.interrupt)

      expect([...scene.stage.keys.keys()]).toEqual([another])
    })

    it('deletes it with the token that the login’s takes the place of', async () => {
      const scene = await besides()
      const share = scene.makeShare()

      await completing(scene, share)

      expect([...scene.stage.keys.keys()]).toEqual([sessionId])
    })
  })

  it('notifies its page when the app gives up, and closes it', async () => {
    const scene = makeLoginScene()

    await during(scene, Fiber.interrupt)

    const close = { v: 1, type: 'tandem.bye', openingId: scene.openingId }
    expect(scene.stage.posted.at(-1)).toEqual({ message: close, targetOrigin: portalOrigin })
    expect(scene.stage.window.isClosed).toBe(true)
  })

  it('of another tab ends this one with its result, also where its message arrives before its token', async () => {
    const scene = makeLoginScene()
    const { local, session, tabSays, window } = scene.stage

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        tabSays({ type: 'signed-in' })
        yield* TestClock.adjust('1 second')
        expect(fiber.pollUnsafe()).toBeUndefined()
        local.set(sessionCookie, 'of the other tab')
        const session = { isAuthenticated: true, userId, email: ada.email }
        scene.shares(session)
        scene.says(session)
        yield* TestClock.adjust('200 millis')
        expect(yield* failureOf(fiber)).toEqual({ userId, needsWallet: false, missing: [] })
      }),
    )
    expect(window.isClosed).toBe(true)
    expect([...session.keys()]).toEqual([])
    expect(local.get(sessionCookie)).toBe('of the other tab')
  })

  describe('that a duplicate of the tab has finished', () => {
    /** The token and the device key of this login are those of all tabs, and its shares are acknowledged. */
    const finishes = ({ stage, shares, commits }: Scene, share: Share, sealed: string) => {
      stage.local.set(sessionCookie, 'of the duplicate')
      stage.local.set('@CAPSULE/tandem/device', sessionId)
      shares({ isAuthenticated: true, userId, email: ada.email })
      commits([share], sealed, [])
    }
    const expectShared = ({ stage }: Scene) => {
      expect([...stage.keys.keys()]).toEqual([sessionId])
      expect(stage.session.size).toBe(0)
      expect(stage.local.get(sessionCookie)).toBe('of the duplicate')
      expect(stage.times('logout')).toEqual([])
    }

    it('ends at once with its result', async () => {
      const scene = makeLoginScene()
      const share = scene.makeShare()
      const missing = [crypto.randomUUID()]

      await during(scene, (fiber) =>
        Effect.gen(function* () {
          finishes(scene, share, scene.seals([named(share)], { missing }))
          yield* TestClock.adjust('2 seconds')
          expect(fiber.pollUnsafe()).toBeDefined()
          expect(yield* failureOf(fiber)).toEqual({ userId, needsWallet: false, missing })
          const session = Option.getOrThrow(yield* (yield* SessionState).get)
          expect(session).toMatchObject({ isAuthenticated: true, missing })
        }),
      )
      expectShared(scene)
      expect(scene.stage.events).toHaveLength(1)
    })

    it('leaves its session and its device key to the tabs where it fails here', async () => {
      const scene = makeLoginScene()
      const share = scene.makeShare()

      await during(scene, (fiber) =>
        Effect.gen(function* () {
          finishes(scene, share, scene.seals([named(share)], { secret: randomBytes(32) }))
          scene.stage.session.set('@CAPSULE/tandem/session', 'of this tab')
          yield* TestClock.adjust('2 seconds')
          expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven' })
        }),
      )
      expectShared(scene)
    })
  })

  it('of another user in another tab takes precedence, also where its token becomes visible when this one is nearly done', async () => {
    const scene = makeLoginScene()
    const { local, events, session } = scene.stage
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.shares({ isAuthenticated: true, userId: 'bob', email: 'bob@example.com' })
        scene.onAcknowledgement(() => void local.set(sessionCookie, 'of bob'))
        scene.commits([share], scene.seals([named(share)]))
        yield* TestClock.adjust('2 seconds')
        expect(yield* failureOf(fiber)).toMatchObject({ message: 'another user is signed in, log out first' })
      }),
    )
    expect([local.get(sessionCookie), events, [...session.keys()]]).toEqual(['of bob', [], []])
  })

  it('shows no page and leaves the session alone where another user is signed in', async () => {
    const scene = makeLoginScene()
    const { local, window, times } = scene.stage
    local.set(sessionCookie, 'of bob')
    scene.says({ isAuthenticated: true, userId: 'bob', email: 'bob@example.com' })

    const error = await clocked(scene.stage.layer, Effect.flip(login(ada)))

    expect(error).toMatchObject({ _tag: 'OtherAccountSignedIn' })
    expect([window.url, window.isClosed, times('logout')]).toEqual(['', true, []])
    expect([...local]).toEqual([[sessionCookie, 'of bob']])
  })

  it('shows its page where the same user is signed in, and ends no session that another tab began meanwhile', async () => {
    const scene = makeLoginScene()
    const { local, window, times } = scene.stage
    const share = scene.makeShare()
    local.set(sessionCookie, 'of ada')
    scene.says({ isAuthenticated: true, userId, email: 'ADA@example.com' })

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        expect(window.url).toContain(portalOrigin)
        local.set(sessionCookie, 'of bob')
        scene.commits([share], scene.seals([named(share)]), [share], 'bob@example.com')
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OtherAccountSignedIn' })
      }),
    )
    expect([local.get(sessionCookie), times('logout'), window.isClosed]).toEqual(['of bob', [], true])
  })

  it('goes on where another tab says that a user is signed in and none is', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.stage.tabSays({ type: 'signed-in' })
        yield* TestClock.adjust('20 seconds')
        expect(fiber.pollUnsafe()).toBeUndefined()
        scene.commits([share], scene.seals([named(share)]))
        yield* TestClock.adjust('2 seconds')
        expect(yield* failureOf(fiber)).toMatchObject({ userId })
      }),
    )
  })

  it('does not take a session for this login that was signed in before', async () => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.says({ isAuthenticated: true, userId, needsWallet: true })
        yield* TestClock.adjust(20_000)
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* Fiber.interrupt(fiber)
      }),
    )
  })

  it('stores the shares before it deletes the keys that open them, then acknowledges, rotates the token and emits its event', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await completing(scene, share)

    const { story, session, calls, shares, keys } = scene.stage
    const after = story.slice(story.indexOf('share stored'))
    expect(after).toEqual(['share stored', 'deleteTemporaryShares', 'bans lifted', 'touchSession', 'event paraLogin'])
    expect(calls.at(-2)?.input).toEqual({ path: { userId }, query: { sessionLookupId: lookupId } })
    expect(calls.at(-1)?.input).toEqual({ query: { regenerate: 'true' } })
    expect([...session.keys()]).toEqual([])
    expect(shares.get(share.walletId)).toEqual({
      walletId: share.walletId,
      userId,
      address: share.address,
      shareText: share.shareText,
    })
    expect(keys.get(sessionId)?.record.certification?.rootPublicKey).toBe(bytesToHex(scene.rootPublicKey))
    expect(scene.stage.local.get('@CAPSULE/userId')).toBe(userId)
    expect(JSON.parse(scene.stage.local.get('@CAPSULE/currentWalletIds') ?? '')).toEqual({ EVM: [share.walletId] })
  })

  describe('on a device whose share is later than the delivered one, and has its capsule', () => {
    const none = new Uint8Array(0)
    const logInOver = async (rootsOf: (root: Uint8Array) => readonly [held: Uint8Array, delivered: Uint8Array]) => {
      const scene = makeLoginScene()
      const [heldRoot, root] = rootsOf(scene.rootPublicKey)
      const share = makeShare(root)
      const { shareText } = makeShare(heldRoot, share.walletId, 2)
      const held = { walletId: share.walletId, userId, address: share.address, shareText, capsule: randomBytes(4) }
      scene.stage.shares.set(share.walletId, held)
      await completing(scene, share)
      const kept = Redacted.value(scene.stage.shares.get(share.walletId)?.shareText ?? Redacted.make(''))
      return { isHeld: kept === Redacted.value(shareText), isDelivered: kept === Redacted.value(share.shareText) }
    }

    it.each([
      ['keeps its share under the same root key', 'isHeld', (root) => [root, root]],
      ['takes the share under the root key of a recovery', 'isDelivered', (root) => [randomBytes(32), root]],
      ['takes the share under the first root key', 'isDelivered', (root) => [none, root]],
    ] as const satisfies readonly [string, string, Parameters<typeof logInOver>[0]][])('%s', async (_, kept, roots) => {
      expect(await logInOver(roots)).toEqual({ isHeld: false, isDelivered: false, [kept]: true })
    })
  })

  it('is not failed by an acknowledgement that does not get through', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    scene.onAcknowledgement(connectionError)

    await completing(scene, share, 3_000)

    expect(scene.stage.times('deleteTemporaryShares')).toHaveLength(3)
    expect(scene.stage.events).toHaveLength(1)
  })

  it('that is given up after the shares arrived leaves no signed-in session to later calls', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    scene.onAcknowledgement(connectionError)

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.commits([share], scene.seals([named(share)]))
        yield* TestClock.adjust(2_000)
        expect(scene.stage.session.has('@CAPSULE/tandem/login')).toBe(true)
        yield* Fiber.interrupt(fiber)
      }),
    )

    expect([...scene.stage.session.keys()]).toEqual([])
    expect(scene.stage.shares.size).toBe(1)
    expect(scene.stage.events).toEqual([])
  })

  it('waits until the share count equals the wallet count', async () => {
    const scene = makeLoginScene()
    const [first, second] = [scene.makeShare(), scene.makeShare()]

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        const sealedResult = scene.seals([named(first), named(second)])
        scene.commits([first, second], sealedResult, [first])
        yield* TestClock.adjust(10_000)
        expect(fiber.pollUnsafe()).toBeUndefined()
        expect(scene.stage.shares.size).toBe(0)
        scene.commits([first, second], sealedResult)
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ userId })
      }),
    )
    expect(scene.stage.shares.size).toBe(2)
  })

  it('ends although one wallet has no backup for this credential, and names it', async () => {
    const scene = makeLoginScene()
    const [held, lost] = [scene.makeShare(), scene.makeShare()]

    const state = await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.commits([held], scene.seals([named(held)], { missing: [lost.walletId] }))
        scene.lists([held, lost])
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toEqual({ userId, needsWallet: false, missing: [lost.walletId] })
        return yield* Effect.flatMap(SessionState, ({ get }) => get)
      }),
    )

    expect(Option.getOrThrow(state).missing).toEqual([lost.walletId])
    expect([...scene.stage.shares.keys()]).toEqual([held.walletId])
  })

  it('continues after a reload from the point at which the shares were stored', async () => {
    const scene = makeLoginScene()
    scene.says({ isAuthenticated: true, userId, currentWalletIds: {} })
    scene.stage.session.set(loginPair, JSON.stringify({ v: 1, sessionId, ...storedKeys }))
    scene.stage.session.set('@CAPSULE/tandem/login', JSON.stringify({ userId, missing: [] }))

    const resumed = await clocked(scene.stage.layer, resumeLogin())

    expect(Option.getOrNull(resumed)).toEqual({ userId, needsWallet: false, missing: [] })
    const last = ['deleteTemporaryShares', 'bans lifted', 'touchSession', 'event paraLogin']
    expect(scene.stage.story.slice(-4)).toEqual(last)
    expect([...scene.stage.session.keys()]).toEqual([])
  })

  it('continues after a reload while the person is still at the page, with the same login pair', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    const secret = randomBytes(32)

    await clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        yield* touch(false)
        scene.stage.session.set(loginPair, JSON.stringify({ v: 1, sessionId, ...storedKeys }))
        scene.stage.session.set('@CAPSULE/tandem/opening', `${scene.openingId}.${bytesToHex(secret)}.hostSecret`)
        yield* Effect.flatMap(DeviceKeys, ({ create }) => create(sessionId))
        const fiber = yield* Effect.forkChild(resumeLogin())
        yield* TestClock.adjust(4_000)
        expect(fiber.pollUnsafe()).toBeUndefined()
        scene.commits([share], scene.seals([named(share)], { secret }))
        yield* TestClock.adjust(2_000)
        expect(Option.getOrNull(yield* Fiber.join(fiber))).toMatchObject({ userId })
      }),
    )

    expect(scene.stage.shares.size).toBe(1)
  })

  it('cannot be continued where no login was begun', async () => {
    const scene = makeLoginScene()

    const resumed = await clocked(scene.stage.layer, resumeLogin())

    expect(Option.isNone(resumed)).toBe(true)
  })
})

describe('a result that was replaced', () => {
  const other = makeLoginScene()
  const foreign = other.makeShare()

  type Swap = (scene: Scene) => void
  const one = (scene: Scene, change: (wallet: ResultWallet) => ResultWallet) => {
    const share = scene.makeShare()
    scene.commits([share], scene.seals([change(named(share))]))
  }
  const swaps: Record<string, Swap> = {
    'under a secret that the host did not give': (scene) => {
      const share = scene.makeShare()
      scene.commits([share], scene.seals([named(share)], { secret: randomBytes(32) }))
    },
    'of another user': (scene) => scene.commits([], scene.seals([], { userId: partnerId })),
    'with a certificate for another device': (scene) => {
      const share = scene.makeShare()
      scene.commits([share], scene.seals([named(share)], { deviceCertificate: '01' }))
    },
    'with another root key than the certificate’s': (scene) => {
      const share = scene.makeShare()
      scene.commits([share], scene.seals([named(share)], { rootPublicKey: bytesToHex(other.rootPublicKey) }))
    },
    'with a share in the place of the named one': (scene) => {
      const share = scene.makeShare()
      const swapped = scene.makeShare(share.walletId)
      scene.commits([share], scene.seals([named(share)]), [swapped])
    },
    'with a share of another wallet': (scene) => {
      const share = scene.makeShare()
      scene.commits([share], scene.seals([named(share)]), [{ ...foreign, walletId: share.walletId }])
    },
    'with a share that pins another root key': (scene) => {
      const share = makeShare(other.rootPublicKey)
      scene.commits([share], scene.seals([named(share)]))
    },
    'with a share that pins no root key': (scene) => {
      const share = makeShare(new Uint8Array(0))
      scene.commits([share], scene.seals([named(share)]))
    },
    'naming another share id': (scene) => one(scene, (wallet) => ({ ...wallet, shareId: '00'.repeat(32) })),
    'naming another public key': (scene) => one(scene, (wallet) => ({ ...wallet, publicKey: '02' + '00'.repeat(32) })),
    'naming another epoch': (scene) => one(scene, (wallet) => ({ ...wallet, epoch: 2 })),
    'naming another hash': (scene) => one(scene, (wallet) => ({ ...wallet, shareHash: '00'.repeat(32) })),
  }

  it.each(Object.entries(swaps))('%s: no share is stored, and the session is left', async (_, swap) => {
    const scene = makeLoginScene()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        swap(scene)
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven', message: 'opener not proven' })
      }),
    )

    const { shares, session, keys, window, events, story } = scene.stage
    expect([shares.size, session.size, keys.size, window.isClosed, events]).toEqual([0, 0, 0, true, []])
    expect(story).not.toContain('deleteTemporaryShares')
  })

  it('is left with the same error where the browser does not delete the device key', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    vi.spyOn(scene.stage.keys, 'delete').mockImplementation(() => {
      throw new Error('IndexedDB does not open')
    })

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.commits([share], scene.seals([named(share)], { secret: randomBytes(32) }))
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven' })
      }),
    )

    expect(scene.stage.session.size).toBe(0)
  })

  it.each<[string, (scene: Scene, held: Share) => Share]>([
    ['with another key', (scene, { walletId }) => scene.makeShare(walletId)],
    ['without a root key', (_, { walletId, address }) => ({ ...makeShare(new Uint8Array(0), walletId), address })],
  ])('%s, of a wallet that this device has: the share here stays', async (_, planted) => {
    const scene = makeLoginScene()
    const share = scene.makeShare()
    const held = { walletId: share.walletId, userId, address: share.address, shareText: share.shareText }
    scene.stage.shares.set(share.walletId, held)

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        const another = planted(scene, share)
        scene.commits([another], scene.seals([named(another)]))
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven' })
      }),
    )

    expect([...scene.stage.shares.values()]).toEqual([held])
    expect(scene.stage.events).toEqual([])
  })

  it('of another account than the one asked for is left', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.commits([share], scene.seals([named(share)]), [share], 'eve@example.com')
        yield* TestClock.adjust(2_000)
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven' })
      }),
    )
    expect([scene.stage.shares.size, scene.stage.keys.size]).toEqual([0, 0])
  })

  it('with an address that differs from the service’s is not taken', async () => {
    const scene = makeLoginScene()
    const share = scene.makeShare()

    await during(scene, (fiber) =>
      Effect.gen(function* () {
        scene.commits([{ ...share, address: foreign.address }], scene.seals([named(share)]))
        yield* TestClock.adjust('6 minutes')
        expect(yield* failureOf(fiber)).toMatchObject({ _tag: 'OpenerNotProven' })
      }),
    )
    expect(scene.stage.shares.size).toBe(0)
  })
})
