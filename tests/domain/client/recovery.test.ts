/** A recovery from the lost passkey to the new secret, on the page's own flows, against the service itself. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyMessage } from 'viem/utils'
import { makeRecovery } from '../../../adapters/browser/connect.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { isLong } from '../../kit/long.ts'
import { personWith } from '../../kit/portalPlayer.ts'
import { connect, openRecovery, type Recoverer } from '../../kit/recoverer.ts'
import { startService, type TestService } from '../../kit/service.ts'
import {
  logIn,
  makeStorage,
  newEmail,
  newPassword,
  signUp,
  signUpWithoutWallets,
  type BrowserStorage,
  type Device,
  type Person,
} from '../../service/people.ts'
import { passOn, startProxy, type Proxy } from '../../service/proxy.ts'
import { verifyCosmos, verifySolana } from '../../smoke/verify.ts'

let service: TestService
/** Another partner of the same service, at which ada has a wallet too. */
let other: {
  readonly addresses: TestService['addresses']
  readonly partner: TestService['partner']
  readonly mailbox: TestService['mailbox']
}
let ada: Person
let addresses: readonly (string | null | undefined)[]
let otherAddress: string | null | undefined

const types = { EVM: true, SOLANA: true } as const
/** Of ada, who has two wallets of EVM. */
const adasTypes = { ...types, COSMOS: true } as const
const message = 'after the recovery'

beforeAll(async () => {
  service = await startService()
  // Devices know the recovery page by the origin that the service has configured.
  const place = { ...service, addresses: { ...service.addresses, connect } }
  ada = await signUp(place, { types: adasTypes })
  await ada.device.createWallet({ type: 'EVM' })
  addresses = (await ada.device.getWallets()).map(({ address }) => address)
  other = { addresses: place.addresses, partner: await service.addPartner(), mailbox: service.mailbox }
  const there = await logIn(other, ada, { types: { EVM: true } })
  otherAddress = (await there.getWallets())[0]?.address
  service = place
}, 120_000)

afterAll(() => service.stop())

const codeFor = async (email: string): Promise<string> =>
  (await service.mailbox(email)).findLast(({ code }) => code !== undefined)?.code ?? ''

const evmOf = async (device: Device): Promise<string> =>
  (await device.getWallets()).find(({ type }) => type === 'EVM')?.id ?? ''

const signs = async (device: Device): Promise<boolean> => {
  const { address, ethereumSignature = '0x' } = await device.signMessage({ walletId: await evmOf(device), message })
  return verifyMessage({ address: address as `0x${string}`, message, signature: ethereumSignature })
}

/** The refusal of devices whose sessions a recovery has ended. */
const signedOut = { _tag: 'ApiError', status: 401, code: 'NoSignedInUser', message: 'no signed-in user' }

/** Up to the opened backups. */
const proveEmail = async (page: Recoverer, email: string): Promise<void> => {
  await page.until('email')
  await page.submitEmail(email)
  await page.until('code')
  await page.submitCode(await codeFor(email))
  await page.until('secret')
}

/** Of another tab of the same browser. */
const besides = ({ local, override }: BrowserStorage): BrowserStorage => {
  const own = makeStorage()
  return { ...own, local, override: { local: override.local, session: own.override.session } }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Once the page and its flows release it, nothing that the secret opened is in memory. */
const expectNothingOpened = async ({ opened }: Recoverer): Promise<void> => {
  expect(opened).not.toEqual([])
  const held = () => {
    collectGarbage()
    return opened.filter((one) => one.deref() !== undefined).length
  }
  await expect.poll(held).toBe(0)
}

describe('a recovery', () => {
  const password = newPassword()
  let page: Recoverer
  let secret: string

  it('begins in the same way for users and strangers, and refuses a wrong code', async () => {
    const stranger = openRecovery(service, { password })
    await stranger.until('email')
    await stranger.submitEmail('nobody@example.org')
    await stranger.until('code')
    await stranger.submitCode('000000')

    expect(await stranger.until('code')).toMatchObject({ refusals: 1, failure: { code: 'InvalidVerificationCode' } })
    await stranger.close()
  })

  it('lists the wallets of every partner once the mailbox is proven', async () => {
    page = openRecovery(service, { password, email: ada.email })
    expect(await page.until('email')).toMatchObject({ email: ada.email })
    await proveEmail(page, ada.email)

    const { wallets } = await page.until('secret')
    expect(wallets.map(({ address }) => address).sort()).toEqual([...addresses, otherAddress].sort())
  })

  it('opens no backup with another secret, and can be tried again', async () => {
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
    expect(made.finished?.wallets).toHaveLength(5)
    secret = made.secret
    expect(secret).not.toBe(ada.recoverySecret)
  }, 120_000)

  it('leaves nothing on the page once the secret is kept', async () => {
    await page.kept()

    await page.until('done')
    const left = () => [...page.storage.local.values(), ...page.storage.session.values()].join()
    await expect.poll(left).not.toMatch(/shareText|secretKey|privateKey/)
    await page.close()
  })

  it('keeps every address, and the new password signs with every wallet', async () => {
    const back = await logIn(service, { email: ada.email, password }, { types: adasTypes })
    const there = await logIn(other, { email: ada.email, password }, { types: { EVM: true } })

    expect((await back.getWallets()).map(({ address }) => address).sort()).toEqual([...addresses].sort())
    expect((await there.getWallets()).map(({ address }) => address)).toEqual([otherAddress])
    expect(await signs(there)).toBe(true)
    const signed = []
    for (const { id, type, address, publicKey } of await back.getWallets()) {
      const signature = await back.signMessage({ walletId: id, message })
      const { ethereumSignature = '0x' } = signature
      const isOurs = {
        EVM: () => verifyMessage({ address: address as `0x${string}`, message, signature: ethereumSignature }),
        SOLANA: async () => Object.values(await verifySolana(signature, message)).every(Boolean),
        COSMOS: async () => Object.values(await verifyCosmos(signature, message, publicKey ?? '')).every(Boolean),
      }[type ?? 'EVM']
      signed.push([type, signature.address === address && (await isOurs())])
    }
    expect(signed.sort()).toEqual([
      ['COSMOS', true],
      ['EVM', true],
      ['EVM', true],
      ['SOLANA', true],
    ])
  }, 120_000)

  it('invalidates the lost device and the old password', async () => {
    await expect(signs(ada.device)).rejects.toMatchObject(signedOut)
    // The app learns only that the person closed the window; the page said why.
    const said: unknown[] = []
    const play = Effect.tapError(personWith(ada.password), (error) => Effect.sync(() => said.push(error)))
    await expect(logIn(service, ada, { types, play })).rejects.toMatchObject({ _tag: 'PopupClosed' })
    expect(said).toMatchObject([{ _tag: 'InvalidPassword', message: 'invalid password' }])
  })

  it('invalidates the old secret; the new one opens as much, until a device of the user cancels the recovery', async () => {
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
    await expectNothingOpened(again)
    await again.startOver()
    await again.until('email')
    expect(await signs(back)).toBe(true)
    await again.close()
  }, 120_000)
})

describe('a recovery whose connection breaks', () => {
  const password = newPassword()
  let toApi: Proxy
  let toCosigner: Proxy
  let grace: Person
  let page: Recoverer
  /** Tabs of the same browser that stand at the e-mail address, and at a code. */
  let idle: Recoverer
  let begun: Recoverer
  /** The new secret, shown and not kept yet. */
  let shown: string
  const place = () => ({
    ...service,
    addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
  })

  beforeAll(async () => {
    toApi = await startProxy(service.addresses.api)
    toCosigner = await startProxy(service.addresses.cosigner)
    grace = await signUp(service, { types })
    page = openRecovery(place(), { password })
    idle = openRecovery(place(), { password, storage: besides(page.storage) })
    await idle.until('email')
    begun = openRecovery(place(), { password, storage: besides(page.storage) })
    await begun.until('email')
    await begun.submitEmail('nobody@example.org')
    await begun.until('code')
    await proveEmail(page, grace.email)
    await page.submitSecret(grace.recoverySecret ?? '')
    await page.until('credential')
  }, 120_000)

  afterAll(async () => {
    await page.close()
    await toApi.stop()
    await toCosigner.stop()
  })

  it('stops at its current wallet, and changes nothing', async () => {
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

  it('continues with the remaining wallets, and cannot tell whether an unanswered finish took effect', async () => {
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

  it('keeps a secret that was never shown when another tab starts over, and shows it in a tab that begins', async () => {
    await begun.startOver()
    await begun.until('email')
    void idle.submitEmail(grace.email)

    const made = await idle.until('secret-made')
    expect(made.isCertain).toBe(false)
    shown = made.secret
    await begun.close()
    await idle.close()
  }, 120_000)

  it('is finished when the page is opened again, and shows the secret that was never shown', async () => {
    const elsewhere = openRecovery(place(), { password, storage: makeStorage(page.storage) })
    expect(await elsewhere.until('secret-made')).toMatchObject({ isCertain: false })
    await elsewhere.close()
    toApi.handle = passOn

    const again = openRecovery(place(), { password, storage: page.storage })

    expect(await again.until('secret-made')).toMatchObject({ isCertain: true })
    expect(await signs(await logIn(service, { email: grace.email, password }, { types }))).toBe(true)
    await expect(signs(grace.device)).rejects.toMatchObject(signedOut)
    expect(again.get()).toMatchObject({ secret: shown })
    await again.kept()
    await again.until('done')
    await expect.poll(() => [...page.storage.session.keys(), ...page.storage.local.keys()]).toEqual([])
    await again.close()
  }, 120_000)
})

describe('a person who starts over', () => {
  const password = newPassword()
  let toApi: Proxy
  let alan: Person
  let page: Recoverer
  const place = () => ({ ...service, addresses: { ...service.addresses, api: toApi.address } })

  beforeAll(async () => {
    toApi = await startProxy(service.addresses.api)
    alan = await signUp(service, { types: { EVM: true } })
    page = openRecovery(place(), { password })
  }, 120_000)

  afterAll(async () => {
    await page.close()
    await toApi.stop()
  })

  /** Starts over while a call is pending, whose answer comes afterwards. */
  const startOverDuring = async (path: RegExp, begin: () => Promise<void>) => {
    let answer: () => void = () => undefined
    const isAsked = new Promise<void>((asked) => {
      toApi.handle = async ({ target }, pass) => {
        const reply = await pass()
        if (!path.test(target)) return reply
        return new Promise((resolve) => {
          answer = () => resolve(reply)
          asked()
        })
      }
    })
    const through = begin()
    await isAsked
    const over = page.startOver()
    answer()
    await Promise.all([through, over])
    toApi.handle = passOn
  }

  it('stays at the first step when the answer to a pending call arrives afterwards', async () => {
    const begun = { status: 'email', email: alan.email, isBusy: false }
    await page.until('email')
    await page.submitEmail(alan.email)
    await page.until('code')
    await startOverDuring(/\/recovery\/init$/, () => page.resendCode())
    expect(page.get()).toEqual(begun)

    await page.submitEmail(alan.email)
    await page.until('code')
    await startOverDuring(/\/recovery\/verify-email$/, async () => page.submitCode(await codeFor(alan.email)))
    expect(page.get()).toEqual(begun)

    await proveEmail(page, alan.email)
    await startOverDuring(/\/key-shares\?/, () => page.submitSecret(alan.recoverySecret ?? ''))
    expect(page.get()).toEqual(begun)
  }, 120_000)

  const openAll = async () => {
    await proveEmail(page, alan.email)
    await page.submitSecret(alan.recoverySecret ?? '')
    await page.until('credential')
  }

  /** As the page asks for this, a device of the same person stops the recovery. */
  const stopAt = (path: RegExp) => {
    toApi.handle = async ({ target }, pass) => {
      if (path.test(target)) await alan.device.cancelRecovery()
      return pass()
    }
  }

  it('leaves nothing of the opened backups on the page', async () => {
    await openAll()
    await page.startOver()
    await expectNothingOpened(page)

    await openAll()
    stopAt(/\/refresh$/)
    void page.setUp('PASSWORD')
    expect(await page.until('stopped')).toMatchObject({ failure: { code: 'LinkExpired' }, canGoOn: false })
    await expectNothingOpened(page)
    toApi.handle = passOn
    await page.startOver()
  }, 120_000)

  it('leaves nothing of the session either, once the person keeps a secret that may be invalid', async () => {
    await openAll()
    stopAt(/\/finish$/)
    void page.setUp('PASSWORD')
    expect(await page.until('secret-made')).toMatchObject({ isCertain: false })
    await expectNothingOpened(page)

    await page.kept()

    await page.until('email')
    await expect.poll(() => [...page.storage.session.keys(), ...page.storage.local.keys()]).toEqual([])
    expect(await signs(alan.device)).toBe(true)
  }, 120_000)
})

describe('a recovery with a wallet whose backup does not open', () => {
  // Its parts are in recoveredWallets.test.ts and openBackups.test.ts.
  it.runIf(isLong)(
    'brings back the others once the person has seen what stays behind, also where the answer to its end is lost',
    async () => {
      const password = newPassword()
      const mary = await signUp(service, { types: { EVM: true } })
      const there = await logIn(other, mary, { types: { SOLANA: true } })
      const [lost] = await there.getWallets()
      const toApi = await startProxy(service.addresses.api)
      const place = { ...service, addresses: { ...service.addresses, api: toApi.address } }
      const garble: Proxy['handle'] = async ({ target }, pass) => {
        const reply = await pass()
        if (!target.includes(`/wallets/${lost?.id}/key-shares?`)) return reply
        const text = new TextDecoder().decode(reply.body).replace(/("encryptedShare":)"[^"]*"/g, '$1"c0ffee"')
        return { ...reply, body: utf8ToBytes(text) }
      }
      toApi.handle = garble
      const page = openRecovery(place, { password, email: mary.email })
      await proveEmail(page, mary.email)
      await page.submitSecret(mary.recoverySecret ?? '')
      const { wallets, leftBehind } = await page.until('leaving')
      expect(wallets.map(({ walletId }) => walletId)).toEqual(mary.walletIds)
      expect(leftBehind).toMatchObject([{ wallet: { walletId: lost?.id }, code: 'BackupDecryptionFailed' }])
      await page.setUp('PASSWORD')
      expect(page.get().status).toBe('leaving')

      page.leaveBehind()
      await page.until('credential')
      toApi.handle = async (request, pass) => {
        const reply = await garble(request, pass)
        if (request.target.endsWith('/finish')) throw new Error('the answer is lost')
        return reply
      }
      void page.setUp('PASSWORD')
      expect(await page.until('stopped')).toMatchObject({ isFinishing: true, failure: { code: 'Offline' } })
      toApi.handle = garble
      await page.goOn()

      expect((await page.until('secret-made')).finished).toMatchObject({ wallets, leftBehind })
      await expectNothingOpened(page)
      const back = await logIn(service, { email: mary.email, password }, { types: { EVM: true } })
      expect(await signs(back)).toBe(true)
      const atOther = await logIn(other, { email: mary.email, password }, { types: { SOLANA: true } })
      await expect(atOther.signMessage({ walletId: lost?.id ?? '', message })).rejects.toMatchObject({
        _tag: 'KeyShareNotLoaded',
      })
      await expect(there.signMessage({ walletId: lost?.id ?? '', message })).rejects.toMatchObject(signedOut)
      await page.close()
      await toApi.stop()
    },
    120_000,
  )
})

describe('a recovery with a wallet that gets its backup meanwhile', () => {
  // Its parts are in recoveredWallets.test.ts and openBackups.test.ts.
  it.runIf(isLong)(
    'brings it back: where the person checks again, and where the service refuses to leave it',
    async () => {
      const password = newPassword()
      const jane = await signUp(service, { types: { EVM: true } })
      const there = await logIn(other, jane, { types: { EVM: true, SOLANA: true } })
      const [evm, solana] = await there.getWallets()
      const toApi = await startProxy(service.addresses.api)
      const place = { ...service, addresses: { ...service.addresses, api: toApi.address } }
      const lacking = new Set([evm?.id ?? '', solana?.id ?? ''])
      toApi.handle = async ({ target }, pass) => {
        if (target.endsWith('/finish')) lacking.clear()
        const reply = await pass()
        const isLacking = [...lacking].some((id) => target.includes(`/wallets/${id}/key-shares?`))
        return isLacking ? { ...reply, body: utf8ToBytes('{"keyShares":[]}') } : reply
      }
      const page = openRecovery(place, { password, email: jane.email })
      await proveEmail(page, jane.email)
      await page.submitSecret(jane.recoverySecret ?? '')
      expect((await page.until('leaving')).leftBehind).toHaveLength(2)

      lacking.delete(evm?.id ?? '')
      await page.checkAgain()
      const { wallets, leftBehind, isBusy } = await page.until('leaving')
      expect(wallets.map(({ walletId }) => walletId)).toEqual([...jane.walletIds, evm?.id])
      expect([leftBehind.length, isBusy]).toEqual([1, false])
      page.leaveBehind()
      await page.until('credential')
      void page.setUp('PASSWORD')

      const { finished } = await page.until('secret-made')
      expect(finished?.leftBehind).toEqual([])
      expect(finished?.wallets.map(({ walletId }) => walletId)).toEqual([...jane.walletIds, evm?.id, solana?.id])
      await expectNothingOpened(page)
      const atOther = await logIn(other, { email: jane.email, password }, { types: { EVM: true, SOLANA: true } })
      const { signature } = await atOther.signMessage({ walletId: solana?.id ?? '', message })
      expect(signature).not.toBe('')
      await page.close()
      await toApi.stop()
    },
    120_000,
  )
})

describe('a recovery of an account without wallets', () => {
  it.runIf(isLong)(
    'asks for no secret, and gives the one for the wallets to come',
    async () => {
      const [password, email] = [newPassword(), newEmail('joan')]
      await signUpWithoutWallets(service, email)
      const page = openRecovery(service, { password, email })
      await page.until('email')
      await page.submitEmail(email)
      await page.until('code')
      await page.submitCode(await codeFor(email))
      await page.until('credential')
      void page.setUp('PASSWORD')

      const { secret, finished } = await page.until('secret-made')
      expect(finished?.wallets).toEqual([])
      await page.kept()
      const back = await logIn(service, { email, password }, { types: { EVM: true } })
      expect(await signs(back)).toBe(true)

      await page.startOver()
      await page.close()
      const again = openRecovery(service, { password, email })
      await proveEmail(again, email)
      await again.submitSecret(secret)
      expect((await again.until('credential')).wallets).toHaveLength(1)
      await again.close()
    },
    120_000,
  )
})

describe('a recovery that an earlier version of the page finished', () => {
  it('shows its secret, and leaves nothing in storage', async () => {
    const [userId, secretKey, rootPublicKey] = ['ada', '07'.repeat(32), '09'.repeat(32)]
    const storage = makeStorage()
    const pendingRecovery = { userId, secretKey, publicKey: '02'.repeat(64), signature: '03'.repeat(64) }
    storage.local.set('@CAPSULE/keyShares', JSON.stringify({ v: 1, shares: {}, pendingRecovery }))
    const left = { v: 1, userId, walletIds: ['one'], rootPublicKey, isFinished: true }
    storage.local.set('@CAPSULE/tandem/recovery', JSON.stringify(left))

    const page = openRecovery(service, { password: newPassword(), storage })

    const { secret, isCertain } = await page.until('secret-made')
    expect({ isCertain, ...RecoverySecret.read(secret) }).toEqual({
      isCertain: true,
      walletId: 'one',
      backupDecryptionKey: hexToBytes(secretKey),
      rootPublicKey: hexToBytes(rootPublicKey),
    })
    await page.kept()
    expect(storage.local.size).toBe(0)
    await page.close()
  })
})

describe('a recovery page that cannot begin', () => {
  it('says so where the service does not answer', async () => {
    const recovery = makeRecovery({
      host: connect,
      portalHost: () => connect,
      email: undefined,
      run: () => Promise.resolve(Exit.fail(connectionError())),
      openWindow: () => undefined,
    })

    await expect.poll(() => recovery.get()).toEqual({ status: 'unreachable' })
  })

  it('reports a store that does not open as such and not as a lost connection, and does not start over', async () => {
    const storage = makeStorage()
    storage.local.set('@CAPSULE/keyShares', '{"v":2}')
    const page = openRecovery(service, { password: newPassword(), storage })

    expect(await page.until('stopped')).toMatchObject({ failure: { code: 'StorageFailed' }, canGoOn: true })
    await page.startOver()
    expect(page.get().status).toBe('stopped')
    storage.local.clear()
    await page.goOn()
    expect(page.get().status).toBe('email')
    await page.close()
  })
})
