/** Accounts from end to end: one user, several devices, over HTTP. */
import { createHash, randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import {
  hashMessage,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  toHex,
  verifyTypedData,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { recoverAuthorizationAddress, verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageSignature } from '../../adapters/browser/sdk.ts'
import { loginWithPassword } from '../../domain/client/portal/loginWithPassword.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import * as Events from '../../domain/model/Events.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { onEachDatabase } from '../kit/database.ts'
import { openPage } from '../kit/pageFlows.ts'
import { personWhoLeaves, type Play } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { verifyCosmos, verifySolana } from '../smoke/verify.ts'
import { expectCosmos, expectSolana } from './chainSignatures.ts'
import { Device, logIn, mailedCode, makeStorage, newEmail, newPassword, signUp, type Person } from './people.ts'
import { sentence, startProxy } from './proxy.ts'
import { rowsOf } from './rows.ts'
import { ask, heldBy, success } from './wire.ts'

const types = ['EVM', 'SOLANA', 'COSMOS'] as const
const message = 'two parties, one signature'

const walletOf = (wallets: readonly Wallet[], type: string): Wallet & { readonly address: string } => {
  const found = wallets.filter((wallet) => wallet.type === type)
  const [wallet] = found
  if (found.length !== 1 || !wallet?.address) throw new Error(`there is not one ${type} wallet with an address`)
  return { ...wallet, address: wallet.address }
}

const byType = (wallets: readonly Wallet[]) =>
  types.map((type) => [type, walletOf(wallets, type).id, walletOf(wallets, type).address])

/** Noble recovers the key from its own digest; viem does so from another one. Low s always. */
const verifyEvm = async ({ signature, ethereumSignature = '0x', address }: MessageSignature, wallet: Wallet) => {
  const bytes = hexToBytes(signature)
  const preimage = utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}${message}`)
  const parsed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64)).addRecoveryBit(bytes[64] ?? 9)
  const recovered = parsed.recoverPublicKey(keccak_256(preimage)).toBytes(false)
  return {
    noble: publicKeyToAddress(toHex(recovered)) === address && address === wallet.address,
    viem: await verifyMessage({ address: address as `0x${string}`, message, signature: ethereumSignature }),
    'a low s': !parsed.hasHighS(),
    'the digest of two libraries': toHex(keccak_256(preimage)) === hashMessage(message),
  }
}

const verify = async (signed: MessageSignature, wallet: Wallet): Promise<Readonly<Record<string, boolean>>> => {
  switch (wallet.type) {
    case 'EVM':
      return verifyEvm(signed, wallet)
    case 'SOLANA':
      return verifySolana(signed, message)
    default:
      return verifyCosmos(signed, message, wallet.publicKey ?? '')
  }
}

const expectSignatures = async (device: Device) => {
  const wallets = await device.getWallets()
  for (const type of types) {
    const wallet = walletOf(wallets, type)
    const signed = await device.signMessage({ walletId: wallet.id, message })
    const verdicts = await verify(signed, wallet)
    expect([type, Object.values(verdicts).length >= 2, verdicts]).toEqual([
      type,
      true,
      Object.fromEntries(Object.keys(verdicts).map((by) => [by, true])),
    ])
  }
}

onEachDatabase((makeDatabase, name) => {
  describe(`an account with ${name}`, () => {
    let service: TestService
    let ada: Person
    let phone: Device

    beforeAll(async () => {
      service = await startService({ database: makeDatabase() })
      ada = await signUp(service)
      phone = await logIn(service, ada)
    })

    afterAll(() => service.stop())

    it('has one wallet of each type after the sign-up, in the session and at the service', async () => {
      const wallets = await ada.device.getWallets()
      const held = await heldBy(service, ada.device)
      const touched = success(await ask(held.client, 'POST', '/touch?regenerate=false'))

      expect(wallets.map(({ type }) => type).sort()).toEqual([...types].sort())
      expect([...ada.walletIds].sort()).toEqual(wallets.map(({ id }) => id).sort())
      expect(touched).toMatchObject({ isAuthenticated: true, needsWallet: false, userId: ada.userId, email: ada.email })
      expect(touched.operator).toEqual({ name: 'Tandem' })
      expect(touched.currentWalletIds).toEqual(Object.fromEntries(wallets.map(({ id, type }) => [type, [id]])))
      expect(JSON.parse(ada.recoverySecret ?? '')).toMatchObject({ keyshare: '', address: '' })
    })

    it('has addresses that any other library derives from the public keys', async () => {
      const wallets = await ada.device.getWallets()
      const keyOf = (type: string) => hexToBytes((walletOf(wallets, type).publicKey ?? '').replace(/^0x/, ''))
      const uncompressed = secp256k1.Point.fromBytes(keyOf('EVM')).toBytes(false)
      const cosmos = secp256k1.Point.fromBytes(keyOf('COSMOS')).toBytes(true)
      const sha256 = createHash('sha256').update(cosmos).digest()
      const ripemd160 = Uint8Array.from(createHash('ripemd160').update(sha256).digest())

      expect(walletOf(wallets, 'EVM').address).toBe(publicKeyToAddress(toHex(uncompressed)))
      expect(walletOf(wallets, 'SOLANA').address).toBe(base58.encode(keyOf('SOLANA')))
      expect(walletOf(wallets, 'COSMOS').address).toBe(bech32.encode('cosmos', bech32.toWords(ripemd160)))
    })

    it('has the same addresses on a second device', async () => {
      expect(byType(await phone.getWallets())).toEqual(byType(await ada.device.getWallets()))
    })

    it('finds a wallet by its address, of EVM in any case', async () => {
      const wallets = await phone.getWallets()
      const evm = walletOf(wallets, 'EVM')
      const cosmos = walletOf(wallets, 'COSMOS')

      expect(await phone.findWallet({ address: evm.address.toLowerCase() })).toEqual(evm)
      expect(await phone.findWallet({ address: cosmos.address })).toEqual(cosmos)
      await expect(phone.findWallet({ address: `0x${'12'.repeat(20)}` })).rejects.toThrow(
        `wallet with address 0x${'12'.repeat(20)} not found`,
      )
    })

    it('signs with each wallet on both devices, and every signature is verified by two libraries', async () => {
      await expectSignatures(ada.device)
      await expectSignatures(phone)
    })

    it('signs transactions of Solana and documents of Cosmos, as web3.js and cosmjs take them', async () => {
      const wallets = await phone.getWallets()

      await expectSolana(phone, walletOf(wallets, 'SOLANA'))
      await expectCosmos(phone, walletOf(wallets, 'COSMOS'))
    })

    it('signs a transaction, of which viem recovers the sender, on both devices', async () => {
      const wallet = walletOf(await phone.getWallets(), 'EVM')
      const to = '0x00000000000000000000000000000000deadbeef'
      const unsigned = serializeTransaction({
        type: 'eip1559',
        chainId: 1,
        nonce: 7,
        gas: 21_000n,
        maxFeePerGas: 9n,
        to,
        value: 1n,
      })

      for (const device of [ada.device, phone]) {
        const { r, s, yParity } = await device.signTransaction({
          walletId: wallet.id,
          transaction: unsigned,
          chainId: 1,
        })
        const signed = serializeTransaction(parseTransaction(unsigned), { r, s, yParity })
        expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(wallet.address)
        expect(BigInt(s) * 2n).toBeLessThan(secp256k1.Point.Fn.ORDER)
      }
    })

    it('signs typed data and an authorization, whose signer viem recovers, in the form that viem has', async () => {
      const wallet = walletOf(await phone.getWallets(), 'EVM')
      const address = wallet.address as `0x${string}`
      const typedData = {
        types: { Permit: [{ name: 'value', type: 'uint256' }] },
        primaryType: 'Permit',
        domain: { name: 'Coin', chainId: 1 },
        message: { value: 2n ** 256n - 1n },
      } as const
      const authorization = { address: '0x00000000000000000000000000000000DeaDBeef', chainId: 1, nonce: 7 } as const

      const signature = await phone.signTypedData({ typedData })
      const authorized = await phone.signAuthorization({ walletId: wallet.id, ...authorization })

      expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
      expect(await verifyTypedData({ ...typedData, address, signature })).toBe(true)
      expect(authorized).toMatchObject(authorization)
      expect(Object.keys(authorized).sort()).toEqual(['address', 'chainId', 'nonce', 'r', 's', 'yParity'])
      expect(await recoverAuthorizationAddress({ authorization: authorized })).toBe(address)
    })

    it('signs neither with another type of wallet nor what cannot be read strictly', async () => {
      const wallets = await ada.device.getWallets()
      const solana = walletOf(wallets, 'SOLANA').id
      const typedData = { types: { One: [] }, primaryType: 'One', message: {} }
      const authorization = { address: '0x00000000000000000000000000000000deadbeef', chainId: 1, nonce: 0 } as const
      const { device } = ada

      const wrongType = { message: `wallet with id ${solana} and type SOLANA cannot be selected` }
      await expect(device.signTypedData({ walletId: solana, typedData })).rejects.toMatchObject(wrongType)
      await expect(device.signAuthorization({ walletId: solana, ...authorization })).rejects.toMatchObject(wrongType)
      for (const call of [
        device.signTypedData({ typedData: { ...typedData, message: { more: 1 } } }),
        device.signAuthorization({ ...authorization, chainId: 0 }),
        device.signAuthorization({ ...authorization, nonce: 1.5 }),
        device.signAuthorization({ ...authorization, address: '0x01' }),
        device.signTransaction({ transaction: '0xno', chainId: 1 }),
        device.sendTransaction({ transaction: '0x02', chainId: 'one' }),
      ]) {
        await expect(call).rejects.toMatchObject({ message: 'payload is not supported' })
      }
    })

    it('has separate OT state on each device', async () => {
      const evm = walletOf(await phone.getWallets(), 'EVM').id
      const otIds = [await heldBy(service, ada.device), await heldBy(service, phone)].map(({ keyOf }) =>
        bytesToHex(keyOf(evm).otId),
      )

      expect(new Set(otIds).size).toBe(2)
      const { ot_records = [] } = await rowsOf(service)
      expect(
        ot_records
          .filter(({ wallet_id }) => wallet_id === evm)
          .map(({ ot_id }) => ot_id)
          .sort(),
      ).toEqual(otIds.sort())
    })
  })
})

describe('an account', () => {
  /** Sign-up and login make a Solana wallet alone. */
  const others = { SOLANA: true, EVM: { optional: true }, COSMOS: { optional: true } } as const
  let service: TestService
  let ada: Person

  beforeAll(async () => {
    service = await startService()
    ada = await signUp(service, { types: others })
  })

  afterAll(() => service.stop())

  const deviceOf = (person: Partial<Person> = {}, options: Partial<ConstructorParameters<typeof Device>[0]> = {}) =>
    new Device({
      apiKey: service.partner.apiKey,
      addresses: service.addresses,
      password: person.password ?? '',
      ...options,
    })

  it('signs without naming a wallet right after the sign-up', async () => {
    expect(await ada.device.signMessage({ message })).toMatchObject({ walletId: ada.walletIds[0] })
  })

  it('emits its events', async () => {
    const told: string[] = []
    const device = deviceOf(ada)
    for (const event of Events.told)
      device.on(event, ({ error }) => told.push(error === undefined ? event : `${event} failed`))

    await device.login({ email: ada.email })
    await device.signMessage({ message })
    await device.logout()

    expect(told).toEqual([Events.login, Events.signMessage, Events.logout])
  })

  describe('that asks for a wallet', () => {
    it('has it in its list at once, with the address null', async () => {
      const held = await heldBy(service, ada.device)
      const wallets = `/users/${ada.userId}/wallets`
      const body = { useTwoSigners: true, scheme: 'DKLS', type: 'EVM' }

      const created = success(await ask(held.client, 'POST', wallets, body))

      const listed = success(await ask(held.client, 'GET', wallets)).wallets as Record<string, unknown>[]
      expect(created).toMatchObject({ lead: true, cosigner: { name: 'localhost' } })
      expect(listed.find(({ id }) => id === created.walletId)).toMatchObject({
        type: 'EVM',
        scheme: 'DKLS',
        address: null,
        publicKey: null,
        userId: ada.userId,
        keyGenComplete: false,
      })
      expect((await ada.device.getWallets()).find(({ id }) => id === created.walletId)?.address).toBeNull()
      expect(success(await ask(held.client, 'POST', wallets, body))).toEqual(created)
    })

    it('gets the one that it asked for before, with its address, and then another one', async () => {
      const before = (await ada.device.getWallets()).find(({ type }) => type === 'EVM')

      const made = await ada.device.createWallet({ type: 'EVM' })

      expect(made.walletId).toBe(before?.id)
      expect(walletOf(await ada.device.getWallets(), 'EVM')).toMatchObject({ id: made.walletId })
      const another = await ada.device.createWallet({ type: 'EVM' })
      const wallets = (await ada.device.getWallets()).filter(({ type }) => type === 'EVM')
      expect(new Set(wallets.map(({ id }) => id))).toEqual(new Set([made.walletId, another.walletId]))
      expect(new Set(wallets.map(({ address }) => address)).size).toBe(2)
    })

    it('signs with each wallet of a type on another device, which a login brings both', async () => {
      const phone = await logIn(service, ada, { types: others })
      const wallets = (await phone.getWallets()).filter(({ type }) => type === 'EVM')

      expect(wallets).toHaveLength(2)
      for (const wallet of wallets) {
        expect(
          Object.values(await verifyEvm(await phone.signMessage({ walletId: wallet.id, message }), wallet)),
        ).not.toContain(false)
      }
    })

    it('has the types of the app alone, which may be fewer than the partner’s', async () => {
      const device = deviceOf(ada, { storage: ada.device.storage, types: { SOLANA: true } })

      expect(new Set((await ada.device.getWallets()).map(({ type }) => type))).toEqual(new Set(['SOLANA', 'EVM']))
      expect((await device.getWallets()).map(({ type }) => type)).toEqual(['SOLANA'])
      await expect(device.createWallet({ type: 'EVM' })).rejects.toThrow('wallet type EVM is not supported')
    })

    it('is told first of all that an API key is missing, offline too', async () => {
      const addresses = { api: 'http://127.0.0.1:1', cosigner: 'http://127.0.0.1:1', connect: 'http://127.0.0.1:1' }
      const device = deviceOf(ada, { apiKey: undefined as never, addresses })

      await expect(device.createWallet()).rejects.toThrow(
        'in order to create a wallet or user with Para, you must provide an API key to the Para instance',
      )
    })

    it('gets one although two tabs ask at the same moment', async () => {
      const storage = makeStorage(ada.device.storage)
      const tabs = [deviceOf(ada, { storage }), deviceOf(ada, { storage })]

      const made = await Promise.all(tabs.map((tab) => tab.createWallet({ type: 'COSMOS' })))

      expect(new Set(made.map(({ walletId }) => walletId)).size).toBe(1)
      // Only this storage got the share: ada's own device has no address to check.
      const wallets = await Promise.all(tabs.map((tab) => tab.getWallets()))
      const [wallet] = wallets.flat().filter(({ type }) => type === 'COSMOS')
      expect(wallet?.address).toMatch(/^cosmos1/)
      for (const tab of tabs) {
        const signed = await tab.signMessage({ walletId: wallet?.id ?? '', message })
        expect(await verifyCosmos(signed, message, wallet?.publicKey ?? '')).toEqual({ noble: true, OpenSSL: true })
      }
    })
  })

  it('whose first two logins come at the same moment ends with one wallet of each type', async () => {
    const [email, password] = [newEmail('grace'), newPassword()]
    const proxy = await startProxy(service.addresses.api)
    const addresses = { ...service.addresses, api: proxy.address }
    // The tab of the sign-up is closed before it has asked for a wallet.
    proxy.handle = (request, pass) =>
      /^\/users\/[^/]+\/wallets$/.test(request.target) && request.method === 'POST'
        ? Promise.resolve(sentence(503, 'service unavailable'))
        : pass()
    await expect(signUp(service, { email, password, addresses })).rejects.toMatchObject({ status: 503 })
    await proxy.stop()

    const logins = await Promise.allSettled([logIn(service, { email, password }), logIn(service, { email, password })])

    // A device that is second to make a wallet gets no share of it, and its call says so: both, if each was first with one type.
    const refused = logins.flatMap((login) =>
      login.status === 'rejected' ? [login.reason as { message: string }] : [],
    )
    for (const { message: words } of refused) {
      expect(words).toMatch(/^wallet with id .* was created on another device, log in again to use it here$/)
    }
    const [survivor] = logins.flatMap((login) => (login.status === 'fulfilled' ? [login.value] : []))
    const [first, second] = [
      survivor ?? (await logIn(service, { email, password })),
      await logIn(service, { email, password }),
    ]
    expect(byType(await first.getWallets())).toEqual(byType(await second.getWallets()))
    const { wallets = [], users = [], pinned_roots = [] } = await rowsOf(service)
    const user = users.find(({ identity_value }) => identity_value === email)
    const own = wallets.filter(({ user_id }) => user_id === user?.['id'])
    expect(own.map(({ type, state, epoch }) => [type, state, epoch]).sort()).toEqual([
      ['COSMOS', 'ACTIVE', 1],
      ['EVM', 'ACTIVE', 1],
      ['SOLANA', 'ACTIVE', 1],
    ])
    expect(pinned_roots.filter(({ user_id }) => user_id === user?.['id'])).toHaveLength(1)
    await expectSignatures(second)
  })

  it.concurrent(
    'no longer signs after the logout of a device, not even with a copy of its storage, while the other device does',
    async () => {
      const phone = await logIn(service, ada)
      const walletId = ada.walletIds[0] ?? ''
      const copy = makeStorage(phone.storage)
      await phone.signMessage({ walletId, message })

      await phone.logout()

      await expect(phone.signMessage({ walletId, message })).rejects.toMatchObject({ message: 'no signed-in user' })
      expect([...phone.storage.local.keys()].filter((key) => key.includes('keys/'))).toEqual([])
      expect([...phone.storage.local.values()].join()).not.toContain('shareText')
      expect(await phone.isSessionActive()).toBe(false)
      await expect(deviceOf(ada, { storage: copy }).signMessage({ walletId, message })).rejects.toMatchObject({
        message: 'no signed-in user',
      })
      expect(await ada.device.signMessage({ walletId, message })).toMatchObject({ walletId })
    },
  )

  describe('at the portal', () => {
    it.concurrent(
      'is refused a wrong password with a sentence, and accepts the right one on the same page',
      async () => {
        const words: string[] = []
        const play: Play = Effect.gen(function* () {
          const begun = yield* openPage()
          if (begun.kind !== 'entered') throw new Error('the page was not entered')
          const tried = Effect.flip(loginWithPassword(begun.portalSession, Redacted.make(`${ada.password}?`)))
          words.push((yield* Effect.orDie(tried)).message)
          yield* loginWithPassword(begun.portalSession, Redacted.make(ada.password))
        })
        const device = deviceOf(ada, { play })

        const loggedIn = await device.login({ email: ada.email })

        expect(words).toEqual(['invalid password'])
        expect(loggedIn).toMatchObject({ userId: ada.userId, missing: [] })
        expect(await device.signMessage({ walletId: ada.walletIds[0] ?? '', message })).toMatchObject({
          walletId: ada.walletIds[0],
        })
      },
    )

    it.concurrent(
      'fails the login when the person gives up after a wrong password, and the next login succeeds',
      async () => {
        const play: Play = Effect.gen(function* () {
          const begun = yield* openPage()
          if (begun.kind === 'entered')
            yield* Effect.ignore(loginWithPassword(begun.portalSession, Redacted.make('not the password')))
          yield* (yield* Navigation).close
        })
        const device = deviceOf(ada, { play })

        await expect(device.login({ email: ada.email })).rejects.toMatchObject({
          message: 'popup was closed before it was done',
        })
        expect(await device.isSessionActive()).toBe(false)
        expect(await (await logIn(service, ada)).isSessionActive()).toBe(true)
      },
    )

    it.concurrent('fails the sign-up when the popup is closed; the same user signs up afterwards', async () => {
      const email = newEmail('joan')
      const leaving = deviceOf({}, { play: personWhoLeaves, types: { SOLANA: true } })
      await leaving.createUser({ email })
      await leaving.verifyEmail(await mailedCode(service, email))

      await expect(leaving.setUpPassword()).rejects.toMatchObject({
        message: 'exitted login without setting up user',
      })

      expect(await leaving.checkUserExists({ email })).toBe(false)
      expect(
        (await rowsOf(service))['wallets']?.some(
          ({ user_id }) => user_id === leaving.storage.local.get(StorageKeys.userId),
        ),
      ).toBe(false)
      const joan = await signUp(service, { email, types: { SOLANA: true } })
      expect(joan.userId).toBe(leaving.storage.local.get(StorageKeys.userId))
    })

    it.concurrent('fails the login when the popup is closed', async () => {
      const device = deviceOf(ada, { play: personWhoLeaves })
      const login = device.login({ email: ada.email })

      await expect(login).rejects.toMatchObject({ _tag: 'PopupClosed', message: 'popup was closed before it was done' })
      expect(await device.isSessionActive()).toBe(false)
    })
  })

  describe('whose session is exported', () => {
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Record<string, unknown>

    it('has the fields of the public client’s, and the key shares unless they are excluded', async () => {
      const [withSigners, without] = [
        await ada.device.exportSession(),
        await ada.device.exportSession({ excludeSigners: true }),
      ]
      const [walletId = ''] = ada.walletIds

      expect(Object.keys(read(withSigners)).sort()).toEqual(
        ['currentWalletIds', 'delegation', 'email', 'externalWallets', 'sessionCookie', 'userId', 'wallets'].sort(),
      )
      expect((read(withSigners).wallets as Record<string, Record<string, unknown>>)[walletId]).toHaveProperty('signer')
      expect(Buffer.from(without, 'base64').toString()).not.toContain('signer')
      expect(read(without)).toMatchObject({ email: ada.email, userId: ada.userId })
      const own = ada.device.storage.local.get(StorageKeys.sessionCookie)
      for (const text of [withSigners, without]) expect(read(text).sessionCookie).not.toBe(own)
    })

    it('is not taken by a page', async () => {
      const text = await ada.device.exportSession()

      await expect(deviceOf().importSession(text)).rejects.toMatchObject({ _tag: 'DelegatedToServer' })
    })

    it('is not imported from any other text', async () => {
      for (const text of ['', 'no base64!', Buffer.from('{}').toString('base64'), randomUUID()]) {
        await expect(deviceOf().importSession(text)).rejects.toMatchObject({ message: 'invalid session text' })
      }
    })
  })
})
