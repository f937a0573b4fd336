/** The passkey pages as their components see them. */
import * as Layer from 'effect/Layer'
import { describe, expect, it } from 'vitest'
import { makePortal } from '../../../adapters/browser/portal.ts'
import { RsaWebCrypto } from '../../../adapters/browser/Rsa.ts'
import { makeStore } from '../../../adapters/browser/store.ts'
import { Passkeys } from '../../../domain/client/ports/Passkeys.ts'
import { SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import { silence } from '../../kit/hostStage.ts'
import { portalOrigin } from '../../kit/loginScene.ts'
import { makePasskeyDevice, noPasskeys } from '../../kit/passkeyDevice.ts'
import { makePageStage, until } from '../../kit/pageStage.ts'

const userId = '7f7c3a52-1d1e-4f0b-9d2c-0a4f3f2b1c01'
const passkeyId = '0c9a1f0e-2b3c-4d5e-8f90-a1b2c3d4e5f6'
const url = `${portalOrigin}/web/users/${userId}/biometrics/${passkeyId}?apiKey=k`

/** A page that had to ask. `updatePasskey`: what the service answers to it. */
const makeScene = async (passkeys: Layer.Layer<Passkeys>, updatePasskey: () => unknown = () => ({})) => {
  const stage = makePageStage({
    url,
    opened: { mode: 'ask' },
    answers: {
      createOpeningToken: [
        {
          sessionLookupId: 'lookup',
          challenge: '55'.repeat(32),
          serverTime: 0,
          identity: { email: 'ada@example.com' },
        },
      ],
      listPasskeys: [{ keys: [] }],
      createEncryptedWalletPrivateKey: [{ encryptedWalletPrivateKey: {} }],
      updatePasskey: [updatePasskey],
    },
  })
  const services = Layer.mergeAll(stage.layer, RsaWebCrypto, Layer.mock(SeededRsa, {}), passkeys)
  const portal = makePortal({ url, services, attention: makeStore(true) })
  await until(portal, 'asking')
  await portal.proceed()
  return { portal, stage }
}

describe('the page that makes a passkey', () => {
  it('checks whether this device supports passkeys before it offers to make one', async () => {
    const [can, cannot] = [
      await makeScene(makePasskeyDevice().at(portalOrigin)),
      await makeScene(Layer.effect(Passkeys, Passkeys).pipe(Layer.provide(noPasskeys))),
    ]

    expect(await until(can.portal, 'ready')).toMatchObject({
      page: 'create-passkey',
      account: 'ada@example.com',
      passkeys: true,
    })
    expect(await until(cannot.portal, 'ready')).toMatchObject({ passkeys: false })
  })

  it('offers it again after a gesture that was cancelled', async () => {
    const device = makePasskeyDevice()
    device.decline()
    const { portal, stage } = await makeScene(device.at(portalOrigin))
    await until(portal, 'ready')

    await portal.createPasskey()
    const again = await until(portal, 'ready')
    await portal.createPasskey()

    expect(again.failure).toMatchObject({ code: 'PasskeyCancelled', retry: 'again' })
    expect((await until(portal, 'done')).requester).toMatchObject({ app: 'Shop' })
    expect(stage.inputs('updatePasskey')).toHaveLength(1)
  })

  it('sends what it made again after silence, and does not ask the device for another one', async () => {
    const device = makePasskeyDevice()
    let isOffline = true
    const { portal, stage } = await makeScene(device.at(portalOrigin), () => (isOffline ? silence : {}))
    await until(portal, 'ready')

    await portal.createPasskey()
    const again = await until(portal, 'ready')
    isOffline = false
    await portal.createPasskey()
    await until(portal, 'done')

    expect(again.failure).toMatchObject({ code: 'Offline', retry: 'again' })
    const bodies = stage.inputs('updatePasskey').map((input) => JSON.stringify(input))
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies).size).toBe(1)
    expect(device.asked).toHaveLength(1)
    expect(device.forgotten).toEqual([])
    expect(stage.place.isClosed).toBe(true)
  })

  it('does nothing before it was in view', async () => {
    const device = makePasskeyDevice()
    const attention = makeStore(true)
    const stage = makePageStage({ url, opened: { mode: 'ask' } })
    const services = Layer.mergeAll(stage.layer, RsaWebCrypto, Layer.mock(SeededRsa, {}), device.at(portalOrigin))
    const portal = makePortal({ url, services, attention })
    await until(portal, 'asking')
    await portal.proceed()
    attention.set(false)

    await portal.createPasskey()

    expect(device.asked).toEqual([])
    expect(portal.get()).toMatchObject({ status: 'ready', failure: undefined })
    expect(stage.operations()).not.toContain('listPasskeys')
  })
})
