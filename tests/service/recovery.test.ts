/**
 * The service is killed at the end of a recovery: either everything is as before or everything is new, and the page that is
 * opened again finishes it. At no time is there a wallet that neither the old nor the new credential opens.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWith } from '../kit/portalPlayer.ts'
import { makePlace, usualDatabases } from '../kit/database.ts'
import type { DatabasePlace } from '../kit/databasePlace.ts'
import { casesOf } from '../kit/long.ts'
import { connect, openRecovery } from '../kit/recoverer.ts'
import { startServiceProcess, type ServiceProcess } from '../kit/serviceProcess.ts'
import { logIn, newPassword, signUp, type Device, type Person, type Place } from './people.ts'

const message = 'after a power cut'
const types = { EVM: true, SOLANA: true } as const

describe.each(usualDatabases)(
  'a service on %s that is killed at the end of a recovery',
  { timeout: 240_000 },
  (database) => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-recovery-'))
    let service: ServiceProcess
    let apiKey: string
    let databasePlace: DatabasePlace

    beforeAll(async () => {
      databasePlace = await makePlace(database, folder)
      service = await startServiceProcess(folder, databasePlace)
      apiKey = service.partner.apiKey
    })

    afterAll(async () => {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Where the service is now; its pages have the origin that it is configured with. */
    const place = (): Place => ({
      mailbox: service.mailbox,
      addresses: { ...service.addresses, connect },
      partner: { ...service.partner, apiKey },
    })

    const expectSignature = async (device: Device, addresses: readonly (string | null | undefined)[]) => {
      const wallets = await device.getWallets()
      expect(wallets.map(({ address }) => address).sort()).toEqual(addresses)
      const evm = wallets.find(({ type }) => type === 'EVM')?.id ?? ''
      const { address, ethereumSignature: signature = '0x' } = await device.signMessage({ walletId: evm, message })
      expect(await verifyMessage({ address: address as `0x${string}`, message, signature })).toBe(true)
    }

    /** The app learns only that the person closed the window; the window said why. */
    const expectInvalid = async ({ email, password }: Pick<Person, 'email' | 'password'>) => {
      const said: unknown[] = []
      const play = Effect.tapError(personWith(password), (error) => Effect.sync(() => said.push(error)))
      await expect(logIn(place(), { email, password }, { types, play })).rejects.toMatchObject({ _tag: 'PopupClosed' })
      expect(said).toMatchObject([{ _tag: 'InvalidPassword', message: 'invalid password' }])
    }

    const codeOf = async (email: string) =>
      (await service.mailbox(email)).findLast(({ code }) => code !== undefined)?.code ?? ''

    // Of the two wallets the second ends the recovery.
    const kills = [
      ['before', 2, 'old'],
      ['within', 2, 'old'],
      ['after', 2, 'new'],
    ] as const
    it.each(casesOf(kills, ([where]) => where === 'within'))(
      '%s the last commit of %i: the %s state is in effect, and the page continues',
      async (where, nth, storedState) => {
        const ada = await signUp(place(), { types })
        const addresses = (await ada.device.getWallets()).map(({ address }) => address).sort()
        const password = newPassword()
        const page = openRecovery(place(), { password, email: ada.email })
        await page.until('email')
        await page.submitEmail(ada.email)
        await page.until('code')
        await page.submitCode(await codeOf(ada.email))
        await page.until('secret')
        await page.submitSecret(ada.recoverySecret ?? '')
        await page.until('credential')

        await service.killAt(`recovery.finish.${where}`, nth)
        void page.setUp('PASSWORD')
        await page.until('stopped')
        expect(await service.hasDied()).toBe(true)
        await page.close()
        service = await startServiceProcess(folder, databasePlace)

        const [good, bad] = storedState === 'old' ? [ada.password, password] : [password, ada.password]
        await expectSignature(await logIn(place(), { email: ada.email, password: good }, { types }), addresses)
        await expectInvalid({ email: ada.email, password: bad })

        const again = openRecovery(place(), { password, storage: page.storage })
        expect(await again.until('secret-made')).toMatchObject({ isCertain: true })
        await again.close()
        await expectSignature(await logIn(place(), { email: ada.email, password }, { types }), addresses)
        await expectInvalid(ada)
      },
    )
  },
)
