/** The passkey pages as their components see them. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { describe, expect, it, vi } from 'vitest'
import { makePortal, type PortalState } from '../../../adapters/browser/portal.ts'
import { RsaWebCrypto } from '../../../adapters/browser/Rsa.ts'
import { makeStore } from '../../../adapters/browser/store.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Passkeys } from '../../../domain/client/ports/Passkeys.ts'
import { SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import type { OperationId } from '../../../generated/handlers.ts'
import { portalOrigin } from '../../kit/loginScene.ts'
import { makePasskeyDevice, noPasskeys } from '../../kit/passkeyDevice.ts'
import { makePageStage } from '../../kit/pageStage.ts'

const userId = '7f7c3a52-1d1e-4f0b-9d2c-0a4f3f2b1c01'
const passkeyId = '0c9a1f0e-2b3c-4d5e-8f90-a1b2c3d4e5f6'
const url = `${portalOrigin}/web/users/${userId}/biometrics/${passkeyId}?apiKey=k`

/** A page that had to ask; `isSilent` says which calls get no answer. */
const makeScene = async (
  passkeys: Layer.Layer<Passkeys>,
  isSilent: (operation: OperationId) => boolean = () => false,
) => {
  const stage = makePageStage({ url, opened: { mode: 'ask' } })
  const sent: { readonly operation: OperationId; readonly input: unknown }[] = []
  const answers: { readonly [Id in OperationId]?: unknown } = {
    createOpeningToken: {
      sessionLookupId: 'lookup',
      challenge: '55'.repeat(32),
      serverTime: 0,
      identity: { email: 'ada@example.com' },
    },
    listPasskeys: { keys: [] },
    createEncryptedWalletPrivateKey: { encryptedWalletPrivateKey: {} },
    updatePasskey: {},
  }
  const api = Layer.effect(
    Api,
    Effect.map(Api, ({ call }) => ({
      call: (operation, input, options) =>
        Effect.suspend(() => {
          sent.push({ operation, input })
          if (isSilent(operation)) return Effect.fail(connectionError())
          const answer = answers[operation]
          return answer === undefined ? call(operation, input, options) : Effect.succeed(answer as never)
        }),
    })),
  )
  const services = Layer.mergeAll(
    stage.layer,
    RsaWebCrypto,
    Layer.mock(SeededRsa, {}),
    passkeys,
    Layer.provide(api, stage.layer),
  )
  const portal = makePortal({ url, services, attention: makeStore(true) })
  const until = async <S extends PortalState['status']>(status: S) => {
    await vi.waitFor(() => expect(portal.get().status).toBe(status), { timeout: 10_000, interval: 5 })
    return portal.get() as Extract<PortalState, { readonly status: S }>
  }
  await until('asking')
  await portal.proceed()
  return { portal, sent, until, place: stage.place }
}

describe('the page that makes a passkey', () => {
  it('checks whether this device supports passkeys before it offers to make one', async () => {
    const [can, cannot] = [
      await makeScene(makePasskeyDevice().at(portalOrigin)),
      await makeScene(Layer.effect(Passkeys, Passkeys).pipe(Layer.provide(noPasskeys))),
    ]

    expect(await can.until('ready')).toMatchObject({
      page: 'create-passkey',
      account: 'ada@example.com',
      passkeys: true,
    })
    expect(await cannot.until('ready')).toMatchObject({ passkeys: false })
  })

  it('offers it again after a gesture that was cancelled', async () => {
    const device = makePasskeyDevice()
    device.decline()
    const { portal, until, sent } = await makeScene(device.at(portalOrigin))
    await until('ready')

    await portal.createPasskey()
    const again = await until('ready')
    await portal.createPasskey()

    expect(again.failure).toMatchObject({ code: 'PasskeyCancelled', retry: 'again' })
    expect((await until('done')).requester).toMatchObject({ app: 'Shop' })
    expect(sent.filter(({ operation }) => operation === 'updatePasskey')).toHaveLength(1)
  })

  it('sends what it made again after silence, and does not ask the device for another one', async () => {
    const device = makePasskeyDevice()
    let isOffline = true
    const isSilent = (operation: OperationId) => operation === 'updatePasskey' && isOffline
    const { portal, until, sent, place } = await makeScene(device.at(portalOrigin), isSilent)
    await until('ready')

    await portal.createPasskey()
    const again = await until('ready')
    isOffline = false
    await portal.createPasskey()
    await until('done')

    expect(again.failure).toMatchObject({ code: 'Offline', retry: 'again' })
    const commits = sent.filter(({ operation }) => operation === 'updatePasskey')
    const bodies = commits.map(({ input }) => JSON.stringify(input))
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies).size).toBe(1)
    expect(device.asked).toHaveLength(1)
    expect(device.forgotten).toEqual([])
    expect(place.isClosed).toBe(true)
  })

  it('does nothing before it was in view', async () => {
    const device = makePasskeyDevice()
    const attention = makeStore(true)
    const stage = makePageStage({ url, opened: { mode: 'ask' } })
    const services = Layer.mergeAll(stage.layer, RsaWebCrypto, Layer.mock(SeededRsa, {}), device.at(portalOrigin))
    const portal = makePortal({ url, services, attention })
    await vi.waitFor(() => expect(portal.get().status).toBe('asking'), { timeout: 10_000, interval: 5 })
    await portal.proceed()
    attention.set(false)

    await portal.createPasskey()

    expect(device.asked).toEqual([])
    expect(portal.get()).toMatchObject({ status: 'ready', failure: undefined })
    expect(stage.operations()).not.toContain('listPasskeys')
  })
})
