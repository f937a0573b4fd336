/**
 * Every kind of key is changed while two processes on one PostgreSQL and one data folder serve: those of the service while
 * devices sign, through a proxy that sends each request to the other process than the one before; a partner's while it calls both.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKeyOfCosigner, statusOfCosignerKeys } from '../../adapters/cli/cosignerKey.ts'
import { retireKek, rotateKek } from '../../adapters/cli/kek.ts'
import * as partnerKeys from '../../adapters/cli/partnerKeys.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { lookEveryMs } from '../../adapters/service/vault/KeyRing.ts'
import { readRing } from '../../adapters/service/vault/ringFile.ts'
import { equal } from '../../domain/crypto/Equal.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { retireCosignerKey } from '../../domain/service/cosignerKeys.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { signingKeyLimits } from '../../domain/service/SigningKey.ts'
import * as signingKeys from '../../domain/service/signingKeys.ts'
import type { Call } from '../../adapters/cli/Verb.ts'
import { startWorld, type World } from '../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { isLong } from '../kit/long.ts'
import { startServiceProcess, type ServiceProcess } from '../kit/serviceProcess.ts'
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

/** Two copies of the service; `environment` of both. */
const startTwo = async (folder: string, url: string, environment: Readonly<Record<string, string>> = {}) => {
  const place = { kind: 'postgres', url } as const
  const one = await startServiceProcess(folder, place, { ...unlimited, ...environment })
  return [one, await startServiceProcess(folder, place, { ...unlimited, ...environment })] as const
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
    await operator.stop()
    for (const { device } of people) await device.dispose()
    for (const proxy of proxies) await proxy.stop()
    for (const copy of copies) await copy.stop()
  })

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

  /** Every wallet signs all the time, and JWTs are made and verified, while `change` goes on and for a moment after it. */
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
    await setTimeout(1_000)
    await change()
      .then(() => setTimeout(2_000))
      .finally(() => {
        isOver = true
      })
    await Promise.all([...signing, verifying])
    expect(failed).toEqual([])
    expect(Math.min(signed, verified)).toBeGreaterThan(10)
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

  const statusNow = async () =>
    Result.getOrThrow(await statusOfCosignerKeys(variables())).data as readonly {
      readonly id: string
      readonly publicKey: string
      readonly state: string
    }[]

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
        await setTimeout(33_000)
        operator.advance(11 * 60_000)
        await operator.run(retireCosignerKey('localhost', old?.id ?? '', 'a drill'))
        await setTimeout(12_000)
      })
      expect((await statusNow()).slice(-2).map(({ state }) => state)).toEqual(['RETIRED', 'SIGNING'])
      // Each device asks once; of two runs at once each may.
      expect(pinned() - before.pinned).toBeGreaterThanOrEqual(3)
      expect(pinned() - before.pinned).toBeLessThanOrEqual(8)
      expect(attached() - before.attached >= 2).toBe(isCompromised)
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
      operator.advance(signingKeyLimits.signs)
      await operator.run(signingKeys.rotate())
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
      await setTimeout(4_000)
      await operator.run(signingKeys.rotate())
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
    await setTimeout(33_000)
    const pinnedIn = () => {
      const text = shareTextsIn(device.storage)[walletId] ?? ''
      return bytesToHex(Result.getOrThrow(ShareText.open(Redacted.make(text))).cosignerKey)
    }
    await device.signMessage({ walletId, message: 'under the newest key' })
    const [before, newest] = [pinnedIn(), (await statusNow()).at(-1)?.publicKey]
    await device.refreshKeys({ walletId })

    expect([before === newest, pinnedIn()]).toEqual([false, newest])
  })

  it('sign on with keys of which none is as it was', async () => {
    const [first, ...rest] = await statusNow()
    expect(rest.map(({ publicKey }) => equal(hexToBytes(publicKey), hexToBytes(first?.publicKey ?? '')))).not.toContain(
      true,
    )
    for (const { device, walletIds } of people)
      for (const walletId of walletIds) await device.signMessage({ walletId, message: bytesToHex(Uint8Array.of(1)) })
  })
})

describe.runIf(isLong).each([
  ['that are told of changes', 'on', 2_000],
  ['that are told of none', 'off', 5_500],
])('a partner’s server at two copies %s', { timeout: 120_000 }, (_, listen, within) => {
  let url: string
  let folder: string
  let copies: readonly [ServiceProcess, ServiceProcess]

  beforeAll(async () => {
    url = await makeDatabaseUrl()
    folder = newFolder()
    copies = await startTwo(folder, url, { DATABASE_LISTEN: listen })
  }, 60_000)
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
    readVariables: () => Promise.reject(new Error('none')),
    variables: { DATA_FOLDER: folder, DATABASE_URL: url },
    readFile: () => Promise.reject(new Error('no file')),
  })

  /** Whether the copy takes the key: the JWT is none, and is asked about after the key. */
  const isTaken = async (copy: ServiceProcess, apiKey: string): Promise<boolean> => {
    const { code } = await ask({ base: copy.addresses.api, apiKey }, 'POST', '/sessions/verify', { token: 'a.b.c' })
    return code === 'InvalidSessionJwt'
  }

  /** Asks both copies all the time; tells of each when it last took the key, and when it first refused it. */
  const watch = (apiKey: string) => {
    let isOver = false
    const seen = copies.map(async (copy) => {
      let [lastTaken, firstRefused, takenAgain] = [0, Infinity, 0]
      while (!isOver) {
        const sentAt = Date.now()
        if (await isTaken(copy, apiKey)) {
          lastTaken = sentAt
          if (firstRefused < Infinity) takenAgain++
        } else firstRefused = Math.min(firstRefused, Date.now())
        await setTimeout(20)
      }
      return { lastTaken, firstRefused, takenAgain }
    })
    return async () => {
      isOver = true
      return Promise.all(seen)
    }
  }

  it('is taken under both keys while they overlap, under the old one until its end, and under a revoked one no more', async () => {
    const { partnerId, secretKey } = copies[0].partner
    const listed = Result.getOrThrow(await partnerKeys.list(call([partnerId]))).data as {
      readonly keys: readonly Row[]
    }
    const secret = listed.keys.find(({ kind }) => kind === 'secret')

    const ofOld = watch(secretKey)
    await setTimeout(500)
    const rotated = await partnerKeys.rotate(call([partnerId, secret?.id ?? ''], { overlap: '8000' }))
    const { key, id, old } = Result.getOrThrow(rotated).data as Row
    const ofNew = watch(key)
    await setTimeout(9_500)
    const revokedAt = Date.now()
    expect(await partnerKeys.revoke(call([partnerId, id]))).toMatchObject({ success: { exitCode: 0 } })
    await setTimeout(within + 1_500)

    for (const { lastTaken, firstRefused, takenAgain } of await ofOld()) {
      expect(takenAgain).toBe(0)
      expect(lastTaken).toBeLessThanOrEqual(old.endsAt)
      expect(lastTaken).toBeGreaterThan(old.endsAt - 1_500)
      expect(firstRefused).toBeGreaterThanOrEqual(old.endsAt)
    }
    const found = await ofNew()
    process.stdout.write(
      `LISTEN ${listen}: a revoked key was taken last ${found.map(({ lastTaken }) => `${lastTaken - revokedAt} ms`).join(' and ')} after the revocation\n`,
    )
    for (const { lastTaken, firstRefused, takenAgain } of found) {
      expect(takenAgain).toBe(0)
      expect(lastTaken).toBeGreaterThan(revokedAt - 1_500)
      expect(firstRefused - revokedAt).toBeLessThanOrEqual(within)
    }
  })
})
