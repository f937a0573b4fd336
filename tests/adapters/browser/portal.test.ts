import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { makePortal, type PortalState } from '../../../adapters/browser/portal.ts'
import { begun, planOf } from '../../../adapters/browser/portal/work.ts'
import { RsaWebCrypto } from '../../../adapters/browser/Rsa.ts'
import { makeStore } from '../../../adapters/browser/store.ts'
import { Passkeys } from '../../../domain/client/ports/Passkeys.ts'
import { PasswordHash } from '../../../domain/client/ports/PasswordHash.ts'
import { type Rsa, SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import * as ApiError from '../../../domain/model/ApiError.ts'
import { hostOrigin, silence } from '../../kit/hostStage.ts'
import { partnerId, portalOrigin } from '../../kit/loginScene.ts'
import { loginAddress, makePageStage, until } from '../../kit/pageStage.ts'

const userId = '7f7c3a52-1d1e-4f0b-9d2c-0a4f3f2b1c01'
const passwordId = '0c9a1f0e-2b3c-4d5e-8f90-a1b2c3d4e5f6'
const createAddress = `${portalOrigin}/web/users/${userId}/passwords/${passwordId}?apiKey=k&portalAccentColor=%23336699`
const password = 'three cold spoons sing'

/** A page without its window. */
const makeScene = (
  options: NonNullable<Parameters<typeof makePageStage>[0]> & {
    readonly attentive?: boolean
    readonly asked?: boolean
    readonly rsa?: Layer.Layer<Rsa>
    /** Further fields of the token's answer. */
    readonly token?: object
  } = {},
) => {
  const url = options.url ?? loginAddress()
  const token = { sessionLookupId: 'lookup', challenge: '55'.repeat(32), serverTime: 0, ...options.token }
  const stage = makePageStage({
    ...options,
    opened: { ...(options.asked === true ? { mode: 'ask' as const } : {}), ...options.opened },
    answers: { createOpeningToken: [token], ...options.answers },
  })
  const services = Layer.mergeAll(
    stage.layer,
    options.rsa ?? Layer.empty,
    Layer.succeed(PasswordHash, {
      argon2id: ({ password }) => Effect.succeed(new Uint8Array(32).fill(password.length)),
    }),
    Layer.mock(Passkeys, { canCreate: Effect.succeed(true), canGet: Effect.succeed(true) }),
    Layer.mock(SeededRsa, {}),
  )
  const attention = makeStore(options.attentive ?? true)
  const portal = makePortal({ url, services, attention })
  const states: PortalState[] = [portal.get()]
  portal.subscribe(() => states.push(portal.get()))
  return {
    portal,
    stage,
    states,
    attention,
    until: <S extends PortalState['status']>(status: S) => until(portal, status),
    answer: stage.answer,
    /** The page's opener answers as the session's own host. */
    prove: stage.proves,
  }
}

const createScene = () => {
  const token = { pepper: '66'.repeat(32), identity: { email: 'ada@example.com' } }
  const scene = makeScene({ url: createAddress, asked: true, rsa: RsaWebCrypto, token })
  scene.answer('updatePassword', {})
  return scene
}

describe('a page of the portal', () => {
  it('is ready when its opener has proven itself, and shows app and origin as the service has them', async () => {
    const { prove, until, states } = makeScene()

    await prove()
    const ready = await until('ready')

    expect(ready.requester).toEqual({ app: 'Shop', origin: hostOrigin })
    expect(ready.page).toBe('login-password')
    expect(states.at(-2)).toMatchObject({ status: 'starting', requester: { app: 'Shop', origin: hostOrigin } })
  })

  it('stops after a wrong proof of its opener, without a second try', async () => {
    const { prove, until } = makeScene()

    await prove({ says: { unsealed: 'ff'.repeat(32) } })
    const { failure, requester } = await until('failed')

    expect(failure).toEqual({ code: 'OpenerNotProven', sentence: 'opener not proven', retry: 'none' })
    expect(requester).toEqual({ app: 'Shop', origin: hostOrigin })
  })

  it('stops when the key of its address is not the registered one, and sends no handshake', async () => {
    const { until, stage } = makeScene({ url: loginAddress('00') })

    const { failure, requester } = await until('failed')

    expect(failure).toEqual({ code: 'LoginKeyMismatch', sentence: 'login key mismatch', retry: 'none' })
    expect(requester).toEqual({ app: 'Shop', origin: hostOrigin })
    expect(stage.handshakes).toEqual([])
  })

  it('asks the person before anything is typed, and shows its return address, when it has no opener', async () => {
    const { portal, until, stage } = makeScene({ opener: false })

    const asking = await until('asking')
    await portal.proceed()
    await until('ready')

    expect(asking).toMatchObject({ why: 'redirect', requester: { app: 'Shop', origin: hostOrigin } })
    expect(stage.place.redirected).toBe('')
  })

  it('asks for a client that cannot prove itself, and has no token before the person said yes', async () => {
    const { portal, until, stage } = makeScene({ asked: true })

    expect((await until('asking')).why).toBe('ask')
    expect(stage.operations()).toEqual(['createOpening'])
    await portal.proceed()
    await until('ready')

    expect(stage.operations()).toEqual(['createOpening', 'createOpeningToken'])
  })

  it('says whether the account it shows is named by the link or by the service', async () => {
    const token = { identity: { email: 'ada@example.com' } }
    const claimed = makeScene({ asked: true, url: `${loginAddress()}&email=ada%40example.com` })
    const named = makeScene({ url: createAddress, opener: false, token })

    expect(await claimed.until('asking')).toMatchObject({ account: 'ada@example.com', named: 'link' })
    expect(await named.until('asking')).toMatchObject({ account: 'ada@example.com', named: 'service' })
  })

  it.each([
    ['a sentence', 'ada@example.com has won. Call us'],
    ['a line', 'ada@example.com\nGo on'],
    ['an override of the direction', 'moc.elpmaxe@\u202eada'],
    ['an isolate', '\u2067ada@example.com\u2069'],
    ['an invisible character', 'ada@\u200bexample.com'],
    ['more than an address has', `${'a'.repeat(243)}@example.com`],
  ])('shows no account that is %s', async (_, email) => {
    const { until } = makeScene({ asked: true, url: `${loginAddress()}&email=${encodeURIComponent(email)}` })

    expect((await until('asking')).account).toBeUndefined()
  })

  it('does not submit before it was in view', async () => {
    const scene = makeScene({ asked: true, attentive: false })
    await scene.until('asking')

    await scene.portal.proceed()
    expect(scene.portal.get().status).toBe('asking')
    scene.attention.set(true)
    await scene.portal.proceed()
    await scene.until('ready')
    scene.attention.set(false)
    await scene.portal.loginWithPassword(password)

    expect(scene.portal.get().status).toBe('ready')
    expect(scene.stage.operations()).toEqual(['createOpening', 'createOpeningToken'])
  })

  it('retries after a connection error, with the parameters that it read at first', async () => {
    const scene = makeScene({ asked: true, answers: { createOpening: [silence] } })

    const failed = await scene.until('failed')
    scene.answer('createOpening', scene.stage.opened)
    await scene.portal.retry()
    await scene.until('asking')

    expect(failed.failure).toEqual({ code: 'Offline', sentence: 'Connection error', retry: 'reopen' })
    expect(scene.stage.place.shown).toBe(`${portalOrigin}/web/passwords/login`)
  })

  it.each([
    ['LinkExpired', 410, 'link expired'],
    ['NoSignedInUser', 401, 'no signed-in user'],
  ])('is over when the service says %s', async (code, status, body) => {
    const scene = makeScene({ asked: true, answers: { createOpening: [ApiError.fromAnswer({ status, code, body })] } })

    expect((await scene.until('failed')).failure).toEqual({ code: 'LinkExpired', sentence: body, retry: 'none' })
    await scene.portal.retry()
    expect(scene.portal.get().status).toBe('failed')
  })

  it('does not show the text of a proxy that answers instead of the service', async () => {
    const body = '<html>502 Bad Gateway</html>'
    const scene = makeScene({ asked: true, answers: { createOpening: [ApiError.fromAnswer({ status: 502, body })] } })

    const { failure } = await scene.until('failed')

    expect(failure).toEqual({ code: 'Unavailable', sentence: 'status 502', retry: 'reopen' })
  })

  it.each(['/', '/web/passwords', '/web/users/a/on-ramp-transaction/b'])('does not exist at %s', (path) => {
    const { portal, stage } = makeScene({ url: portalOrigin + path })

    expect(portal.get()).toEqual({ status: 'unknown' })
    expect(stage.calls).toEqual([])
  })

  it('takes its theme from its address', () => {
    expect(makeScene({ url: createAddress }).portal.theme.accentColor).toBe('#336699')
    expect(makeScene({ url: createAddress }).portal.host).toBe(new URL(portalOrigin).host)
  })

  it('closes without a token when the person leaves', async () => {
    const scene = makeScene({ asked: true })
    await scene.until('asking')

    await scene.portal.leave()

    expect(scene.portal.get().status).toBe('left')
    expect(scene.stage.place.isClosed).toBe(true)
    expect(scene.stage.operations()).toEqual(['createOpening'])
  })

  it('goes back to the app when a page without opener is left, without a code', async () => {
    const scene = makeScene({ opener: false })
    await scene.until('asking')

    await scene.portal.leave()

    expect(scene.stage.place.redirected).toBe(`${hostOrigin}/back`)
  })
})

describe('the work of a page', () => {
  it('shows the steps one after another as they happen, and then that it is done', async () => {
    const scene = createScene()
    await scene.until('asking')
    await scene.portal.proceed()

    await scene.portal.createPassword(password)

    const working = scene.states.flatMap((state) => (state.status === 'working' ? [state.steps] : []))
    const underWay = working.map((steps) => steps.find(({ state }) => state === 'working')?.step)
    expect(underWay).toEqual([undefined, 'stretching', 'making-keys', 'wrapping', 'committing', 'telling'])
    expect(working.every(([first]) => first?.step === 'meeting' && first.state === 'done')).toBe(true)
    expect(scene.portal.get()).toMatchObject({ status: 'done', ends: 'closes', missing: 0, account: 'ada@example.com' })
    expect(scene.stage.place.isClosed).toBe(true)
  })

  it('repeats an unanswered request unchanged for the same password', async () => {
    const scene = createScene()
    scene.answer('updatePassword', silence, silence, silence, {})
    await scene.until('asking')
    await scene.portal.proceed()

    await scene.portal.createPassword(password)
    expect(scene.portal.get()).toMatchObject({ status: 'ready', failure: { code: 'Offline', retry: 'again' } })
    await scene.portal.createPassword(password)

    const bodies = scene.stage.inputs('updatePassword')
    expect(bodies).toHaveLength(4)
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(scene.portal.get().status).toBe('done')
  })

  it('derives new keys for another password', async () => {
    const scene = createScene()
    scene.answer('updatePassword', silence, silence, silence, {})
    await scene.until('asking')
    await scene.portal.proceed()

    await scene.portal.createPassword(password)
    await scene.portal.createPassword(`${password}!`)

    const bodies = scene.stage.inputs('updatePassword')
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(2)
  })

  it('says that a password is wrong only when the service says so', async () => {
    const scene = makeScene({ asked: true, opened: { partner: partner() } })
    const record = { id: passwordId, salt: '11'.repeat(16), status: 'COMPLETE' }
    scene.answer('listPasswords', { passwords: [record] })
    scene.answer('createOpeningToken', {
      sessionLookupId: 'lookup',
      challenge: '55'.repeat(32),
      serverTime: 0,
      identity: { email: 'ada@example.com' },
    })
    scene.answer(
      'verifyPassword',
      ApiError.fromAnswer({ status: 401, code: 'InvalidPassword', body: 'invalid password' }),
      ApiError.fromAnswer({ status: 429, code: 'TooManyAttempts', body: 'too many attempts' }),
      ApiError.fromAnswer({ status: 401, code: 'NoSignedInUser', body: 'no signed-in user' }),
    )
    await scene.until('asking')
    await scene.portal.proceed()

    await scene.portal.loginWithPassword(password)
    expect(scene.portal.get()).toMatchObject({ status: 'ready', failure: { code: 'InvalidPassword', retry: 'again' } })
    await scene.portal.loginWithPassword(password)
    expect(scene.portal.get()).toMatchObject({ status: 'ready', failure: { code: 'TooManyAttempts' } })
    await scene.portal.loginWithPassword(password)
    expect(scene.portal.get()).toMatchObject({ status: 'failed', failure: { code: 'LinkExpired', retry: 'none' } })
  })

  it('shows no secret in any of its states', async () => {
    const scene = createScene()
    await scene.until('asking')
    await scene.portal.proceed()

    await scene.portal.createPassword(password)

    const shown = JSON.stringify(scene.states)
    const secrets = [password, '44'.repeat(32), '55'.repeat(32), '66'.repeat(32)]
    for (const secret of secrets) expect(shown).not.toContain(secret)
  })
})

describe('the list of steps', () => {
  it('has those before the present one done, and those after it waiting', () => {
    const steps = begun(planOf('login-password'), 'unwrapping')

    expect(steps.map(({ state }) => state)).toEqual([
      'done',
      'done',
      'done',
      'working',
      'waiting',
      'waiting',
      'waiting',
      'waiting',
    ])
  })

  it('goes back when a step happens again, as after a second password', () => {
    const steps = begun(begun(planOf('login-password'), 'proving'), 'stretching')

    expect(steps.find(({ state }) => state === 'working')?.step).toBe('stretching')
    expect(steps.find(({ step }) => step === 'proving')?.state).toBe('waiting')
  })

  it('adds a step that was not planned, at the place where it happens', () => {
    const steps = begun(begun(planOf('create-passkey'), 'asking-passkey'), 'proving')

    expect(steps.map(({ step }) => step).slice(0, 4)).toEqual(['meeting', 'asking-passkey', 'proving', 'making-keys'])
    expect(steps[1]?.state).toBe('done')
    expect(steps[2]?.state).toBe('working')
  })
})

const partner = () => ({
  id: partnerId,
  displayName: 'Shop',
  policiesEnabled: false,
  supportedAuthMethods: ['PASSWORD' as const],
})
