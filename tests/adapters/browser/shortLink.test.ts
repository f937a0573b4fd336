import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { makeShortLink, type ShortLinkPage, type ShortLinkStatus } from '../../../adapters/browser/portal/shortLink.ts'
import { makeStore } from '../../../adapters/browser/store.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'

const url = `http://portal.localhost:3003/short/id#${'0b'.repeat(32)}`
const target = 'http://portal.localhost:3003/web/passwords/login?email=a%40b.c'

const message = Ecies.seal({
  publicKey: RecoverySecret.publicKeyOf(new Uint8Array(32).fill(0x0b)),
  plaintext: target,
  ephemeralSecret: new Uint8Array(32).fill(7),
  iv: new Uint8Array(16),
})

type Answer = Effect.Effect<{ readonly message: string }, ApiError>

const makeScene = (address: string, ...answers: readonly Answer[]) => {
  const rest = [...answers]
  let calls = 0
  const visited: string[] = []
  const attention = makeStore(true)
  const services = Layer.mergeAll(
    Layer.succeed(Api, {
      call: () => {
        calls += 1
        return rest.shift() ?? Effect.never
      },
    } as unknown as Api['Service']),
    Layer.succeed(Navigation, {
      redirect: (to: string) => Effect.sync(() => void visited.push(to)),
    } as unknown as Navigation['Service']),
  )
  return { page: makeShortLink({ url: address, services, attention }), attention, visited, calls: () => calls }
}

const opened = (address: string, ...answers: readonly Answer[]) => {
  const scene = makeScene(address, ...answers)
  if (scene.page === undefined) throw new Error('this is no short link')
  const seen: ShortLinkStatus[] = []
  const page: ShortLinkPage = scene.page
  page.subscribe(() => seen.push(page.get()))
  return { ...scene, page, seen }
}

describe('the page of a short link', () => {
  it('uses the link up when the person says so, not when it is shown', async () => {
    const { page, attention, calls, seen, visited } = opened(url, Effect.succeed({ message }))

    expect([page.get(), page.host, calls()]).toEqual(['ready', 'portal.localhost:3003', 0])
    attention.set(false)
    await page.open()
    expect(calls()).toBe(0)
    attention.set(true)
    await Promise.all([page.open(), page.open()])
    expect([calls(), visited, seen]).toEqual([1, [target], ['opening', 'leaving']])
    await page.open()
    expect(calls()).toBe(1)
  })

  it.each<[string, Answer, ShortLinkStatus]>([
    ['used, or too old', Effect.fail(new ApiError({ status: 404, message: 'not found' })), 'gone'],
    ['not for this page', Effect.fail(new ApiError({ status: 403, message: 'origin not allowed' })), 'refused'],
    ['not to be read', Effect.succeed({ message: 'AAAA' }), 'refused'],
    ['not reached', Effect.fail(new ApiError({ message: 'Connection error' })), 'unreachable'],
    ['asked too often', Effect.fail(new ApiError({ status: 429, message: 'too many attempts' })), 'unreachable'],
    ['not answered', Effect.fail(new ApiError({ status: 503, message: 'service unavailable' })), 'unreachable'],
  ])('shows the state of a link that is %s', async (_, answer, status) => {
    const { page, visited } = opened(url, answer)

    await page.open()

    expect([page.get(), visited]).toEqual([status, []])
  })

  it('tries again after no answer, and never after a refusal', async () => {
    const lost = opened(url, Effect.fail(new ApiError({ message: 'Connection error' })), Effect.succeed({ message }))
    await lost.page.open()
    await lost.page.open()
    expect([lost.page.get(), lost.visited]).toEqual(['leaving', [target]])

    const gone = opened(
      url,
      Effect.fail(new ApiError({ status: 404, message: 'not found' })),
      Effect.succeed({ message }),
    )
    await gone.page.open()
    await gone.page.open()
    expect([gone.page.get(), gone.calls()]).toEqual(['gone', 1])
  })

  it('refuses an incomplete link without a call, and handles short links only', () => {
    expect(opened('http://portal.localhost:3003/short/id').page.get()).toBe('refused')
    expect(makeScene(target).page).toBeUndefined()
  })
})
