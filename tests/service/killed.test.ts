/**
 * The service is killed at every failpoint of key generation, signing and refresh, with a real database: after its next
 * start and the page's, the wallet has the address that was shown first, and a signature of it verifies.
 * Each kill costs the start of a process: `npm test` kills each protocol once, each in another state of its run; the long run
 * kills at every failpoint and on both databases, and with TANDEM_KILLS=all at every request of each run, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userMessageLimits } from '../../domain/service/UserMessage.ts'
import { leaseLife } from '../../domain/service/Wallet.ts'
import { makePlace, usualDatabases } from '../kit/database.ts'
import type { DatabasePlace } from '../kit/databasePlace.ts'
import { casesOf } from '../kit/long.ts'
import { startServiceProcess, type ServiceProcess } from '../kit/serviceProcess.ts'
import { Device, mailedCode, newEmail, newPassword, signUp, type BrowserStorage, type Person } from './people.ts'

type Kill = readonly [name: string, nth: number]

/** The one of this name, or all. */
const chosen = (kills: readonly Kill[], usual: string) => casesOf(kills, ([name]) => name === usual)

/** Each request of a run reaches the same four; at the last of n most of the run is done. */
const run = (operation: string, requests: number): readonly Kill[] =>
  ['claim.before', 'claim.after', 'compute.after', 'commit.after'].flatMap((where) =>
    Array.from({ length: requests }, (_, index): Kill => [`${operation}.${where}`, index + 1]).slice(
      process.env['TANDEM_KILLS'] === 'all' ? 0 : -1,
    ),
  )
const confirm: readonly Kill[] = [...run('confirm', 1), ['confirm.commit.within', 1]]
const around = (name: string): readonly Kill[] => [
  [`${name}.before`, 1],
  [`${name}.after`, 1],
]
const backups: readonly Kill[] = [...around('keyShares.create'), ['keyShares.create.within', 1]]

const keygen: readonly Kill[] = [...around('wallets.create'), ...run('keygen', 3), ...confirm, ...backups]
const attach: readonly Kill[] = [...run('attach', 3), ...confirm]
const sign: readonly Kill[] = [...run('sign', 2), ['sign.commit.within', 1]]
const refresh: readonly Kill[] = [
  ...around('refresh.begin'),
  ['refresh.begin.within', 1],
  ...run('refresh', 3),
  ...backups,
  ...confirm,
  ...around('ack'),
  ['ack.within', 1],
  ['ack.commit.after', 1],
]

const mail = around('userMessages.deliver')

const message = 'after a power cut'

describe.each(usualDatabases)('a service on %s that is killed', { timeout: 180_000 }, (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-killed-'))
  let place: DatabasePlace
  let service: ServiceProcess
  let apiKey: string
  let ada: Person
  let address: string | null | undefined

  let ahead = 0

  /** Time continues from one process to the next. */
  const start = async () => {
    service = await startServiceProcess(folder, place, {}, ahead)
  }
  const pageOn = (storage: BrowserStorage, password: string) =>
    new Device({ apiKey, addresses: service.addresses, password, storage, types: { EVM: true } })

  /** The process dies during the call; the next one replaces it. */
  const killing = async ([name, nth]: Kill, tried: () => Promise<unknown>) => {
    await service.killAt(name, nth)
    await tried().catch(() => undefined)
    expect([name, nth, await service.hasDied()]).toEqual([name, nth, true])
    await start()
  }

  const expectSignature = async (device: Device) => {
    const [wallet] = await device.getWallets()
    const signed = await device.signMessage({ walletId: wallet?.id ?? '', message })
    const { ethereumSignature: signature = '0x' } = signed
    expect(signed.address).toBe(wallet?.address)
    expect(await verifyMessage({ address: signed.address as `0x${string}`, message, signature })).toBe(true)
    return signed.address
  }

  beforeAll(async () => {
    place = await makePlace(database, folder)
    await start()
    apiKey = service.partner.apiKey
    ada = await signUp(service, { types: { EVM: true } })
    address = await expectSignature(ada.device)
  })

  beforeEach(async () => {
    if (service.isDead()) await start()
  })

  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(chosen(mail, 'userMessages.deliver.before'))('as it mails a code at %s, %i', async (...kill) => {
    const email = newEmail()
    const device = new Device({ apiKey, addresses: service.addresses, password: newPassword(), types: { EVM: true } })
    await killing(kill, () => device.createUser({ email }))

    // Another worker may take what one took that died.
    ahead += userMessageLimits.lease
    await service.advance(userMessageLimits.lease)
    expect(await service.mailbox(email)).toEqual([
      expect.objectContaining({ to: email, code: expect.stringMatching(/^[0-9]{6}$/) as string }),
    ])
  })

  it.each(chosen(keygen, 'keygen.compute.after'))('in a key generation at %s, %i', async (...kill) => {
    const [email, password] = [newEmail(), newPassword()]
    const device = new Device({ apiKey, addresses: service.addresses, password, types: { EVM: true } })
    await device.createUser({ email })
    await device.verifyEmail(await mailedCode(service, email))
    await killing(kill, () => device.setUpPassword())

    // Until its lease is over, an abandoned key generation prevents others.
    ahead += leaseLife
    await service.advance(leaseLife)
    const page = pageOn(device.storage, password)
    const shown = (await page.getWallets()).find((wallet) => wallet.address)?.address
    await page.finishSetup()
    const signedBy = await expectSignature(pageOn(device.storage, password))
    expect(signedBy).toBe(shown ?? signedBy)
  })

  it.each(chosen(attach, 'confirm.commit.after'))('while a device attaches at %s, %i', async (...kill) => {
    const phone = new Device({ apiKey, addresses: service.addresses, password: ada.password, types: { EVM: true } })
    await phone.login({ email: ada.email })
    await killing(kill, () => expectSignature(phone))

    expect(await expectSignature(pageOn(phone.storage, ada.password))).toBe(address)
  })

  it.each(chosen(sign, 'sign.claim.after'))('in a signature at %s, %i', async (...kill) => {
    const { storage } = ada.device
    await killing(kill, () => expectSignature(pageOn(storage, ada.password)))

    expect(await expectSignature(pageOn(storage, ada.password))).toBe(address)
  })

  it.each(chosen(refresh, 'confirm.commit.within'))('in a refresh at %s, %i', async (...kill) => {
    const { storage } = ada.device
    await killing(kill, () => pageOn(storage, ada.password).refreshKeys())

    expect(await expectSignature(pageOn(storage, ada.password))).toBe(address)
  })
})
