/** The private key of a wallet, exported over HTTP: by the portal's page alone, to the user alone. */
import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportWithPasskey, exportWithPassword, type PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { exportingOf, type PortalSession } from '../../domain/client/portal/portalSession.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { openPage } from '../kit/pageFlows.ts'
import { makePasskeyDevice } from '../kit/passkeyDevice.ts'
import { personWith, personWhoLeaves, type PageServices, type Play } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { foundIn } from './needles.ts'
import { Device, logIn, shop, signUp, type DeviceOptions, type Person } from './people.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { rowsOf } from './rows.ts'

const both = { EVM: true, SOLANA: true } as const

let service: TestService
let proxies: readonly Proxy[]
let ada: Person

const through = () => {
  const [api = '', cosigner = ''] = proxies.map(({ address }) => address)
  return { ...service.addresses, api, cosigner }
}

beforeAll(async () => {
  service = await startService()
  proxies = [await startProxy(service.addresses.api), await startProxy(service.addresses.cosigner)]
  ada = await signUp(service, { types: both, addresses: through() })
})

afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  await service.stop()
})

/** What a person saw on the page, or its failure. */
type Seen = { key?: PrivateKey; failure?: string; portalSession?: PortalSession; ownKey?: Uint8Array }

const someone = <E extends { readonly _tag: string }>(
  seen: Seen,
  does: (portalSession: PortalSession) => Effect.Effect<PrivateKey, E, PageServices | Effect.Services<Play>>,
): Play =>
  Effect.gen(function* () {
    const begun = yield* openPage()
    if (begun.kind !== 'entered') throw new Error('the page was not entered')
    seen.portalSession = begun.portalSession
    seen.ownKey = exportingOf(begun.portalSession)?.secretKey.slice() ?? new Uint8Array(0)
    const note = (error: E) => Effect.sync(() => void (seen.failure = tagOf(error)))
    seen.key = yield* Effect.tapError(does(begun.portalSession), note)
    yield* (yield* Navigation).close
  })

const tagOf = (error: { readonly _tag: string; readonly code?: string }) => error.code ?? error._tag

/** The person's device, as it is: with the page of the next export played like this. */
const deviceWith = (person: Person, play: Play, options: Partial<DeviceOptions> = {}) =>
  new Device({
    apiKey: service.partner.apiKey,
    addresses: through(),
    storage: person.device.storage,
    types: both,
    play,
    ...options,
  })

const exported = async (person: Person, walletId?: string, addresses = through()) => {
  const seen: Seen = {}
  const play = someone(seen, (portalSession) => exportWithPassword(portalSession, Redacted.make(person.password)))
  const device = deviceWith(person, play, { addresses })
  const result = await device.exportPrivateKey(walletId === undefined ? {} : { walletId })
  return { result, ...seen }
}

const walletOf = async (person: Person, type: 'EVM' | 'SOLANA') => {
  const wallet = (await person.device.getWallets()).find((one) => one.type === type)
  if (wallet === undefined) throw new Error('no such wallet')
  return wallet
}

const hexOf = (key: PrivateKey | undefined) => `0x${bytesToHex(key?.secret ?? new Uint8Array(32))}` as const

describe('an exported key', () => {
  it('has the wallet’s address, and signs as the wallet does', async () => {
    const { address } = await walletOf(ada, 'EVM')

    const { result, key } = await exported(ada)

    const account = privateKeyToAccount(hexOf(key))
    const message = 'from the key alone'
    expect(result).toBe('accepted')
    expect(account.address).toBe(address)
    expect(key?.address).toBe(address)
    expect(await recoverMessageAddress({ message, signature: await account.signMessage({ message }) })).toBe(address)
  })

  it('is reported to its user by mail and in the audit, and is neither in messages nor in the database', async () => {
    const { id, address } = await walletOf(ada, 'EVM')
    const { key, ownKey = new Uint8Array(0) } = await exported(ada, id)
    const rows = await rowsOf(service)

    const letter = (await service.mailbox(ada.email)).at(-1)
    expect(letter?.subject).toMatch(/^A private key was exported from /)
    expect(letter?.text).toContain(`${address} was exported from ${shop}, on a page of localhost:3003`)
    const exportedAt = rows['wallets']?.find((row) => row['id'] === id)?.['exported_at']
    expect(exportedAt).toEqual(expect.any(Number))
    expect(rows['audits']?.filter(({ event }) => event === 'share.export').at(-1)).toMatchObject({
      user_id: ada.userId,
      subject: id,
    })
    const secrets = [
      { name: 'the key', bytes: key?.secret ?? new Uint8Array(0) },
      { name: 'the page’s own key', bytes: ownKey },
    ]
    const heard = proxies.flatMap(({ seen }) => seen.flatMap(({ request, reply }) => [request.body, reply.body]))
    const stored = Buffer.from(JSON.stringify(rows))
    const written = ada.device.storage.written.map((text) => Buffer.from(text))
    for (const where of [...heard, ...written, stored]) expect(foundIn(where, secrets)).toEqual([])
  })

  it('is that of the wallet that is named: a second one of a type, and one of Cosmos', async () => {
    const bob = await signUp(service, { types: { EVM: true, COSMOS: true }, addresses: through() })
    const second = await bob.device.createWallet({ type: 'EVM' })
    const wallets = await bob.device.getWallets()
    const exports = []
    for (const { id, type } of wallets) {
      const { result, key } = await exported(bob, id)
      const secret = key?.secret ?? new Uint8Array(32)
      const address =
        type === 'EVM'
          ? privateKeyToAccount(hexOf(key)).address
          : pubkeyToAddress(encodeSecp256k1Pubkey(secp256k1.getPublicKey(secret)), 'cosmos')
      exports.push({ result, id, address, shown: key?.address })
    }

    expect(wallets.map(({ type }) => type).sort()).toEqual(['COSMOS', 'EVM', 'EVM'])
    expect(wallets.map(({ id }) => id)).toContain(second.walletId)
    expect(exports).toEqual(wallets.map(({ id, address }) => ({ result: 'accepted', id, address, shown: address })))
    expect(new Set(exports.map(({ address }) => address)).size).toBe(3)
  })

  it('is given also to a page whose user proves a passkey', async () => {
    const passkeys = makePasskeyDevice('at once')
    const eve = await signUp(service, { types: { EVM: true }, passkeys, addresses: through() })
    const seen: Seen = {}

    const device = deviceWith(eve, someone(seen, exportWithPasskey), { passkeys })
    expect(await device.exportPrivateKey()).toBe('accepted')

    expect(privateKeyToAccount(hexOf(seen.key)).address).toBe((await walletOf(eve, 'EVM')).address)
    expect(seen.portalSession?.authMethods).toEqual(['BIOMETRIC'])
  })
})

describe('nothing is exported', () => {
  it('of an unknown wallet, or one of another scheme, and no window opens a page', async () => {
    const solana = await walletOf(ada, 'SOLANA')

    await expect(exported(ada, crypto.randomUUID())).rejects.toThrow('wallet not found')
    await expect(exported(ada, solana.id)).rejects.toThrow('invalid wallet scheme')
  })

  it.concurrent('when the person leaves', async () => {
    const bob = await signUp(service, { types: { EVM: true } })

    expect(await deviceWith(bob, personWhoLeaves).exportPrivateKey()).toBe('cancelled')
  })

  it.concurrent('when the password is wrong or another user’s', async () => {
    const bob = await signUp(service, { types: { EVM: true } })
    const seen: Seen = {}
    const play = someone(seen, (portalSession) => exportWithPassword(portalSession, Redacted.make(ada.password)))

    expect(await deviceWith(bob, play).exportPrivateKey()).toBe('cancelled')
    expect(seen).toMatchObject({ failure: 'InvalidPassword' })
    expect(seen.key).toBeUndefined()
  })

  it.concurrent('when the passkey of another user of the same browser answers', async () => {
    const passkeys = makePasskeyDevice('at once')
    const eve = await signUp(service, { types: { EVM: true }, passkeys })
    const bob = await signUp(service, { types: { EVM: true } })
    const seen: Seen = {}

    expect(eve.userId).not.toBe(bob.userId)
    expect(await deviceWith(bob, someone(seen, exportWithPasskey), { passkeys }).exportPrivateKey()).toBe('cancelled')
    expect(seen).toMatchObject({ failure: 'UnknownPasskey' })
  })

  it.concurrent.each<[string, (answer: Uint8Array, before: Uint8Array | undefined) => Uint8Array]>([
    ['replayed', (answer, before) => before ?? answer],
    ['changed', flipped],
  ])('when the provider’s answer was %s', async (_, forge) => {
    const proxy = await startProxy(service.addresses.api)
    const addresses = { ...service.addresses, api: proxy.address }
    const bob = await signUp(service, { types: { EVM: true }, addresses })
    const first = await exported(bob, undefined, addresses)
    const kept = proxy.seen.findLast(({ request }) => request.target.endsWith('/capsule-share'))?.reply.body
    expect(first.key).toBeDefined()
    const seen: Seen = {}
    const play = someone(seen, (portalSession) => exportWithPassword(portalSession, Redacted.make(bob.password)))
    proxy.handle = async ({ target }, pass) => {
      const reply = await pass()
      return target.endsWith('/capsule-share') ? { ...reply, body: forge(reply.body, kept) } : reply
    }

    expect(await deviceWith(bob, play, { addresses }).exportPrivateKey()).toBe('cancelled')
    expect(seen).toMatchObject({ failure: 'ExportRefused' })
    expect(seen.key).toBeUndefined()
    await proxy.stop()
  })

  it.concurrent(
    'when the page got another address than the key’s: the provider’s half is not even requested',
    async () => {
      const proxy = await startProxy(service.addresses.api)
      const addresses = { ...service.addresses, api: proxy.address }
      const bob = await signUp(service, { types: { EVM: true }, addresses })
      const seen: Seen = {}
      const walletAddress = `0x${'11'.repeat(20)}`
      const play = someone(seen, (portalSession) =>
        exportWithPassword({ ...portalSession, walletAddress }, Redacted.make(bob.password)),
      )

      expect(await deviceWith(bob, play, { addresses }).exportPrivateKey()).toBe('cancelled')
      expect(seen).toMatchObject({ failure: 'ExportRefused' })
      const targets = proxy.seen.map(({ request }) => request.target)
      expect(targets.some((target) => target.includes('/passwords/verify'))).toBe(true)
      expect(targets.some((target) => target.endsWith('/capsule-share'))).toBe(false)
      await proxy.stop()
    },
  )

  it('for the host’s token in curl', async () => {
    const { id } = await walletOf(ada, 'EVM')
    const token = ada.device.storage.local.get('@CAPSULE/sessionCookie') ?? ''
    const answer = await fetch(`${service.addresses.api}/users/${ada.userId}/wallets/${id}/capsule-share`, {
      headers: { 'x-capsule-sid': token, origin: shop, 'x-external-api-key': service.partner.apiKey },
    })

    expect([answer.status, await answer.text()]).toEqual([403, 'a step-up is required'])
  })

  it('in a browser where no user is signed in', async () => {
    const stranger = new Device({ apiKey: service.partner.apiKey, addresses: through(), play: personWith('') })

    await expect(stranger.exportPrivateKey()).rejects.toThrow('no signed-in user')
  })

  it('on another device without a login there', async () => {
    const laptop = await logIn(service, ada, { types: both, addresses: through() })

    expect((await exported({ ...ada, device: laptop })).result).toBe('accepted')
  })
})

/** Another character in the middle of the sealed text. */
const flipped = (body: Uint8Array): Uint8Array => {
  const changed = body.slice()
  changed[60] = changed[60] === 65 ? 66 : 65
  return changed
}
