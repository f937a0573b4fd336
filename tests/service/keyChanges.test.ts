/**
 * Every kind of key is changed while two processes on one PostgreSQL and one data folder serve: those of the service while
 * devices sign, through a proxy that sends each request to the other process than the one before; a partner's while it calls both.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rotateKeyOfCosigner, statusOfCosignerKeys } from '../../adapters/cli/cosignerKey.ts'
import { retireKek, rotateKek } from '../../adapters/cli/kek.ts'
import * as partnerKeys from '../../adapters/cli/partnerKeys.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { lookEveryMs } from '../../adapters/service/vault/KeyRing.ts'
import { readRing } from '../../adapters/service/vault/ringFile.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { retireCosignerKey, type KeyStatus } from '../../domain/service/cosignerKeys.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { signingKeyLimits } from '../../domain/service/SigningKey.ts'
import * as signingKeys from '../../domain/service/signingKeys.ts'
import type { Call } from '../../adapters/cli/Verb.ts'
import { clockAt } from '../kit/clock.ts'
import { startWorld, type World } from '../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { isLong } from '../kit/long.ts'
import { openAnswer } from '../kit/openAnswer.ts'
import { startServiceProcess, type ServiceProcess } from '../kit/serviceProcess.ts'
import { untilSighted } from '../kit/sightings.ts'
import { signUp, type Person } from './people.ts'
import { startAlternating, type Proxy } from './proxy.ts'
import { ask, shareTextsIn } from './wire.ts'

const unlimited = { RATE_R4: '100000/1s', RATE_R4_SIGN: '100000/1s' }

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-keys-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Two copies of the service that have seen each other; `environment` of both. */
const startTwo = async (folder: string, url: string, environment: Readonly<Record<string, string>> = {}) => {
  const place = { kind: 'postgres', url } as const
  const one = await startServiceProcess(folder, place, { ...unlimited, ...environment })
  const two = await startServiceProcess(folder, place, { ...unlimited, ...environment })
  await untilSighted(url, 2)
  return [one, two] as const
}

describe.runIf(isLong)('devices that sign at two copies', { timeout: 400_000 }, () => {
  let url: string
  let folder: string
  let copies: readonly [ServiceProcess, ServiceProcess]
  let proxies: readonly Proxy[]
  let people: readonly Person[]
  /** A process of the operator, whose clock turns. */
  let operator: World

  beforeAll(async () => {
    url = await makeDatabaseUrl()
    folder = newFolder()
    copies = await startTwo(folder, url)
    const [one, two] = copies
    proxies = [
      await startAlternating(() => copies.map(({ addresses }) => addresses.api)),
      await startAlternating(() => copies.map(({ addresses }) => addresses.cosigner)),
    ]
    const [api = '', cosigner = ''] = proxies.map(({ address }) => address)
    const addresses = { api, cosigner, connect: one.addresses.connect }
    // Mails are delivered by either copy.
    const mailbox = async (to: string) => [...(await one.mailbox(to)), ...(await two.mailbox(to))]
    const place = { partner: one.partner, addresses, mailbox }
    people = [
      await signUp(place, { types: { EVM: true } }),
      await signUp(place, { types: { SOLANA: true } }),
      await signUp(place, { types: { EVM: true, SOLANA: true } }),
    ]
    operator = await startWorld({
      dataFolder: folder,
      database: Layer.orDie(databaseIn({ kind: 'postgres', url })),
      isScheduled: false,
    })
  }, 120_000)

  afterAll(async () => {
    vi.restoreAllMocks()
    await operator.stop()
    for (const { device } of people) await device.dispose()
    for (const proxy of proxies) await proxy.stop()
    for (const copy of copies) await copy.stop()
  })

  /** How far the clocks of devices, of operators and of both copies are ahead. */
  let ahead = 0
  beforeAll(() => {
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead)
  })
  /** In steps, so that each copy looks for keys as often as it does by itself. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 3_000) {
      ahead += 3_000
      await Promise.all(copies.map((copy) => copy.advance(3_000)))
      await setTimeout(100)
    }
  }
  /** The clock of an operator who comes later. */
  const later = (ms: number): Clock.Clock => clockAt(() => Date.now() + ms)

  const variables = () => ({ DATA_FOLDER: folder, DATABASE_URL: url })
  const given = () => ({ variables: variables(), reason: 'a drill' })
  const waits = { activeInMs: lookEveryMs + 100, settleMs: 0 }
  const fileOf = (ring: Ring) => ({
    ring,
    path: join(folder, `${ring}-keys.json`),
    before: join(folder, 'none'),
    environment: 'DEV' as const,
  })
  const idsOf = (ring: Ring) => (readRing(fileOf(ring)) ?? []).map(({ id }) => id)

  /** Every wallet signs all the time, and JWTs are made and verified: before `change`, while it goes on, and after it. */
  const underLoad = async (change: () => Promise<void>) => {
    let isOver = false
    const failed: unknown[] = []
    let signed = 0
    let verified = 0
    const again = async (once: () => Promise<unknown>, count: () => void) => {
      while (!isOver) await once().then(count, (error: unknown) => failed.push(error))
    }
    const signing = people.flatMap(({ device, walletIds }) =>
      walletIds.map((walletId) =>
        again(
          () => device.signMessage({ walletId, message: 'while keys change' }),
          () => signed++,
        ),
      ),
    )
    const [ada] = people
    const verify = async () => {
      const token = (await ada?.device.getToken()) ?? ''
      for (const { addresses } of copies)
        await jwtVerify(token, createRemoteJWKSet(new URL(`${addresses.api}/.well-known/jwks.json`)))
      await setTimeout(100)
    }
    const verifying = again(verify, () => verified++)
    const untilMore = () => {
      const wanted = [signed + 10, verified + 5] as const
      const isThere = () => failed.length > 0 || (signed >= wanted[0] && verified >= wanted[1])
      return vi.waitUntil(isThere, { timeout: 60_000 })
    }
    await untilMore()
      .then(change)
      .then(untilMore)
      .finally(() => {
        isOver = true
      })
    await Promise.all([...signing, verifying])
    expect(failed).toEqual([])
    return { signed, verified }
  }

  const report = (what: string, { signed, verified }: { readonly signed: number; readonly verified: number }) =>
    process.stdout.write(`${what}: ${signed} signatures, ${verified} JWTs verified twice, 0 failed\n`)

  it.each<Ring>(['service', 'cosigner'])(
    'lose none while the ring %s is rotated and its old key retired',
    async (ring) => {
      const [old = ''] = idsOf(ring)
      const load = await underLoad(async () => {
        expect(await rotateKek(given(), ring, undefined, waits)).toMatchObject({ success: { data: { left: 0 } } })
        const retired = await retireKek(given(), { ring, id: old, abandoned: 100 }, waits)
        expect(retired).toMatchObject({ success: { exitCode: 0 } })
      })
      expect([idsOf(ring).length, idsOf(ring).includes(old)]).toEqual([1, false])
      report(`ring ${ring}`, load)
    },
  )

  const statusNow = async () => Result.getOrThrow(await statusOfCosignerKeys(variables())).data as readonly KeyStatus[]

  it.each([false, true])(
    'lose none while the co-signer’s key is replaced, compromised: %s, and the old one retired',
    async (isCompromised) => {
      const pinned = () => proxies[0]?.seen.filter(({ request }) => request.target === '/cosigner-keys').length ?? 0
      const attached = () =>
        proxies[1]?.seen.filter(({ request }) => request.body[4] === 8 && request.body[6] === 1).length ?? 0
      const before = { pinned: pinned(), attached: attached() }
      const load = await underLoad(async () => {
        const old = (await statusNow()).at(-1)
        expect(await rotateKeyOfCosigner(given(), isCompromised)).toMatchObject({ success: { exitCode: 0 } })
        await pass(33_000)
        const retired = retireCosignerKey('localhost', old?.id ?? '', 'a drill')
        await operator.run(Effect.provideService(retired, Clock.Clock, later(11 * 60_000)))
        await pass(12_000)
      })
      expect((await statusNow()).slice(-2).map(({ state }) => state)).toEqual(['RETIRED', 'SIGNING'])
      // Each device asks once; of two runs at once each may.
      expect([3, 4]).toContain(pinned() - before.pinned)
      // Each device with a DKLS wallet.
      expect(attached() - before.attached).toBe(isCompromised ? 2 : 0)
      report(`frame key, compromised: ${String(isCompromised)}`, load)
    },
  )

  it('lose none while the key of JWTs is replaced and the old one deleted', async () => {
    const keysNow = async () =>
      (
        (await (await fetch(`${copies[1].addresses.api}/.well-known/jwks.json`)).json()) as {
          readonly keys: readonly { readonly kid: string }[]
        }
      ).keys.map(({ kid }) => kid)
    const [old = ''] = await keysNow()
    const load = await underLoad(async () => {
      const rotated = Effect.provideService(signingKeys.rotate(), Clock.Clock, later(signingKeyLimits.signs))
      await operator.run(rotated)
      // It would begin to sign tomorrow.
      await operator.run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) =>
            db
              .updateTable('signing_keys')
              .set({ signs_from: Date.now() + 1_000 })
              .where('kid', '<>', old)
              .execute(),
          ),
        ),
      )
      await pass(3_000)
      await operator.run(rotated)
    })
    expect(await keysNow()).not.toContain(old)
    report('key of JWTs', load)
  })

  it('pin the newest key with a refresh', async () => {
    const ada = people[0]
    const [walletId = ''] = ada?.walletIds ?? []
    if (ada === undefined) throw new Error('nobody')
    const { device } = ada
    await rotateKeyOfCosigner(given(), true)
    await pass(33_000)
    const pinnedIn = () => {
      const text = shareTextsIn(device.storage)[walletId] ?? ''
      return bytesToHex(Result.getOrThrow(ShareText.open(Redacted.make(text))).cosignerKey)
    }
    await device.signMessage({ walletId, message: 'under the newest key' })
    const [before, newest] = [pinnedIn(), (await statusNow()).at(-1)?.publicKey]
    await device.refreshKeys({ walletId })

    expect([before === newest, pinnedIn()]).toEqual([false, newest])
  })

  it('sign on, and every answer is signed by the newest of four keys', async () => {
    const keys = await statusNow()
    expect(keys.map(({ state, isCompromised }) => [state, isCompromised])).toEqual([
      ['RETIRED', false],
      ['RETIRED', true],
      ['REPLACED', true],
      ['SIGNING', false],
    ])
    const before = proxies[1]?.seen.length
    for (const { device, walletIds } of people)
      for (const walletId of walletIds) await device.signMessage({ walletId, message: 'under the newest key' })

    const answers = proxies[1]?.seen.slice(before) ?? []
    const signedBy = ({ request, reply }: (typeof answers)[number]) =>
      keys.findIndex(({ publicKey }) => openAnswer(hexToBytes(publicKey), request.body, reply.body) !== undefined)
    expect(new Set(answers.map(signedBy))).toEqual(new Set([3]))
  })
})

describe.runIf(isLong).each([
  ['that are told of changes', 'on'],
  ['that are told of none', 'off'],
])('a partner’s server at two copies %s', { timeout: 120_000 }, (_, listen) => {
  let url: string
  let folder: string
  let copies: readonly [ServiceProcess, ServiceProcess]

  beforeAll(async () => {
    url = await makeDatabaseUrl()
    folder = newFolder()
    copies = await startTwo(folder, url, { DATABASE_LISTEN: listen })
  }, 120_000)
  afterAll(async () => {
    for (const copy of copies) await copy.stop()
  })

  type Row = {
    readonly id: string
    readonly kind: string
    readonly key: string
    readonly old: { readonly endsAt: number }
  }

  const call = (words: readonly string[], options: Readonly<Record<string, string>> = {}): Call => ({
    given: words,
    option: (name) => options[name],
    options: () => undefined,
    flag: () => false,
    reason: 'a drill',
    file: undefined,
    from: () => 'the environment',
    readVariables: () => Promise.reject(new Error('none')),
    variables: { DATA_FOLDER: folder, DATABASE_URL: url },
    readFile: () => Promise.reject(new Error('no file')),
  })

  /** How each copy answers a call with the key: the JWT is none, and is judged once the key is taken. */
  const answersTo = (apiKey: string) =>
    Promise.all(
      copies.map(async ({ addresses: { api } }) => {
        const { code } = await ask({ base: api, apiKey }, 'POST', '/sessions/verify', { token: 'a.b.c' })
        return code
      }),
    )
  const taken = ['InvalidSessionJwt', 'InvalidSessionJwt']
  const refused = ['ApiKeyRequired', 'ApiKeyRequired']

  const advance = (ms: number) => Promise.all(copies.map((copy) => copy.advance(ms)))
  /** How long a copy that is told of no change goes on with what it knows of a key. */
  const remembered = 5_000

  it('is taken under both keys while they overlap, under the old one until its end, and under a revoked one no more', async () => {
    const { partnerId, secretKey } = copies[0].partner
    const listed = Result.getOrThrow(await partnerKeys.list(call([partnerId]))).data as {
      readonly keys: readonly Row[]
    }
    const secret = listed.keys.find(({ kind }) => kind === 'secret')
    const overlap = 24 * 60 * 60_000
    const options = { overlap: String(overlap) }
    const rotated = await partnerKeys.rotate(call([partnerId, secret?.id ?? ''], options))
    const { key, id, old } = Result.getOrThrow(rotated).data as Row

    expect([await answersTo(secretKey), await answersTo(key)]).toEqual([taken, taken])
    await advance(old.endsAt - Date.now() - 60_000)
    expect([await answersTo(secretKey), await answersTo(key)]).toEqual([taken, taken])
    await advance(60_000)
    expect([await answersTo(secretKey), await answersTo(key)]).toEqual([refused, taken])

    // From here on what a copy knows of a key ends by news, or where the test turns its clock.
    for (const copy of copies) await copy.stand()
    await advance(remembered)
    expect(await answersTo(key)).toEqual(taken)
    expect(await partnerKeys.revoke(call([partnerId, id]))).toMatchObject({ success: { exitCode: 0 } })
    const revokedAt = Date.now()
    if (listen === 'off') {
      expect(await answersTo(key)).toEqual(taken)
      await advance(remembered)
      expect(await answersTo(key)).toEqual(refused)
    } else {
      await expect.poll(() => answersTo(key), { timeout: 30_000, interval: 1 }).toEqual(refused)
      process.stdout.write(`a revoked key is refused ${Date.now() - revokedAt} ms after the revocation\n`)
    }
    await advance(remembered)
    expect(await answersTo(key)).toEqual(refused)
  })
})
