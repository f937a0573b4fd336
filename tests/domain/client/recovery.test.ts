/** A recovery from the lost passkey to the new secret, on the page that people see, against the service itself (flows 10). */
import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyMessage } from 'viem/utils'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { connect, openRecovery, type Recoverer } from '../../kit/recoverer.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { logIn, makeStorage, newPassword, signUp, type Device, type Person } from '../../service/people.ts'
import { passOn, startProxy, type Proxy } from '../../service/proxy.ts'

let service: TestService
/** Another partner of the same service, at which ada has a wallet too. */
let other: { readonly addresses: TestService['addresses']; readonly partner: TestService['partner']; readonly mailbox: TestService['mailbox'] }
let ada: Person
let addresses: readonly (string | null | undefined)[]
let otherAddress: string | null | undefined

const types = { EVM: true, SOLANA: true } as const
const message = 'after the recovery'

beforeAll(async () => {
  service = await startService()
  // Devices know the recovery page by the origin that the service has configured.
  const place = { ...service, addresses: { ...service.addresses, connect } }
  ada = await signUp(place, { types })
  addresses = (await ada.device.getWallets()).map(({ address }) => address)
  other = { addresses: place.addresses, partner: await service.addPartner(), mailbox: service.mailbox }
  const there = await logIn(other, ada, { types: { EVM: true } })
  otherAddress = (await there.getWallets())[0]?.address
  service = place
}, 120_000)

afterAll(() => service.stop())

const codeFor = (email: string): string =>
  service.mailbox(email).findLast(({ code }) => code !== undefined)?.code ?? ''

const evmOf = async (device: Device): Promise<string> =>
  (await device.getWallets()).find(({ type }) => type === 'EVM')?.id ?? ''

const signs = async (device: Device): Promise<boolean> => {
  const { address, ethereumSignature = '0x' } = await device.signMessage({ walletId: await evmOf(device), message })
  return verifyMessage({ address: address as `0x${string}`, message, signature: ethereumSignature })
}

/** Up to the opened backups. */
const proveEmail = async (page: Recoverer, email: string): Promise<void> => {
  await page.until('email')
  await page.submitEmail(email)
  await page.until('code')
  await page.submitCode(codeFor(email))
  await page.until('secret')
}

describe('a recovery', () => {
  const password = newPassword()
  let page: Recoverer
  let secret: string

  it('begins for everybody alike, and a wrong code leads nowhere', async () => {
    const stranger = openRecovery(service, { password })
    await stranger.until('email')
    await stranger.submitEmail('nobody@example.org')
    await stranger.until('code')
    await stranger.submitCode('000000')

    expect(await stranger.until('code')).toMatchObject({ refusals: 1, failure: { code: 'InvalidVerificationCode' } })
    await stranger.close()
  })

  it('shows a person who proves the mailbox what there is, of every partner', async () => {
    page = openRecovery(service, { password, email: ada.email })
    expect(await page.until('email')).toMatchObject({ email: ada.email })
    await proveEmail(page, ada.email)

    const { wallets } = await page.until('secret')
    expect(wallets.map(({ address }) => address).sort()).toEqual([...addresses, otherAddress].sort())
  })

  it('opens nothing with another secret, and can be tried again', async () => {
    await page.submitSecret(`${'07'.repeat(32)}|`)

    expect(await page.until('secret')).toMatchObject({ isBusy: false, failure: { code: 'BackupDecryptionFailed' } })
    await page.submitSecret(ada.recoverySecret ?? '')
    await page.until('credential')
  })

  it('changes nothing before it is finished: the old device signs, the old password logs in', async () => {
    expect(await signs(ada.device)).toBe(true)
    expect(await signs(await logIn(service, ada, { types }))).toBe(true)
  })

  it('makes a new credential and new shares, and shows the new secret', async () => {
    void page.setUp('PASSWORD')

    const made = await page.until('secret-made')
    expect(made).toMatchObject({ isCertain: true, finished: { method: 'PASSWORD' } })
    expect(made.finished?.wallets).toHaveLength(3)
    secret = made.secret
    expect(secret).not.toBe(ada.recoverySecret)
  }, 120_000)

  it('leaves nothing on the page once the secret is kept', async () => {
    await page.kept()

    await page.until('done')
    await expect.poll(() => [...page.storage.local.values(), ...page.storage.session.values()].join()).not.toMatch(
      /shareText|secretKey|privateKey/,
    )
    await page.close()
  })

  it('keeps every address, and the new password signs with every wallet', async () => {
    const back = await logIn(service, { email: ada.email, password }, { types })
    const there = await logIn(other, { email: ada.email, password }, { types: { EVM: true } })

    expect((await back.getWallets()).map(({ address }) => address).sort()).toEqual([...addresses].sort())
    expect((await there.getWallets()).map(({ address }) => address)).toEqual([otherAddress])
    expect(await signs(back)).toBe(true)
    expect(await signs(there)).toBe(true)
    const solana = (await back.getWallets()).find(({ type }) => type === 'SOLANA')
    const signed = await back.signMessage({ walletId: solana?.id ?? '', message })
    expect(ed25519.verify(base64.decode(signed.signature), utf8ToBytes(message), base58.decode(solana?.address ?? ''))).toBe(true)
  }, 120_000)

  it('makes the lost device and the old password worth nothing', async () => {
    await expect(signs(ada.device)).rejects.toThrow()
    await expect(logIn(service, ada, { types })).rejects.toThrow()
  })

  it('makes the old secret worth nothing, and the new one worth as much, until a device of the user stops it', async () => {
    const again = openRecovery(service, { password, email: ada.email })
    await proveEmail(again, ada.email)
    await again.submitSecret(ada.recoverySecret ?? '')
    expect(await again.until('secret')).toMatchObject({ failure: { code: 'BackupDecryptionFailed' } })

    await again.submitSecret(secret)

    await again.until('credential')
    const back = await logIn(service, { email: ada.email, password }, { types })
    await back.cancelRecovery()
    await again.setUp('PASSWORD')
    expect(await again.until('stopped')).toMatchObject({ failure: { code: 'LinkExpired' }, canGoOn: false })
    await again.startOver()
    await again.until('email')
    expect(await signs(back)).toBe(true)
    await again.close()
  }, 120_000)
})

describe('a recovery whose line breaks', () => {
  const password = newPassword()
  let toApi: Proxy
  let toCosigner: Proxy
  let grace: Person
  let page: Recoverer
  const place = () => ({
    ...service,
    addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
  })

  beforeAll(async () => {
    toApi = await startProxy(service.addresses.api)
    toCosigner = await startProxy(service.addresses.cosigner)
    grace = await signUp(service, { types })
    page = openRecovery(place(), { password })
    await proveEmail(page, grace.email)
    await page.submitSecret(grace.recoverySecret ?? '')
    await page.until('credential')
  }, 120_000)

  afterAll(async () => {
    await page.close()
    await toApi.stop()
    await toCosigner.stop()
  })

  it('stops at the wallet that it was at, and everything stands as it was', async () => {
    let isBroken = false
    toCosigner.handle = async ({ body }, pass) => {
      if (isBroken) throw new Error('the line is dead')
      isBroken = Frame.decode(body)?.frame.operation === 'CONFIRM'
      return pass()
    }
    void page.setUp('PASSWORD')

    const { progress, failure, canGoOn } = await page.until('stopped')
    expect(progress.map(({ state }) => state)).toEqual(['done', 'failed'])
    expect(failure).toMatchObject({ code: 'Offline', wallet: progress[1]?.wallet })
    expect(canGoOn).toBe(true)
    expect(await signs(grace.device)).toBe(true)
    expect(await signs(await logIn(service, grace, { types }))).toBe(true)
  }, 120_000)

  it('goes on with the wallets that are left, and cannot tell whether an unanswered finish counts', async () => {
    const before = toCosigner.seen.length
    toCosigner.handle = passOn
    toApi.handle = async ({ target }, pass) => {
      const reply = await pass()
      if (target.endsWith('/finish')) throw new Error('the answer is lost')
      return reply
    }
    void page.goOn()
    await page.until('working')

    const { isFinishing, failure } = await page.until('stopped')
    expect({ isFinishing, code: failure.code }).toEqual({ isFinishing: true, code: 'Offline' })
    const wallets = toCosigner.seen.slice(before).map(({ request }) => Frame.decode(request.body)?.frame.walletId)
    expect(new Set(wallets).size).toBe(1)
  }, 120_000)

  it('is brought to its end when the page is opened again, and says the secret that nobody has seen', async () => {
    const elsewhere = openRecovery(place(), { password, storage: makeStorage(page.storage) })
    expect(await elsewhere.until('secret-made')).toMatchObject({ isCertain: false })
    await elsewhere.close()
    toApi.handle = passOn

    const again = openRecovery(place(), { password, storage: page.storage })

    expect(await again.until('secret-made')).toMatchObject({ isCertain: true })
    expect(await signs(await logIn(service, { email: grace.email, password }, { types }))).toBe(true)
    await expect(signs(grace.device)).rejects.toThrow()
    await again.kept()
    await again.until('done')
    await again.close()
  }, 120_000)
})
