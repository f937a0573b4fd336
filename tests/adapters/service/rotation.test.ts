/**
 * Key rings in use: two co-signers on one database and folder, whose rings are rotated and split while they sign; and a
 * process without the role of the co-signer.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import type { KyselyPlugin } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration, type Configuration } from '../../../adapters/service/config.ts'
import { Database } from '../../../adapters/service/database/Database.ts'
import { lookEveryMs, type KeyRing } from '../../../adapters/service/vault/KeyRing.ts'
import { readRing, ringAt, ringStoreIn } from '../../../adapters/service/vault/ringFile.ts'
import { retireKey, ringStatus, rotateRing } from '../../../adapters/service/vault/rotation.ts'
import { keyIdOf, openRecord, openRun, sealRun } from '../../../adapters/service/vault/sealing.ts'
import { quarterOf, runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import { splitKeys } from '../../../adapters/service/vault/splitKeys.ts'
import { ringFilesOf } from '../../../adapters/service/vault/vaultOf.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import {
  applyPolicy,
  rollBackPolicy,
  copyAssociatedData,
  currentPolicy,
  policyAssociatedData,
  policyVersion,
} from '../../../domain/service/policies.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import {
  keptAnswer,
  keptAnswerAssociatedData,
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { makePartner, makeUser, signIn, startWorld, value, type World } from '../../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../../kit/database.ts'
import { startChild } from '../../kit/child.ts'
import { databaseIn } from '../../kit/databasePlace.ts'
import { keyOf, type Ended, type WalletKey } from '../../kit/device.ts'
import { isLong } from '../../kit/long.ts'
import { writePages } from '../../kit/pages.ts'

const asked = {
  EVM: { kind: 'eip191', message: bytesToHex(Buffer.from('hello')) },
  SOLANA: { kind: 'solanaMessage', message: bytesToHex(Buffer.from('hello')) },
} as const satisfies Readonly<Record<string, SigningRequest>>

const folders: string[] = []
let worlds: World[] = []
let database: Layer.Layer<Database>
let dataFolder: string

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tandem-rotation-'))
  folders.push(dataFolder)
  database = Layer.orDie(databaseIn({ kind: 'postgres', url: await makeDatabaseUrl() }))
})

afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.stop()))
})

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const start = async (configuration: Partial<Configuration> = {}): Promise<World> => {
  const world = await startWorld({ dataFolder, database: Layer.fresh(database), configuration })
  worlds.push(world)
  return world
}

/** As a command has them: rings, database and folder of its own. */
const filesOf = (environment: Configuration['environment'] = 'DEV') => {
  const read = Result.getOrThrow(readConfiguration({ DATA_FOLDER: dataFolder }))
  return ringFilesOf({ ...read, environment })
}
const shareKeys = () => shareKeysIn(join(dataFolder, 'cosigner', 'share-keys'))
const command = <A, E>(flow: Effect.Effect<A, E, Database>) =>
  Effect.runPromise(Effect.result(flow).pipe(Effect.provide(Layer.fresh(database))))
const ofRing = (ring: Ring, environment?: Configuration['environment']) => ({
  store: ringStoreIn(filesOf(environment)[ring]),
  shareKeys: shareKeys(),
})
const waits = { activeInMs: lookEveryMs + 100, settleMs: 0 }
const rotate = (ring: Ring) => command(rotateRing(ofRing(ring), waits))
const retire = (ring: Ring, id: string) => command(retireKey(ofRing(ring), id, waits))
const idsOf = (ring: Ring) => (readRing(filesOf()[ring]) ?? []).map(({ id }) => id)

const walletOf = async (world: World, type: keyof typeof asked) => {
  const user = await makeUser(world)
  const host = await signIn(world, user, await makePartner(world))
  const scheme = type === 'EVM' ? 'DKLS' : 'ED25519'
  const ended = await host.device.keygen({ ...value(await host.createWallet({ type })), scheme }, user.rootPublicKey)
  let key = keyOf(ended)
  let capsule = capsuleOf(ended)
  return {
    walletId: key.walletId,
    sign: () => host.device.sign(key, asked[type]),
    /** A new sharing, whose capsule is sealed under the key of now. */
    refresh: async () => {
      const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
      const refreshed = await host.device.refresh(key.share, protocolId)
      const done = await send('ACK', keyOf(refreshed), new Uint8Array(0))
      key = keyOf(refreshed)
      capsule = capsuleOf(refreshed)
      return done
    },
    /** The capsule that the provider answers; the device keeps it if `keeps`. */
    reissue: async (keeps: boolean) => {
      const answered = await send('REISSUE', key, capsule)
      if ('body' in answered && keeps) capsule = answered.body
      return answered
    },
    reattach: () => send('REATTACH', key, capsule),
  }

  async function send(operation: 'ACK' | 'REATTACH' | 'REISSUE', { share }: WalletKey, body: Uint8Array) {
    const { device, sessionId } = host
    const { walletId, epoch, shareId } = share
    const of = { scheme: share.scheme, sessionId, walletId, epoch, shareId, deviceKeyThumb: device.deviceKeyThumb }
    const rest = { protocolId: randomUUID(), step: 1, attempt: new Uint8Array(16), body }
    return device.send(device.signFrame({ operation, ...of, ...rest }))
  }
}

const capsuleOf = (ended: Ended): Uint8Array => {
  const confirmed = ended.kind === 'done' ? Frame.decodeConfirmed(ended.body) : undefined
  if (confirmed === undefined) throw new Error('not confirmed')
  return confirmed.capsule
}

type Held = Awaited<ReturnType<typeof walletOf>>

/** Every wallet signs, one signature after the other and at least two, until what runs beside them has ended. */
const whileSigning = async <A>(wallets: readonly Held[], beside: () => Promise<A>): Promise<A> => {
  let isOver = false
  const kinds: string[] = []
  const signing = wallets.map(async ({ sign }) => {
    for (let count = 0; count < 2 || !isOver; count++) {
      const ended = await sign()
      kinds.push(ended.kind === 'refused' ? ended.tag : ended.kind)
    }
  })
  const result = await beside().finally(() => {
    isOver = true
  })
  await Promise.all(signing)
  expect([...new Set(kinds)]).toEqual(['done'])
  return result
}

const chunkLength = 1 << 20

const macOf = (world: World) => world.run(Effect.map(Vault, ({ mac }) => mac('session token', 'a token')))

describe('a rotation', () => {
  it('fails no signature; the old keys go once nothing needs them, and not before', async () => {
    const [one, two] = [await start(), await start()]
    const wallets = [await walletOf(one, 'EVM'), await walletOf(two, 'SOLANA')]
    const mac = await macOf(one)
    const [[service = ''], [cosigner = '']] = [idsOf('service'), idsOf('cosigner')]

    const rotated = await whileSigning(wallets, () => Promise.all([rotate('service'), rotate('cosigner')]))

    expect(rotated.map(Result.isSuccess)).toEqual([true, true])
    const [ofService, ofCosigner] = rotated.map(Result.getOrThrow)
    // The MAC key and the key of JWTs; and the frame key, for each wallet its share and its answer, and one OT record.
    expect(ofService).toMatchObject({ rewrapped: 2, left: 0, capsules: 0 })
    expect(ofCosigner).toMatchObject({ left: 0, capsules: 2 })
    expect(ofCosigner?.rewrapped).toBeGreaterThanOrEqual(6)
    expect(Result.isSuccess(await retire('service', service))).toBe(true)
    expect(await retire('cosigner', cosigner)).toMatchObject({
      failure: { _tag: 'RotationRefused', needs: [{ of: 'capsules', count: 2 }] },
    })
    expect([idsOf('service').length, idsOf('cosigner').length]).toEqual([1, 2])

    // A refresh makes another capsule. One that is exchanged counts once the device has shown that it keeps it.
    const [evm, solana] = wallets
    expect(await evm?.refresh()).toMatchObject({ status: 'OK' })
    for (const keeps of [false, true]) {
      expect(await solana?.reissue(keeps)).toMatchObject({ status: 'OK' })
      expect(await retire('cosigner', cosigner)).toMatchObject({ failure: { needs: [{ of: 'capsules', count: 1 }] } })
    }
    expect(await solana?.reissue(true)).toMatchObject({ status: 'OK' })
    const retired = await whileSigning(wallets, () => retire('cosigner', cosigner))

    expect(Result.isSuccess(retired)).toBe(true)
    expect([idsOf('cosigner').length, idsOf('cosigner').includes(cosigner)]).toEqual([1, false])
    const three = await start()
    wallets.push(await walletOf(three, 'SOLANA'))
    for (const { sign } of wallets) expect(await sign()).toMatchObject({ kind: 'done' })
    expect([await macOf(one), await macOf(three)]).toEqual([mac, mac])
    expect(await solana?.reattach()).toMatchObject({ status: 'OK' })
  })

  it('that was killed goes on with the same key when it is called again', async () => {
    const world = await start()
    const wallet = await walletOf(world, 'EVM')
    const [first = ''] = idsOf('cosigner')
    let calls = 0
    const killed = await command(
      Effect.exit(
        rotateRing(ofRing('cosigner'), { activeInMs: 0 }, () => {
          if (++calls === 2) throw new Error('killed')
        }),
      ),
    )
    const [, second] = idsOf('cosigner')

    expect(killed).toMatchObject({ success: { _tag: 'Failure' } })
    expect(await retire('cosigner', first)).toMatchObject({
      failure: { message: expect.stringContaining('is not finished') as string },
    })
    expect(await wallet.sign()).toMatchObject({ kind: 'done' })
    expect(await rotate('cosigner')).toMatchObject({ success: { id: second, left: 0 } })
    expect(idsOf('cosigner')).toEqual([first, second])
    const status = Result.getOrThrow(await command(ringStatus(ofRing('cosigner'))))
    expect(status).toMatchObject([
      { id: first, isActive: false, needs: [{ of: 'capsules', count: 1 }] },
      { id: second, isActive: true },
    ])
    expect(await wallet.sign()).toMatchObject({ kind: 'done' })
  })

  it('is refused a key that seals, one that is not there, and one that was replaced a moment ago', async () => {
    await start()
    const [only = ''] = idsOf('service')
    const refusal = async (id: string, settleMs = 0) => {
      const retired = await command(retireKey(ofRing('service'), id, { settleMs }))
      return Result.isFailure(retired) ? retired.failure.message : 'retired'
    }

    expect(await refusal(only)).toBe(`Key ${only} is the one that seals; rotate the ring first.`)
    expect(await refusal('00')).toBe("The ring 'service' has no key 00.")
    expect(await command(rotateRing(ofRing('service'), { activeInMs: 0 }))).toMatchObject({ success: { left: 0 } })
    expect(await refusal(only, 600_000)).toBe(`The ring was rotated a moment ago; key ${only} can go in 10 minutes.`)
    expect(await refusal(only)).toBe('retired')
  })

  it('never puts back what a signature changed meanwhile', async () => {
    const world = await start()
    const { walletId } = await walletOf(world, 'EVM')
    const rowOf = async () => ((await world.dump())['ot_records'] ?? []).find((row) => row['wallet_id'] === walletId)
    const before = await rowOf()
    const sharing = { walletId, epoch: 1, shareId: String(before?.['share_id']) }
    const place = otAssociatedData(sharing, String(before?.['ot_id']))
    const later = Uint8Array.from(randomBytes(100))
    let isChanged = false
    /** Between the rotation's read of the record and its write. */
    const change = async () => {
      isChanged = true
      const sealed = await world.run(Effect.flatMap(Vault, ({ seal }) => seal(place, later)))
      await world.run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => db.updateTable('ot_records').set({ sealed }).where('wallet_id', '=', walletId).execute()),
        ),
      )
    }
    const meddling: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (!isChanged && result.rows.some((row) => 'ot_id' in row && 'burned_at' in row)) await change()
        return result
      },
    }
    const rotated = await Effect.runPromise(
      Effect.updateService(rotateRing(ofRing('cosigner'), { activeInMs: 0 }), Database, (its) => ({
        ...its,
        root: its.root.withPlugin(meddling),
      })).pipe(Effect.provide(Layer.fresh(database))),
    )

    expect(rotated).toMatchObject({ left: 0 })
    const held = hexToBytes(String((await rowOf())?.['sealed']))
    expect(keyIdOf(held)).toBe(rotated.id)
    expect(await world.run(Effect.flatMap(Vault, ({ open }) => open(place, held)))).toEqual(later)
  })

  it('leaves nothing under the old key that was sealed before it and stored after it', async () => {
    const world = await start()
    const partner = await makePartner(world)
    await world.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
    const copyOf = async () => hexToBytes(String((await world.dump())['policies']?.[0]?.['service_copy']))
    const before = await copyOf()
    const [first = ''] = idsOf('service')
    await command(rotateRing(ofRing('service'), { activeInMs: 0 }))
    await world.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('policies').set({ service_copy: before }).execute()),
      ),
    )

    expect(Result.isSuccess(await retire('service', first))).toBe(true)
    expect([keyIdOf(before), keyIdOf(await copyOf())]).toEqual([first, ...idsOf('service')])
  })

  it('seals the policy before the current one anew, too', async () => {
    const world = await start()
    const partner = await makePartner(world)
    for (const byDefault of ['deny', 'allow'])
      await world.run(applyPolicy(partner.id, { tandem: 'policy/1', default: byDefault, rules: [] }))
    await command(rotateRing(ofRing('cosigner'), { activeInMs: 0 }))
    const [row] = (await world.dump())['policies'] ?? []
    expect(keyIdOf(hexToBytes(String(row?.['before_sealed'])))).toBe(idsOf('cosigner').at(-1))
    expect(await world.run(rollBackPolicy(partner.id, undefined))).toEqual({ version: 3, of: 1 })
  })

  it('counts what it cannot open, whose sharing is in force, as needing its key', async () => {
    const world = await start()
    const { walletId } = await walletOf(world, 'SOLANA')
    const [first = ''] = idsOf('cosigner')
    rmSync(join(dataFolder, 'cosigner', 'share-keys', walletId.slice(0, 2)), { recursive: true })

    expect(await command(rotateRing(ofRing('cosigner'), { activeInMs: 0 }))).toMatchObject({ success: { left: 2 } })

    const [old] = Result.getOrThrow(await command(ringStatus(ofRing('cosigner'))))
    expect(old).toMatchObject({
      id: first,
      needs: [
        { of: 'provider_shares', count: 1 },
        { of: 'runs', count: 1 },
        { of: 'capsules', count: 1 },
      ],
    })
  })
})

describe('a deployment with one key', () => {
  const environment = 'SANDBOX'
  const keyFile = () => join(dataFolder, 'key-encryption-key')
  const split = (progress?: (rewrapped: number) => void) =>
    command(Effect.exit(splitKeys(filesOf(environment), shareKeys(), waits, progress)))
  const filed = (ring: Ring) => (readRing(filesOf(environment)[ring]) ?? []).map(({ id }) => id)

  beforeEach(() => {
    mkdirSync(dataFolder, { recursive: true })
    writeFileSync(keyFile(), randomBytes(32).toString('hex'), { mode: 0o600 })
  })

  it('goes on with it, and is split while it signs: its tokens stay, and the service’s ring loses that key', async () => {
    const [one, two] = [await start({ environment }), await start({ environment })]
    const wallets = [await walletOf(one, isLong ? 'EVM' : 'SOLANA'), await walletOf(two, 'SOLANA')]
    const partner = await makePartner(one)
    await one.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
    const mac = await macOf(one)
    expect(existsSync(filesOf(environment).service.path)).toBe(false)

    let killed = 0
    const result = await whileSigning(wallets, async () => {
      const first = await split(() => {
        if (++killed === 1) throw new Error('killed')
      })
      return [first, await split(), await split()]
    })

    expect(result).toMatchObject([
      { success: { _tag: 'Failure' } },
      { success: { _tag: 'Success', value: { waiting: undefined } } },
      { success: { _tag: 'Success', value: { waiting: undefined } } },
    ])
    const [of] = filed('cosigner')
    expect([filed('cosigner').length, filed('service').length, filed('service').includes(of ?? '')]).toEqual([
      1,
      1,
      false,
    ])
    for (const { sign } of wallets) expect(await sign()).toMatchObject({ kind: 'done' })

    rmSync(keyFile())
    const three = await start({ environment })
    expect([await macOf(two), await macOf(three)]).toEqual([mac, mac])
    expect((await three.run(currentPolicy(partner.id))).kind).toBe('policy')
    expect(await wallets[0]?.refresh()).toMatchObject({ status: 'OK' })
  })

  it('is split by the first start in DEV, and its key file is gone', async () => {
    const key = randomBytes(32).toString('hex')
    writeFileSync(keyFile(), `development ${key}\n`)

    await start()

    expect(existsSync(keyFile())).toBe(false)
    expect(bytesToHex(readRing(filesOf().cosigner)?.[0].key ?? new Uint8Array(0))).toBe(key)
    expect(readFileSync(filesOf().service.path, 'utf8')).not.toContain(key)
  })

  it('starts no process on rings that were made beside it', async () => {
    const world = await start({ environment })
    await makePartner(world)
    await world.stop()
    worlds = []
    rmSync(keyFile())

    await expect(start({ environment })).rejects.toMatchObject({
      message: expect.stringContaining(
        'service-keys.json does not exist: bring it back from its copy, or, for a new deployment, run `tandem kek create`.',
      ) as string,
      of: 'configuration',
    })
    await expect(start()).rejects.toMatchObject({
      message: expect.stringContaining('this ring does not open the MAC key of the database') as string,
      of: 'configuration',
    })
  })
})

describe('a process without the role of the co-signer', () => {
  it('tells the co-signer’s key and reads policies, and opens no share with all that it has', async () => {
    const cosigner = await start()
    const { walletId } = await walletOf(cosigner, 'EVM')
    const partner = await makePartner(cosigner)
    await cosigner.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
    const cosignerKeysFile = join(dataFolder, 'not for it')
    const api = await start({ roles: ['api', 'portal', 'connect', 'admin'], cosignerKeysFile })

    expect(existsSync(cosignerKeysFile)).toBe(false)
    expect((await api.run(currentPolicy(partner.id))).kind).toBe('policy')
    const host = await signIn(api, await makeUser(api), await makePartner(api))
    expect(await host.createWallet({ type: 'EVM' })).toMatchObject({ kind: 'success' })
    // Its files are all but the co-signer's ring: that of the service, run keys and share keys.
    const own = { service: ringAt(filesOf().service), cosigner: ringAt({ ...filesOf().service }) }
    const both = { service: own.service, cosigner: ringAt(filesOf().cosigner) }
    const opens = await opensOf(cosigner, walletId, [own, both])
    expect(opens).toEqual([[], ['share', 'OT record', 'answer', 'seed']])
    const [share] = ((await cosigner.dump())['provider_shares'] ?? []).filter((row) => row['wallet_id'] === walletId)
    const place = shareAssociatedData({ walletId, epoch: 1, shareId: String(share?.['share_id']) })
    const asIts = api.run(Effect.flatMap(Vault, ({ open }) => Effect.option(open(place, bytesIn(share?.['sealed'])))))
    expect(Option.isNone(await asIts)).toBe(true)
  })

  it('makes no folder of the co-signers, and knows no mark, without the role of the API', async () => {
    const cosigner = await start()
    const partner = await makePartner(cosigner)
    const cosignerFolder = join(dataFolder, 'not for it')
    const pages = await start({ roles: ['portal', 'connect', 'admin'], cosignerFolder })

    const marks = [policyVersion(partner.id), Effect.flatMap(Watermarks, ({ raise }) => raise('any', 1))]
    for (const mark of marks)
      expect(String(await pages.run(Effect.exit(mark)))).toContain('processes without the roles api and cosigner')
    expect(existsSync(cosignerFolder)).toBe(false)
  })

  it.runIf(isLong && existsSync('/proc/self/mem')).each([
    ['portal', ['service']],
    ['cosigner', ['cosigner', 'service']],
  ] as const)('has in its memory, as %s, the keys of %j', async (role, found) => {
    const url = await makeDatabaseUrl()
    const world = await startWorld({ dataFolder, database: Layer.orDie(databaseIn({ kind: 'postgres', url })) })
    await world.stop()
    const child = startChild(
      'adapters/service/main.ts',
      {
        DATA_FOLDER: dataFolder,
        DATABASE_URL: url,
        PAGES_FOLDER: writePages(join(dataFolder, 'pages')),
        PORTAL_LISTEN: '127.0.0.1:0',
        COSIGNER_LISTEN: '127.0.0.1:0',
      },
      ['--role', role],
    )
    try {
      await child.until(/listening/)
      const keys = (['cosigner', 'service'] as const).filter((ring) => {
        const key = Buffer.from(readRing(filesOf()[ring])?.[0].key ?? new Uint8Array(0))
        return isInMemory(child.process.pid ?? 0, [key, Buffer.from(key.toString('hex'))])
      })
      expect(keys).toEqual(found)
    } finally {
      await child.stop()
    }
  })

  /** Whether any of the texts is in what the process has written to. */
  const isInMemory = (pid: number, texts: readonly Buffer[]): boolean => {
    const memory = openSync(`/proc/${pid}/mem`, 'r')
    try {
      return readFileSync(`/proc/${pid}/maps`, 'latin1')
        .split('\n')
        .some((line) => {
          const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
          if (from === '') return false
          for (let at = BigInt(`0x${from}`); at < BigInt(`0x${to}`); at += BigInt(chunkLength - 64)) {
            const length = Math.min(chunkLength, Number(BigInt(`0x${to}`) - at))
            const chunk = Buffer.alloc(length)
            try {
              readSync(memory, chunk, 0, length, at)
            } catch {
              // A region that cannot be read: a guard, or one that was freed meanwhile.
              continue
            }
            if (texts.some((text) => chunk.includes(text))) return true
          }
          return false
        })
    } finally {
      closeSync(memory)
    }
  }

  it('answers that the co-signer is busy until one has started', async () => {
    const api = await start({ roles: ['api'] })
    const identity = () => api.run(Effect.result(Effect.flatMap(CosignerEngine, (engine) => engine.identity)))
    const before = await identity()
    const cosigner = await start()

    expect(before).toMatchObject({ failure: { _tag: 'CosignerBusy' } })
    const own = await cosigner.run(Effect.flatMap(CosignerEngine, (engine) => engine.identity))
    expect(await identity()).toEqual(Result.succeed(own))
  })

  it.runIf(isLong)(
    'gets the copy of a policy that an earlier version applied, from the next start of a co-signer',
    async () => {
      const cosigner = await start()
      const partner = await makePartner(cosigner)
      const apply = (by: World) => by.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
      await apply(cosigner)
      const api = await start({ roles: ['api'] })
      const put = (service_copy: Uint8Array | null) =>
        api.run(
          Effect.flatMap(Database, ({ query }) =>
            query((db) => db.updateTable('policies').set({ service_copy }).execute()),
          ),
        )
      const older = hexToBytes(String((await cosigner.dump())['policies']?.[0]?.['service_copy']))
      await apply(cosigner)

      for (const left of [null, older]) {
        await put(left)
        expect(await api.run(currentPolicy(partner.id))).toMatchObject({ kind: 'unusable' })
        await start()
        expect(await api.run(currentPolicy(partner.id))).toMatchObject({ kind: 'policy', version: 2 })
      }
    },
  )

  it('cannot widen a policy: the co-signer judges by its own record', async () => {
    const cosigner = await start()
    const partner = await makePartner(cosigner)
    await cosigner.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
    const api = await start({ roles: ['api'] })
    const wide = utf8ToBytes(JSON.stringify({ tandem: 'policy/1', default: 'allow', rules: [] }))
    const copy = await api.run(
      Effect.flatMap(Vault, ({ seal }) => seal(copyAssociatedData({ partnerId: partner.id, version: 1 }), wide)),
    )
    await api.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('policies').set({ service_copy: copy, sealed: copy }).execute()),
      ),
    )
    const current = () => cosigner.run(currentPolicy(partner.id))

    expect(await api.run(currentPolicy(partner.id))).toMatchObject({ policy: { default: 'allow' } })
    expect(await current()).toMatchObject({ kind: 'unusable', reason: 'the policy cannot be opened' })
    const seal = api.run(
      Effect.flatMap(Vault, (vault) =>
        Effect.exit(vault.seal(policyAssociatedData({ partnerId: partner.id, version: 1 }), wide)),
      ),
    )
    expect(String(await seal)).toContain('does not have the key ring of policies')
  })

  it('cannot begin a run past the policy: the co-signer ends one that was sealed without its ring', async () => {
    const cosigner = await start()
    const api = await start({ roles: ['api'], cosignerKeysFile: join(dataFolder, 'not for it') })
    const [user, partner] = [await makeUser(cosigner), await makePartner(cosigner)]
    const host = await signIn(cosigner, user, partner)
    const wallet = { ...value(await host.createWallet({ type: 'SOLANA' })), scheme: 'ED25519' } as const
    const key = keyOf(await host.device.keygen(wallet, user.rootPublicKey))
    const sign = (protocolId = randomUUID()) => host.device.sign(key, asked.SOLANA, { protocolId })
    const [walletId, signed] = [key.walletId, randomUUID()]
    expect(await sign(signed)).toMatchObject({ kind: 'done' })
    await cosigner.run(applyPolicy(partner.id, { tandem: 'policy/1', default: 'deny', rules: [] }))
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'DeniedByPolicy' })
    /** With the seed that was sealed by this ring and the run key that every process reads. */
    const plant = async (ring: KeyRing) => {
      const run = await api.run(Effect.flatMap(Runs, ({ find }) => find({ walletId, protocolId: signed })))
      const { now } = api
      const began = { ...Option.getOrThrow(run), protocolId: randomUUID(), createdAt: now(), expiresAt: now() + 60_000 }
      const sealing = { rings: { cosigner: ring }, runKeys: runKeysIn(join(dataFolder, 'cosigner', 'run-keys')) }
      const time = { generation: began.generation, period: quarterOf(now()) }
      const sealedSeed = sealRun(sealing, time, seedAssociatedData(began), randomBytes(32))
      const rest = { state: 'RUNNING', policyVersion: 1, finalBody: null, sealedSeed } as const
      await api.run(Effect.flatMap(Runs, ({ begin }) => begin({ ...began, ...rest })))
      return began.protocolId
    }
    const endOf = async (protocolId: string) =>
      (await cosigner.dump())['runs']?.find((row) => row['protocol_id'] === protocolId)

    const own = ringAt({ ...filesOf().service })
    for (const ring of [{ ...own, isFiled: () => false }, own]) {
      const planted = await plant(ring)
      expect(await sign(planted)).toEqual({ kind: 'stopped', status: 'ABORT' })
      expect(await endOf(planted)).toMatchObject({ state: 'ABORTED', reason: 'failed check: seed cannot be opened' })
    }
    expect(await sign(await plant(ringAt(filesOf().cosigner)))).toMatchObject({ kind: 'done' })
  })

  const bytesIn = (text: unknown) => (typeof text === 'string' ? hexToBytes(text) : new Uint8Array(0))

  /** What of the wallet opens with each of the rings, the folder beside the database, and a run that has begun. */
  const opensOf = async (
    world: World,
    walletId: string,
    tried: readonly { readonly [R in Ring]: ReturnType<typeof ringAt> }[],
  ) => {
    const runKeys = runKeysIn(join(dataFolder, 'cosigner', 'run-keys'))
    const run = { walletId, protocolId: randomUUID(), epoch: 1 }
    const generation = 'a generation'
    const sealedSeed = await world.run(
      Effect.flatMap(Vault, ({ sealRun }) => sealRun(generation, seedAssociatedData(run), randomBytes(32))),
    )
    const dump = await world.dump()
    const rows = (table: string) => (dump[table] ?? []).filter((row) => row['wallet_id'] === walletId)
    const [share] = rows('provider_shares')
    const [ot] = rows('ot_records')
    const keygen = rows('runs').find((row) => row['kind'] === 'keygen')
    const sharing = { walletId, epoch: 1, shareId: String(share?.['share_id']) }
    const answer = bytesIn(keygen?.['final_body'])
    const of = { walletId, protocolId: String(keygen?.['protocol_id']), kind: 'keygen', epoch: 1 } as const
    const records = [
      ['share', shareAssociatedData(sharing), bytesIn(share?.['sealed'])],
      ['OT record', otAssociatedData(sharing, String(ot?.['ot_id'])), bytesIn(ot?.['sealed'])],
      ['answer', keptAnswerAssociatedData(of, answer.subarray(1, 33)), answer.subarray(keptAnswer.sealAt)],
    ] as const
    return tried.map((rings) => [
      ...records.flatMap(([name, place, sealed]) =>
        openRecord({ rings, shareKeys: shareKeys() }, place, sealed) === undefined ? [] : [name],
      ),
      ...(openRun({ rings, runKeys }, { generation, now: Date.now() }, seedAssociatedData(run), sealedSeed) ===
      undefined
        ? []
        : ['seed']),
    ])
  }
})
