import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Option from 'effect/Option'
import type * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { login } from '../../../domain/client/login.ts'
import { leave, type Begun } from '../../../domain/client/portal/portalSession.ts'
import { OpenerNotProven } from '../../../domain/client/OpenerNotProven.ts'
import * as RedirectSeal from '../../../domain/client/redirectSeal.ts'
import type { OpenPopup } from '../../../domain/client/ports/Popup.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as OpenerMessages from '../../../domain/crypto/Opener.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import { clocked, hostOrigin } from '../../kit/hostStage.ts'
import { makeLoginScene, pair, portalOrigin, sessionId } from '../../kit/loginScene.ts'
import { openPage } from '../../kit/pageFlows.ts'
import { loginAddress, makePageStage, openingId } from '../../kit/pageStage.ts'

const evil = 'https://evil.example'
const otherUuid = 'ffffffff-1f6e-4c1d-9a44-0d7d8c3b1a01'

describe('the host', () => {
  type Scene = ReturnType<typeof makeLoginScene>
  const stranger: OpenPopup = {
    navigate: () => Effect.void,
    close: Effect.void,
    closed: Effect.succeed(false),
    post: () => Effect.void,
  }

  /** A login that waits for its page, and the messages that reach the host's window meanwhile. */
  const hears = (scene: Scene, happens: () => void) =>
    clocked(
      scene.stage.layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(login({ kind: 'email', email: 'ada@example.com' }))
        yield* TestClock.adjust(0)
        happens()
        yield* TestClock.adjust(1)
        yield* Fiber.interrupt(fiber)
      }),
    )
  const answers = ({ stage }: Scene) =>
    stage.posted.filter(({ message }) => OpenerMessages.readAnswer(message) !== undefined)

  it('answers the page that it opened, with every proof', async () => {
    const scene = makeLoginScene()

    let keyText = ''
    await hears(scene, () => {
      scene.sendsHandshake()
      keyText = scene.stage.keys.get(sessionId)?.record.publicKey ?? ''
    })

    const [posted, ...others] = answers(scene)
    const answer = OpenerMessages.readAnswer(posted?.message)
    const message = DeviceKey.openerMessage({
      openingId: scene.openingId,
      sessionId,
      portalOrigin,
      page: 'login-password',
      nonce: hexToBytes('22'.repeat(32)),
      ticket: hexToBytes('11'.repeat(32)),
      loginKeyThumbprint: RsaKey.loginKeyThumbprint(pair.publicKey),
      hostSecret: hexToBytes(answer?.hostSecret ?? ''),
    })
    expect(others).toEqual([])
    expect(posted?.targetOrigin).toBe(portalOrigin)
    expect(answer).toMatchObject({ openingId: scene.openingId, ticket: '11'.repeat(32), unsealed: '33'.repeat(32) })
    expect(DeviceKey.verify(hexToBytes(keyText), message, hexToBytes(answer?.deviceSignature ?? ''))).toBe(true)
  })

  it('repeats its answer to a repeated handshake, and asks for a ticket once', async () => {
    const scene = makeLoginScene()

    await hears(scene, () => {
      scene.sendsHandshake()
      scene.sendsHandshake()
    })

    expect(new Set(answers(scene).map(({ message }) => JSON.stringify(message))).size).toBe(1)
    expect(scene.stage.times('createOpeningTicket')).toHaveLength(1)
  })

  const strangers: Record<string, (scene: Scene) => void> = {
    'from another origin in its own popup': ({ stage, handshake }) =>
      stage.says({ source: stage.popup, origin: evil, data: handshake() }),
    'from the portal in a window that it did not open': ({ stage, handshake }) =>
      stage.says({ source: undefined, origin: portalOrigin, data: handshake() }),
    'from the portal in another of its popups': ({ stage, handshake }) =>
      stage.says({ source: stranger, origin: portalOrigin, data: handshake() }),
    'for another session': ({ stage, handshake }) =>
      stage.says({ source: stage.popup, origin: portalOrigin, data: handshake({ sessionId: otherUuid }) }),
    'for another page': ({ stage, handshake }) =>
      stage.says({ source: stage.popup, origin: portalOrigin, data: handshake({ page: 'create-password' }) }),
    'for a record that is none of its': ({ stage, handshake }) =>
      stage.says({ source: stage.popup, origin: portalOrigin, data: handshake({ record: otherUuid }) }),
  }

  it.each(Object.entries(strangers))(
    'does not answer a handshake %s, and logs one warning',
    async (_, sendsHandshake) => {
      const scene = makeLoginScene()

      await hears(scene, () => sendsHandshake(scene))

      expect(scene.stage.posted).toEqual([])
      expect(scene.stage.times('createOpeningTicket')).toEqual([])
      expect(scene.stage.logs).toEqual(['a handshake that is not from the page of this session was not answered'])
    },
  )

  it('does not answer an opening twice when its nonce changed', async () => {
    const scene = makeLoginScene()

    await hears(scene, () => {
      scene.sendsHandshake()
      scene.stage.says({
        source: scene.stage.popup,
        origin: portalOrigin,
        data: scene.handshake({ nonce: '99'.repeat(32) }),
      })
    })

    expect(answers(scene)).toHaveLength(1)
    expect(scene.stage.logs).toHaveLength(1)
  })

  it.each([
    ['an unknown field', { extra: 1 }],
    ['another version', { v: 2 }],
    ['another type', { type: 'tandem.hullo' }],
    ['a short nonce', { nonce: '22' }],
  ])('drops a message with %s', async (_, changes) => {
    const scene = makeLoginScene()

    await hears(scene, () =>
      scene.stage.says({ source: scene.stage.popup, origin: portalOrigin, data: { ...scene.handshake(), ...changes } }),
    )

    expect([scene.stage.posted, scene.stage.logs]).toEqual([[], []])
  })

  it.each([
    ['another window', undefined, portalOrigin],
    ['another origin', 'popup', evil],
  ])('ignores a message from %s that the page is done', async (_, source, origin) => {
    const scene = makeLoginScene()

    await hears(scene, () => {
      scene.sendsHandshake()
      const data = { v: 1, type: 'tandem.done', openingId: scene.openingId, result: 'login' }
      scene.stage.says({ source: source === undefined ? undefined : scene.stage.popup, origin, data })
    })

    expect(answers(scene)).toHaveLength(1)
    expect(scene.stage.times('touchSession')).toHaveLength(2)
  })
})

describe('a page of the portal', () => {
  type Stage = ReturnType<typeof makePageStage>
  type Begins = Exit.Exit<Begun, unknown>

  /** Begins the page; `happens` is called after its first handshake message. */
  const begins = (stage: Stage, happens: (handshake: OpenerMessages.Handshake) => void = () => undefined) =>
    clocked(
      stage.layer,
      Effect.scoped(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(openPage())
          yield* TestClock.adjust(0)
          const answered = stage.handshakes[0]?.handshake
          if (answered !== undefined) happens(answered)
          yield* TestClock.adjust('5 seconds')
          return (yield* Fiber.await(fiber)) satisfies Begins
        }),
      ),
    )
  const errorOf = (exit: Begins) => (Exit.isFailure(exit) ? Option.getOrNull(Exit.findErrorOption(exit)) : undefined)
  const tokenBody = ({ calls }: Stage) => calls.find(({ operation }) => operation === 'createOpeningToken')?.input

  it('enters with the ticket of the opener that proves itself', async () => {
    const stage = makePageStage()

    const exit = await begins(stage, (handshake) => stage.says({ data: stage.answerTo(handshake) }))

    expect(Exit.isSuccess(exit) && exit.value).toMatchObject({
      kind: 'entered',
      portalSession: { recipient: pair.publicKey, hostOrigin, admission: { kind: 'opener' } },
    })
    expect(tokenBody(stage)).toEqual({
      path: { openingId },
      body: { openingSecret: '44'.repeat(32), ticket: '01'.repeat(32) },
    })
    expect(stage.place.shown).toBe(`${portalOrigin}/web/passwords/login`)
  })

  it('greets its registered origin alone, every 250 ms for 5 s', async () => {
    const stage = makePageStage()

    await begins(stage)

    expect(stage.handshakes.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, index) => 250 * index))
    expect(new Set(stage.said.map(({ targetOrigin }) => targetOrigin))).toEqual(new Set([hostOrigin]))
    expect(new Set(stage.handshakes.map(({ handshake }) => handshake.nonce)).size).toBe(1)
  })

  const silent: Record<string, (stage: Stage, handshake: OpenerMessages.Handshake) => void> = {
    'from another origin': (stage, handshake) => stage.says({ origin: evil, data: stage.answerTo(handshake) }),
    'from another window than its opener': (stage, handshake) =>
      stage.says({ fromOpener: false, data: stage.answerTo(handshake) }),
    'to another opening': (stage, handshake) =>
      stage.says({ data: stage.answerTo(handshake, { says: { openingId: otherUuid }, as: { openingId: otherUuid } }) }),
    'with an unknown field': (stage, handshake) =>
      stage.says({ data: stage.answerTo(handshake, { says: { extra: 1 } }) }),
    'of another version': (stage, handshake) => stage.says({ data: stage.answerTo(handshake, { says: { v: 2 } }) }),
  }

  it.each(Object.entries(silent))('ignores an answer %s', async (_, answers) => {
    const stage = makePageStage()

    await begins(stage, (handshake) => answers(stage, handshake))

    expect(stage.handshakes).toHaveLength(20)
    expect(tokenBody(stage)).toMatchObject({ body: { redirect: true } })
    expect(JSON.stringify(tokenBody(stage))).not.toContain('ticket')
  })

  const wrong: Record<string, (stage: Stage, handshake: OpenerMessages.Handshake) => object> = {
    'that was given to another handshake': (stage, handshake) =>
      stage.answerTo(handshake, { as: { nonce: new Uint8Array(32).fill(7) } }),
    'that is signed by another session’s device': (stage, handshake) =>
      stage.answerTo(handshake, { by: p256.utils.randomSecretKey() }),
    'that was signed for another session': (stage, handshake) =>
      stage.answerTo(handshake, { as: { sessionId: otherUuid } }),
    'that was signed for another page': (stage, handshake) =>
      stage.answerTo(handshake, { as: { page: 'create-password' } }),
    'that was signed for another record': (stage, handshake) =>
      stage.answerTo(handshake, { as: { record: otherUuid } }),
    'that was signed for another portal': (stage, handshake) =>
      stage.answerTo(handshake, { as: { portalOrigin: evil } }),
    'that was signed for another login key': (stage, handshake) =>
      stage.answerTo(handshake, { as: { loginKeyThumbprint: new Uint8Array(32).fill(7) } }),
    'of a host without the login key': (stage, handshake) =>
      stage.answerTo(handshake, { says: { unsealed: '77'.repeat(32) } }),
    'that leaves the nonce sealed': (stage, handshake) => stage.answerTo(handshake, { says: { unsealed: undefined } }),
    'with another ticket than the signed one': (stage, handshake) =>
      stage.answerTo(handshake, { says: { ticket: '77'.repeat(32) } }),
    'with another secret than the signed one': (stage, handshake) =>
      stage.answerTo(handshake, { says: { hostSecret: '77'.repeat(32) } }),
    'with a recovery key that is not signed': (stage, handshake) =>
      stage.answerTo(handshake, { says: { recoveryPublicKey: '77'.repeat(64) } }),
  }

  it.each(Object.entries(wrong))('stops at an answer %s, reports it, and asks for no token', async (_, answer) => {
    const stage = makePageStage()

    const exit = await begins(stage, (handshake) => {
      stage.says({ data: answer(stage, handshake) })
      stage.says({ data: stage.answerTo(handshake) })
    })

    expect(errorOf(exit)).toBeInstanceOf(OpenerNotProven)
    expect(stage.operations()).not.toContain('createOpeningToken')
    expect(stage.calls.filter(({ operation }) => operation === 'closeOpening').map(({ input }) => input)).toEqual([
      { path: { openingId }, body: { openingSecret: '44'.repeat(32), reason: 'opener-mismatch' } },
    ])
    expect(stage.handshakes).toHaveLength(1)
  })

  it('sends no handshake when the key of its address is not the registered one', async () => {
    const stage = makePageStage({ url: loginAddress('00') })

    const exit = await begins(stage)

    expect(errorOf(exit)).toMatchObject({ _tag: 'LoginKeyMismatch', message: 'login key mismatch' })
    expect(stage.operations()).toEqual(['createOpening'])
    expect(stage.said).toEqual([])
  })

  it('sends a heartbeat every 5 s, and a message when it closes', async () => {
    const stage = makePageStage()

    await clocked(
      stage.layer,
      Effect.scoped(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(openPage(), { startImmediately: true })
          yield* TestClock.adjust(0)
          const handshake = stage.handshakes[0]?.handshake
          if (handshake !== undefined) stage.says({ data: stage.answerTo(handshake) })
          yield* TestClock.adjust('15 seconds')
          yield* Fiber.join(fiber)
          stage.hides()
          yield* TestClock.adjust(0)
        }),
      ),
    )

    const heartbeats = stage.calls.filter(({ operation }) => operation === 'beatOpening')
    expect(heartbeats.map(({ at }) => at)).toEqual([5_000, 10_000, 15_000])
    expect(stage.operations().at(-1)).toBe('closeOpening')
  })

  it('closes when the host gives up', async () => {
    const stage = makePageStage()

    await begins(stage, (handshake) => {
      stage.says({ data: stage.answerTo(handshake) })
      stage.says({ data: { v: 1, type: 'tandem.bye', openingId } })
    })

    expect(stage.place.isClosed).toBe(true)
  })

  const closes: Record<string, Parameters<Stage['says']>[0]> = {
    'from another window': { fromOpener: false },
    'from another origin in its opener': { origin: evil },
    'for another opening': { data: { v: 1, type: 'tandem.bye', openingId: otherUuid } },
  }

  it.each(Object.entries(closes))(
    'stays open after a close message %s, and closes after the one of its host',
    async (_, other) => {
      const stage = makePageStage()
      const close = { data: { v: 1, type: 'tandem.bye', openingId } }

      const closed = await clocked(
        stage.layer,
        entered(stage, () =>
          Effect.gen(function* () {
            const seen: boolean[] = []
            for (const message of [{ ...close, ...other }, close]) {
              stage.says(message)
              yield* TestClock.adjust(1)
              seen.push(stage.place.isClosed)
            }
            return seen
          }),
        ),
      )

      expect(closed).toEqual([false, true])
    },
  )

  it('signs another challenge each time', async () => {
    const stage = makePageStage()

    const challenges = await clocked(
      stage.layer,
      entered(stage, ({ challenge }) => Effect.all([challenge, challenge])),
    )

    const another = new TextEncoder().encode('another challenge')
    expect(challenges.map(bytesToHex)).toEqual(['55'.repeat(32), bytesToHex(another)])
  })

  describe('without an opener', () => {
    it('returns to the registered address with a code that the service never saw', async () => {
      const stage = makePageStage({ opener: false })

      await clocked(
        stage.layer,
        entered(stage, (portalSession) => leave(portalSession, 'login', undefined)),
      )

      const form = /^https:\/\/shop\.example\/back#tandem=[0-9a-f-]{36}\.([0-9a-f]{64})$/
      const [, code = ''] = form.exec(stage.place.redirected) ?? []
      const redeemHash = bytesToHex(OpenerMessages.redeemHash(OpenerMessages.redeemProof(hexToBytes(code))))
      expect(tokenBody(stage)).toEqual({
        path: { openingId },
        body: { openingSecret: '44'.repeat(32), redirect: true, redeemHash },
      })
      expect(JSON.stringify(stage.calls)).not.toContain(code)
      expect(stage.said).toEqual([])
    })

    it.each([
      ['no address is registered', undefined as never],
      ['the address is of another origin', `${evil}/back`],
    ])('stops where %s', async (_, returnUrl) => {
      const stage = makePageStage({ opener: false, opened: { returnUrl } })

      const exit = await begins(stage)

      expect(errorOf(exit)).toBeInstanceOf(OpenerNotProven)
      expect(stage.operations()).not.toContain('createOpeningToken')
    })
  })

  describe('of a client without a device key', () => {
    const opened = { mode: 'ask', devicePublicKey: undefined as never, loginPublicKey: undefined as never } as const

    it('asks the person before it has a token', async () => {
      const stage = makePageStage({ opened })

      const exit = await begins(stage)

      expect(Exit.isSuccess(exit) && exit.value).toMatchObject({ kind: 'ask' })
      expect(stage.operations()).not.toContain('createOpeningToken')
      expect(stage.said).toEqual([])
    })

    it('binds the key of its address once the person has agreed, and sends its result to no window', async () => {
      const stage = makePageStage({ opened })

      await clocked(
        stage.layer,
        Effect.scoped(
          Effect.gen(function* () {
            const begun = yield* openPage()
            const portalSession = begun.kind === 'ask' ? yield* begun.proceed : begun.portalSession
            yield* leave(portalSession, 'login', 'v2.abc')
            return portalSession
          }),
        ),
      )

      expect(tokenBody(stage)).toEqual({
        path: { openingId },
        body: { openingSecret: '44'.repeat(32), asked: true, loginPublicKey: pair.publicKey },
      })
      expect([stage.said, stage.place.isClosed, stage.place.redirected]).toEqual([[], true, ''])
    })
  })

  /** What a page does once it has its token. */
  const entered = <A, E, R>(
    stage: Stage,
    works: (portalSession: Extract<Begun, { kind: 'entered' }>['portalSession']) => Effect.Effect<A, E, R>,
  ) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkScoped(openPage())
      yield* TestClock.adjust(0)
      const handshake = stage.handshakes[0]?.handshake
      if (handshake !== undefined) stage.says({ data: stage.answerTo(handshake) })
      const begun = yield* Fiber.join(fiber)
      if (begun.kind !== 'entered') throw new Error('this page asks first')
      return yield* works(begun.portalSession)
    }).pipe(Effect.scoped) as Effect.Effect<A, unknown, Exclude<R, Scope.Scope>>
})

describe('a share of the redirect variant', () => {
  const place = { code: new Uint8Array(32).fill(1), openingId, walletId: otherUuid }
  const sealed = RedirectSeal.seal(place, 'c0ffee', new Uint8Array(12))

  it('opens under its code', () => {
    expect(RedirectSeal.open(place, sealed)).toMatchObject({ success: 'c0ffee' })
  })

  it.each([
    ['another code', { ...place, code: new Uint8Array(32).fill(2) }],
    ['another opening', { ...place, openingId: otherUuid }],
    ['another wallet', { ...place, walletId: openingId }],
  ])('does not open under %s', (_, other) => {
    expect(RedirectSeal.open(other, sealed)).toMatchObject({ failure: { _tag: 'SealBroken' } })
  })
})
