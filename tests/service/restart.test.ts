/**
 * A service that restarts on its data, and one that gets an older copy of its database while its files stay. Neither
 * continues a run, and the latter unlocks no wallet.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Layer from 'effect/Layer'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../adapters/service/database/Database.ts'
import * as Address from '../../domain/model/Address.ts'
import * as CosmosMessage from '../../domain/model/CosmosMessage.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import type { Meddle, WalletKey } from '../kit/device.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { casesOf } from '../kit/long.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { startService, type TestService } from '../kit/service.ts'
import { verifyCosmos, verifySolana } from '../smoke/verify.ts'
import { Device, logIn, signUp, type BrowserStorage, type Person } from './people.ts'
import { rowsOf } from './rows.ts'
import { ask, heldBy, postFrame, refusal, success, unsignedAnswer, type Held } from './wire.ts'

const message = 'before and after'
const lost = '409 RunLost: run was lost when the co-signer restarted, begin again'
const hello: SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) }

/** The location of a database, and how an older copy of it is restored. */
type Rest = {
  readonly open: () => Layer.Layer<Database>
  readonly copy: () => Promise<void>
  readonly restore: () => Promise<void>
}

const onPglite = (folder: string): Promise<Rest> => {
  const [database, copied] = [join(folder, 'database'), join(folder, 'copy')]
  return Promise.resolve({
    open: () => Layer.orDie(databaseIn({ kind: 'pglite', folder: database })),
    copy: async () => cpSync(database, copied, { recursive: true }),
    restore: async () => {
      rmSync(database, { recursive: true })
      cpSync(copied, database, { recursive: true })
    },
  })
}

const onPostgres = async (): Promise<Rest> => {
  let url = await makeDatabaseUrl()
  let copied = url
  return {
    open: () => Layer.orDie(databaseIn({ kind: 'postgres', url })),
    copy: async () => {
      copied = await makeDatabaseUrl(url)
    },
    restore: () => {
      url = copied
      return Promise.resolve()
    },
  }
}

/** The same as a message of Cosmos. */
const helloOf = ({ share }: WalletKey): SigningRequest => {
  const document = CosmosMessage.signDoc(Address.cosmos(share.publicKey), utf8ToBytes('hello'))
  return { kind: 'cosmosAmino', signDoc: bytesToHex(document) }
}

/** A run whose first request was answered, and whose second is made and not sent. */
type Begun = { readonly first: Uint8Array; readonly second: Uint8Array }

const begin = async (held: Held, walletId: string, asked: SigningRequest = hello): Promise<Begun> => {
  const requests: Uint8Array[] = []
  const capture: Meddle = (request, frame) => {
    requests.push(request)
    if (frame.step === 2) throw new Error('captured')
    return request
  }
  await held.protocol.sign(held.keyOf(walletId), asked, { meddle: capture }).catch(() => undefined)
  const [first, second] = requests
  if (first === undefined || second === undefined) throw new Error('the run did not begin')
  return { first, second }
}

/** Changes only the OT matrix of the first message, so that the consistency check alone fails. */
const cheating =
  (held: Held): Meddle =>
  (request, frame) => {
    const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
    if (body?.request._tag !== 'Success') return request
    const changed = body.message.map((byte, index) => (index === 101 ? byte ^ 1 : byte))
    return held.protocol.signFrame({
      ...frame,
      body: Frame.encodeSign({ ...body, request: body.request.success, message: changed }),
    })
  }

const otherBody = (held: Held, request: Uint8Array): Uint8Array => {
  const decoded = Frame.decode(request)
  if (decoded === undefined) throw new Error('not a frame')
  return held.protocol.signFrame({
    ...decoded.frame,
    body: decoded.frame.body.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
  })
}

const protocolIdOf = (request: Uint8Array): string => Frame.decode(request)?.frame.protocolId ?? ''

const suites: readonly (readonly [name: string, rest: (folder: string) => Promise<Rest>])[] = [
  ['PGlite', onPglite],
  ['PostgreSQL', onPostgres],
]

describe.each(casesOf(suites, ([name]) => name === 'PostgreSQL'))('on %s', (_, restIn) => {
  let folder: string
  let rest: Rest
  let service: TestService
  let apiKey: string
  let ada: Person
  let phone: BrowserStorage
  let evm: string
  let cosmos: string
  let solana: string
  let addresses: readonly (readonly [string, string | null | undefined])[]

  const start = async () => {
    service = await startService({ dataFolder: folder, database: rest.open() })
  }

  /** A page that is loaded again: the same storage, nothing in memory. */
  const reloaded = (storage: BrowserStorage) =>
    new Device({ apiKey, addresses: service.addresses, password: ada.password, storage })

  const heldNow = (storage: BrowserStorage) => heldBy(service, reloaded(storage), apiKey)

  /** The status of the co-signer's answer, or its refusal. */
  const statusOf = async (held: Held, request: Uint8Array): Promise<string> => {
    const answer = await held.protocol.send(request)
    return 'status' in answer ? answer.status : answer.message
  }

  const expectSignatures = async (storage: BrowserStorage, ...walletIds: readonly string[]) => {
    const device = reloaded(storage)
    const wallets = await device.getWallets()
    for (const walletId of walletIds) {
      const wallet = wallets.find(({ id }) => id === walletId)
      const signed = await device.signMessage({ walletId, message })
      const verdicts =
        wallet?.type === 'EVM'
          ? {
              viem: await verifyMessage({
                address: signed.address as `0x${string}`,
                message,
                signature: signed.ethereumSignature ?? '0x',
              }),
            }
          : wallet?.type === 'SOLANA'
            ? await verifySolana(signed, message)
            : await verifyCosmos(signed, message, wallet?.publicKey ?? '')
      expect([wallet?.type, ...Object.values(verdicts)]).not.toContain(false)
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-restart-'))
    rest = await restIn(folder)
    await start()
    apiKey = service.partner.apiKey
    ada = await signUp(service, { types: { EVM: true, COSMOS: true } })
    phone = (await logIn(service, ada)).storage
    const wallets = await ada.device.getWallets()
    evm = wallets.find(({ type }) => type === 'EVM')?.id ?? ''
    cosmos = wallets.find(({ type }) => type === 'COSMOS')?.id ?? ''
    addresses = wallets.map(({ id, address }) => [id, address])
    await expectSignatures(phone, evm)
  })

  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const restart = async (between: () => Promise<void> = () => Promise.resolve()) => {
    await service.stop()
    await between()
    await start()
  }

  describe('a service that was stopped and started again', () => {
    let before: Held
    let underway: Begun
    let finished: Begun
    let lastAnswer: Uint8Array
    let databaseGeneration: unknown

    beforeAll(async () => {
      before = await heldNow(ada.device.storage)
      finished = await begin(before, evm)
      lastAnswer = (await postFrame(service, before.token, finished.second)).bytes
      underway = await begin(before, evm)
      databaseGeneration = (await rowsOf(service))['incarnation']?.[0]?.['id']
      await restart()
    })

    it('has the same database generation', async () => {
      expect((await rowsOf(service))['incarnation']?.[0]?.['id']).toBe(databaseGeneration)
    })

    it('repeats its last answers, and refuses open runs: the next try is another run', async () => {
      const again = (await postFrame(service, before.token, finished.second)).bytes
      expect(unsignedAnswer(again)).toBe(unsignedAnswer(lastAnswer))
      const held = await heldNow(ada.device.storage)
      expect(await statusOf(held, underway.second)).toBe(lost)
      expect(await statusOf(held, underway.first)).toBe(lost)
      expect(await held.protocol.sign(held.keyOf(evm), hello)).toMatchObject({ kind: 'done' })
    })

    it('knows its sessions, its wallets and their addresses', async () => {
      const device = reloaded(ada.device.storage)
      const touched = success(await ask((await heldNow(ada.device.storage)).client, 'POST', '/touch?regenerate=false'))

      expect(touched).toMatchObject({
        isAuthenticated: true,
        sessionId: before.sessionId,
        userId: ada.userId,
        needsWallet: false,
      })
      expect(touched.currentWalletIds).toEqual({ EVM: [evm], COSMOS: [cosmos] })
      expect((await device.getWallets()).map(({ id, address }) => [id, address])).toEqual(addresses)
      expect(await reloaded(phone).isSessionActive()).toBe(true)
    })

    it('signs with every wallet on each device', async () => {
      await expectSignatures(ada.device.storage, evm, cosmos)
      await expectSignatures(phone, evm)
    })

    it('accepts the password on a new device, and delivers its shares', async () => {
      const { partner: _, ...place } = service
      const tablet = await logIn({ ...place, partner: { ...service.partner, apiKey } }, ada)

      await expectSignatures(tablet.storage, evm)
    })
  })

  describe('a service that was given an older copy of its database', () => {
    let begunBefore: Begun
    let begunAfter: Begun
    let databaseGeneration: unknown
    let late: BrowserStorage

    beforeAll(async () => {
      const held = await heldNow(ada.device.storage)
      const created = await ask(held.client, 'POST', `/users/${ada.userId}/wallets`, {
        scheme: 'ED25519',
        type: 'SOLANA',
      })
      solana = String(success(created).walletId)
      begunBefore = await begin(held, cosmos, helloOf(held.keyOf(cosmos)))
      await restart(rest.copy)

      // The copy lacks the run's end, another run, a key, a device, and a lock.
      const after = await heldNow(ada.device.storage)
      expect(await statusOf(after, begunBefore.second)).toBe(lost)
      const { partner: _, ...place } = service
      late = (await logIn({ ...place, partner: { ...service.partner, apiKey } }, ada)).storage
      expect(await reloaded(ada.device.storage).createWallet({ type: 'SOLANA' })).toMatchObject({ walletId: solana })
      await expectSignatures(ada.device.storage, solana)
      await expectSignatures(phone, cosmos)
      begunAfter = await begin(after, cosmos, helloOf(after.keyOf(cosmos)))
      expect(await after.protocol.sign(after.keyOf(evm), hello, { meddle: cheating(after) })).toEqual({
        kind: 'stopped',
        status: 'BAN',
      })
      databaseGeneration = (await rowsOf(service))['incarnation']?.[0]?.['id']
      await restart(rest.restore)
    })

    it('has another database generation', async () => {
      const [row] = (await rowsOf(service))['incarnation'] ?? []

      expect(row?.['id']).toEqual(expect.any(String))
      expect(row?.['id']).not.toBe(databaseGeneration)
    })

    it('continues no run: not with the same bytes, and not with others', async () => {
      const held = await heldNow(ada.device.storage)
      const { runs = [] } = await rowsOf(service)
      const row = runs.find(({ protocol_id }) => protocol_id === protocolIdOf(begunBefore.first))
      expect(row).toMatchObject({ state: 'RUNNING' })
      expect(Number(row?.['expires_at'])).toBeGreaterThan(Date.now())

      expect(await statusOf(held, begunBefore.second)).toBe(lost)
      expect(await statusOf(held, otherBody(held, begunBefore.second))).toBe(lost)
      expect(await statusOf(held, begunBefore.first)).toBe(lost)
      expect(await statusOf(held, begunAfter.second)).toBe('ABORT')
      const ended = (await rowsOf(service))['runs']?.find(
        ({ protocol_id }) => protocol_id === protocolIdOf(begunBefore.first),
      )
      expect(ended).toMatchObject({ state: 'ABORTED', sealed_seed: null })
    })

    it('keeps a banned wallet locked, although its rows say that it is active', async () => {
      const held = await heldNow(ada.device.storage)
      const locked = '423 KeyShareLocked: key share is locked, log in again to refresh it'
      const row = (await rowsOf(service))['wallets']?.find(({ id }) => id === evm)
      expect(row).toMatchObject({ state: 'ACTIVE', epoch: 1 })

      expect(await held.protocol.sign(held.keyOf(evm), hello)).toMatchObject({ message: locked })
      expect(await held.protocol.attach(held.keyOf(evm).share)).toMatchObject({ message: locked })
      await expect(reloaded(phone).signMessage({ walletId: evm, message })).rejects.toMatchObject({
        status: 423,
        message: 'key share is locked, log in again to refresh it',
      })
      expect(
        (await rowsOf(service))['ot_records']?.filter(({ wallet_id }) => wallet_id === evm).length,
      ).toBeGreaterThan(0)
    })

    it('makes no second key for a wallet whose first key it does not know, and has that one back from its device', async () => {
      const held = await heldNow(ada.device.storage)
      const row = async () => (await rowsOf(service))['wallets']?.find(({ id }) => id === solana)
      expect(await row()).toMatchObject({ state: 'CREATED', address: null })
      expect(await held.protocol.sign(held.keyOf(solana), { kind: 'solanaMessage', message: '00' })).toMatchObject({
        message: '409 KeyShareOutOfDate: key share is out of date, log in again',
      })

      const { walletId } = await reloaded(ada.device.storage).createWallet({ type: 'SOLANA' })

      expect(walletId).toBe(solana)
      const { publicKey } = held.keyOf(solana).share
      expect(await row()).toMatchObject({ state: 'ACTIVE', public_key: bytesToHex(publicKey) })
    })

    it('does not know a session that began after the copy, and lets its user log in again', async () => {
      const token = late.local.get('@CAPSULE/sessionCookie')
      const client = { base: service.addresses.api, apiKey, origin: 'http://localhost:3010', token }

      expect(refusal(await ask(client, 'GET', `/users/${ada.userId}/wallets`))).toBe(
        '401 NoSignedInUser: no signed-in user',
      )
      const device = reloaded(late)
      await device.login({ email: ada.email })
      expect(await device.isSessionActive()).toBe(true)
    })

    it('signs with a wallet of the copy, with its device and with one that attaches again', async () => {
      await expectSignatures(ada.device.storage, cosmos)
      await expectSignatures(phone, cosmos)
    })
  })
})
