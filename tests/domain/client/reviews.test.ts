import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet } from '../../../domain/client/createWallet.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { Popup, PopupBlocked } from '../../../domain/client/ports/Popup.ts'
import { Progress, type Step } from '../../../domain/client/ports/Progress.ts'
import { awaitReview } from '../../../domain/client/review.ts'
import { settle } from '../../../domain/client/refreshKeys.ts'
import { SignatureHeld } from '../../../domain/client/runProtocol.ts'
import { signMessage } from '../../../domain/client/sign.ts'
import { sendTransaction } from '../../../domain/client/signEthereum.ts'
import * as OpenerMessages from '../../../domain/crypto/Opener.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { Success } from '../../../generated/handlers.ts'
import { clocked, makeHostStage, silence } from '../../kit/hostStage.ts'
import { lookupId, partnerId, portalOrigin, sessionId, userId } from '../../kit/loginScene.ts'
import { makeWalletWorld } from '../../kit/walletWorld.ts'

const pendingTransactionId = 'dd0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0d'
const denied = new ApiError({ message: 'not found', code: 'NotFound', status: 404 })
type Pending = Success<'getPendingTransaction'> | ApiError

const pendingOf = (changes: Partial<Success<'getPendingTransaction'>> = {}): Pending => ({
  id: pendingTransactionId,
  status: 'PENDING',
  expiresAt: 30_000,
  ...changes,
})

const message = utf8ToBytes('hello')

/** A host whose review is as `pending` says at each look. */
const makeReview = (pending: (look: number) => Pending) => {
  let looks = 0
  const steps: Step[] = []
  const stage = makeHostStage({
    touchSession: () => ({
      isAuthenticated: true,
      sessionId,
      sessionLookupId: lookupId,
      partnerId,
      userId,
      currentWalletIds: {},
      needsWallet: false,
      supportedWalletTypes: [{ type: 'EVM' }],
      serverTime: 0,
    }),
    getPartner: () => ({
      partner: { id: partnerId, displayName: 'Shop', policiesEnabled: true, supportedAuthMethods: ['PASSWORD'] },
    }),
    getPendingTransaction: () => pending(looks++),
    createOpeningTicket: () => ({ ticket: '11'.repeat(32) }),
  })
  const held = new SignatureHeld({ pendingTransactionId, heldAt: 0 })
  const waiting = awaitReview(held, { kind: 'SIGN_MESSAGE_REVIEW', timeoutMs: 30_000 }).pipe(
    Effect.provideService(Progress, (step) => void steps.push(step)),
  )
  /** How it ended by `until`, and when it was looked at. */
  const ends = (until = 60_000, change: (waited: typeof waiting) => typeof waiting = (waited) => waited) =>
    clocked(
      stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.result(change(waiting)))
        yield* TestClock.adjust(until)
        return yield* Fiber.join(fiber)
      }),
    )
  return { stage, steps, waiting, ends }
}

describe('a signature that is held for review', () => {
  it('opens the review page of this session, and is asked about every 2 s until it is accepted', async () => {
    const { stage, steps, ends } = makeReview((look) => pendingOf({ status: look < 3 ? 'PENDING' : 'ACCEPTED' }))

    const end = await ends()

    expect(end._tag).toBe('Success')
    expect(stage.times('getPendingTransaction')).toEqual([0, 0, 2_000, 4_000])
    expect(stage.story).toContain('open SIGN_MESSAGE_REVIEW')
    const url = new URL(stage.window.url)
    expect(url.pathname).toBe(`/web/users/${userId}/transaction-review/${pendingTransactionId}`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ sessionId, timeoutMs: '30000' })
    expect(steps).toEqual([
      { step: 'reviewing', transactionReviewUrl: stage.window.url, pendingTransactionId, by: 'user', isOpen: true },
    ])
  })

  it('was denied when it is gone', async () => {
    const { ends } = makeReview((look) => (look < 2 ? pendingOf() : denied))

    expect(await ends()).toMatchObject({ failure: { _tag: 'TransactionReviewDenied' } })
  })

  it('times out by this clock, with the page’s address and the id', async () => {
    const { stage, ends } = makeReview(() => pendingOf({ expiresAt: 600_000 }))

    const end = await ends()

    expect(end).toMatchObject({
      failure: { _tag: 'TransactionReviewTimeout', transactionReviewUrl: stage.window.url, pendingTransactionId },
    })
    expect(stage.times('getPendingTransaction').at(-1)).toBe(30_000)
  })

  it.each([
    [
      'at its end, where the service forgets it',
      20_000,
      (at: number) => (at < 20_000 ? pendingOf({ expiresAt: 20_000 }) : denied),
    ],
    ['at the end of this clock', 30_000, (at: number) => (at < 30_000 ? pendingOf({ expiresAt: 600_000 }) : denied)],
  ] as const)('is not called denied when it is gone %s', async (_, __, at) => {
    const review: ReturnType<typeof makeReview> = makeReview((look) => at(look === 0 ? 0 : (look - 1) * 2_000))

    expect(await review.ends()).toMatchObject({ failure: { _tag: 'TransactionReviewTimeout' } })
  })

  it('counts a decision that falls between the last look and the end', async () => {
    const { stage, ends } = makeReview((look) => pendingOf({ status: look < 16 ? 'PENDING' : 'ACCEPTED' }))

    expect((await ends())._tag).toBe('Success')
    expect(stage.times('getPendingTransaction')).toHaveLength(17)
  })

  it('is waited for without a network, until its time is over', async () => {
    const once = makeReview((look) => (look < 5 ? silence : pendingOf({ status: 'ACCEPTED' })))
    const always = makeReview(() => silence)
    const busy = new ApiError({ message: 'too many requests', status: 429 })
    const limited = makeReview((look) => (look < 5 ? busy : pendingOf({ status: 'ACCEPTED' })))

    expect((await once.ends())._tag).toBe('Success')
    expect(once.stage.story).toContain('open SIGN_MESSAGE_REVIEW')
    expect((await limited.ends())._tag).toBe('Success')
    expect(await always.ends()).toMatchObject({ failure: { _tag: 'TransactionReviewTimeout' } })
  })

  it('ends with the refusal of a session that is over', async () => {
    const over = new ApiError({ message: 'no signed in user', code: 'NoSignedInUser', status: 401 })
    const { stage, ends } = makeReview((look) => (look < 2 ? pendingOf() : over))

    expect(await ends()).toMatchObject({ failure: over })
    expect(stage.times('getPendingTransaction')).toHaveLength(3)
  })

  it('is not signed again where another window has used the acceptance', async () => {
    const { ends } = makeReview((look) => pendingOf({ status: look < 2 ? 'PENDING' : 'DONE' }))

    expect(await ends()).toMatchObject({ failure: { _tag: 'TransactionReviewUsed' } })
  })

  it('names the page where the browser opens no window, and waits for it all the same', async () => {
    const { stage, steps, ends } = makeReview((look) => pendingOf({ status: look < 3 ? 'PENDING' : 'ACCEPTED' }))

    const end = await ends(60_000, (waited) =>
      Effect.updateService(waited, Popup, (popups) => ({ ...popups, open: () => Effect.fail(new PopupBlocked({})) })),
    )

    expect(end._tag).toBe('Success')
    expect(stage.window.url).toBe('')
    expect(steps).toMatchObject([{ step: 'reviewing', isOpen: false }])
    expect(steps[0]).toHaveProperty('transactionReviewUrl', expect.stringContaining(pendingTransactionId))
  })

  it('opens no page for a review that the operator of the app decides', async () => {
    const { stage, steps, ends } = makeReview((look) =>
      pendingOf({ by: 'partner', status: look < 3 ? 'PENDING' : 'ACCEPTED' }),
    )

    expect((await ends())._tag).toBe('Success')
    expect(stage.story).not.toContain('open SIGN_MESSAGE_REVIEW')
    expect(steps).toMatchObject([{ by: 'partner', isOpen: false }])
  })

  it('goes on when its page is closed without a decision', async () => {
    const { stage, waiting } = makeReview((look) => pendingOf({ status: look < 8 ? 'PENDING' : 'ACCEPTED' }))

    const end = await clocked(
      stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.result(waiting))
        yield* TestClock.adjust(1_000)
        stage.window.isClosed = true
        yield* TestClock.adjust(29_000)
        return yield* Fiber.join(fiber)
      }),
    )

    expect(end._tag).toBe('Success')
  })

  it('is looked at as soon as its page says that it is done, and a cancelled one closes it', async () => {
    const { stage, waiting } = makeReview(() => pendingOf())
    const openingId = 'ee0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0e'

    await clocked(
      stage.layer,
      Effect.gen(function* () {
        yield* (yield* DeviceKeys).create(sessionId)
        const fiber = yield* Effect.forkChild(waiting)
        yield* TestClock.adjust(2_100)
        const handshake: OpenerMessages.Handshake = {
          v: 1,
          type: 'tandem.hello',
          openingId,
          sessionId,
          page: 'review',
          record: pendingTransactionId,
          nonce: '22'.repeat(32),
        }
        stage.says({ source: stage.popup, origin: portalOrigin, data: handshake })
        yield* TestClock.adjust(100)
        const done: OpenerMessages.Done = { v: 1, type: 'tandem.done', openingId, result: 'accepted' }
        stage.says({ source: stage.popup, origin: portalOrigin, data: done })
        yield* TestClock.adjust(100)
        expect(stage.times('getPendingTransaction').at(-1)).toBe(2_200)
        expect(stage.window.isClosed).toBe(false)
        yield* Fiber.interrupt(fiber)
      }),
    )

    expect(stage.window.isClosed).toBe(true)
    expect(stage.posted.map(({ message: said }) => (said as { type: string }).type)).toContain('tandem.bye')
  })
})

describe('signing what a policy holds', () => {
  type World = Awaited<ReturnType<typeof makeWalletWorld>>
  let world: World
  let walletId: string

  beforeAll(async () => {
    world = await makeWalletWorld()
    ;({ walletId } = await world.runtime.runPromise(createWallet({ type: 'EVM' })))
    await world.runtime.runPromise(signMessage({ walletId }, message))
    const partner = { id: partnerId, displayName: 'Shop', policiesEnabled: true, supportedAuthMethods: [] }
    world.answer('getPartner', () => ({ partner }))
  })
  afterAll(() => world.runtime.dispose())
  beforeEach(() => {
    world.cosigner.frames.length = 0
    world.popups.opened.length = 0
    world.events.length = 0
  })

  const heldAs = (id: string) => Frame.encodeHeld({ pendingTransactionId: id, contentHash: new Uint8Array(32) })
  const firsts = () => world.cosigner.frames.filter(({ step }) => step === 1)

  /** The co-signer holds until the review was accepted, and then as `later` says. */
  const holds = (accepted: () => boolean, later?: string) => {
    world.cosigner.between((exchange, { step }, say) =>
      step !== 1
        ? exchange()
        : !accepted()
          ? say('HELD', heldAs(pendingTransactionId))
          : later === undefined
            ? exchange()
            : say('HELD', heldAs(later)),
    )
  }

  it('signs once it is accepted: a new run, fresh nonces, one signature', async () => {
    let looks = 0
    holds(() => looks > 2)
    world.answer('getPendingTransaction', () =>
      pendingOf({ expiresAt: Number.MAX_SAFE_INTEGER, status: ++looks > 2 ? 'ACCEPTED' : 'PENDING' }),
    )

    const { signature } = await world.runtime.runPromise(signMessage({ walletId, timeoutMs: 90_000.4 }, message))

    expect(signature).toHaveLength(65)
    expect(world.cosigner.frames.map(({ step }) => step)).toEqual([1, 1, 2])
    const [one, two] = firsts()
    expect(one?.protocolId).not.toBe(two?.protocolId)
    expect(one?.body).not.toEqual(two?.body)
    expect(firsts().map(({ body }) => Frame.decodeSign(body)?.timeoutMs)).toEqual([90_000, 90_000])
    expect(world.popups.opened.map(({ kind }) => kind)).toEqual(['SIGN_MESSAGE_REVIEW'])
    expect(world.events).toEqual([{ name: 'paraSignMessage', data: { walletId } }])
  })

  it('fails with the review’s own error when it is denied, and tells the listeners', async () => {
    holds(() => false)
    world.answer('getPendingTransaction', () => {
      throw denied
    })

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error).toMatchObject({
      _tag: 'TransactionReviewDenied',
      message: 'transaction review has been denied by the user',
    })
    expect(firsts()).toHaveLength(1)
    expect(world.popups.opened).toEqual([])
  })

  it('asks for no second review of what was accepted and used', async () => {
    let looks = 0
    holds(() => looks > 0, 'ff0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0f')
    world.answer('getPendingTransaction', () =>
      pendingOf({ expiresAt: Number.MAX_SAFE_INTEGER, status: looks++ > 0 ? 'ACCEPTED' : 'PENDING' }),
    )

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error).toMatchObject({ _tag: 'TransactionReviewUsed' })
    expect(firsts()).toHaveLength(2)
    expect(world.popups.opened).toHaveLength(1)
  })

  it('sends nothing that is held: the error has the page’s address at once', async () => {
    holds(() => false)
    world.answer('getPendingTransaction', () => {
      throw new Error('a transaction to be sent is not waited for')
    })
    const transaction = Buffer.from(`02df0180010182520894${'00'.repeat(20)}0180c0`, 'hex')

    const error = await world.runtime.runPromise(
      Effect.flip(sendTransaction({ walletId }, { transaction, chainId: '1' })),
    )

    expect(error).toMatchObject({ _tag: 'TransactionReviewError', message: 'transaction review error' })
    expect(error).toHaveProperty(
      'transactionReviewUrl',
      expect.stringContaining(`/transaction-review/${pendingTransactionId}`),
    )
    expect(firsts()).toHaveLength(1)
  })

  it('keeps no other signature of the wallet waiting', async () => {
    const isOther = await Effect.runPromise(Deferred.make<void>())
    let isDone = false
    world.cosigner.between((exchange, { step, body }, say) => {
      const isHeld = step === 1 && !isDone && Frame.decodeSign(body)?.timeoutMs === 60_000
      return isHeld ? say('HELD', heldAs(pendingTransactionId)) : exchange()
    })
    world.answer('getPendingTransaction', () =>
      pendingOf({ expiresAt: Number.MAX_SAFE_INTEGER, status: isDone ? 'ACCEPTED' : 'PENDING' }),
    )

    const both = Effect.gen(function* () {
      const held = yield* Effect.forkChild(
        Effect.provideService(signMessage({ walletId, timeoutMs: 60_000 }, message), Progress, ({ step }) => {
          if (step === 'reviewing') Effect.runSync(Deferred.succeed(isOther, undefined))
        }),
      )
      yield* Deferred.await(isOther)
      const other = yield* signMessage({ walletId }, utf8ToBytes('another'))
      isDone = true
      return [other, yield* Fiber.join(held)]
    })
    const signed = await world.runtime.runPromise(both)

    expect(signed).toHaveLength(2)
  })

  it('is no reason to give up an old share: the check of a refresh that is held is not acknowledged', async () => {
    const operationsOf = () => world.cosigner.frames.map(({ operation }) => operation)
    const answers = (isHeld: boolean) => {
      world.cosigner.frames.length = 0
      world.cosigner.between((exchange, { operation, step }, say) => {
        if (operation === 'ACK') return say('OK')
        return isHeld && step === 1 ? say('HELD', heldAs(pendingTransactionId)) : exchange()
      })
    }

    answers(false)
    await world.runtime.runPromise(settle(walletId))
    expect(operationsOf()).toEqual(['SIGN', 'SIGN', 'ACK'])
    answers(true)
    expect(await world.runtime.runPromise(Effect.flip(settle(walletId)))).toMatchObject({ _tag: 'SignatureHeld' })
    expect(operationsOf()).toEqual(['SIGN'])
    expect(world.popups.opened).toEqual([])
  })

  it('takes an answer HELD that names no review, or to another frame, for an aborted run', async () => {
    world.cosigner.between((_exchange, _frame, say) => say('HELD', new Uint8Array(3)))

    const error = await world.runtime.runPromise(Effect.flip(signMessage({ walletId }, message)))

    expect(error).toMatchObject({ _tag: 'SigningFailed', cause: { _tag: 'ProtocolAborted' } })
  })
})
