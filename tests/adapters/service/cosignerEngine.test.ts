import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { CosignerEngineThreads, type EngineOptions } from '../../../adapters/service/cosigner/engine.ts'
import { CosignerKeysDatabase } from '../../../adapters/service/database/CosignerKeys.ts'
import type { Database } from '../../../adapters/service/database/Database.ts'
import { IncarnationDatabase } from '../../../adapters/service/database/Incarnation.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { VaultFile } from '../../../adapters/service/vault/Vault.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { CosignerEngine, type Job } from '../../../domain/service/ports/CosignerEngine.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { seedPlace } from '../../../domain/service/protocol/places.ts'
import { inMemoryDatabase } from '../../kit/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-engine-'))
const keyEncryptionKey = randomBytes(32)
const database = ManagedRuntime.make(inMemoryDatabase())
const started: { readonly dispose: () => Promise<void> }[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(started.splice(0).map((runtime) => runtime.dispose()))
})

afterAll(async () => {
  await database.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** An engine on the database of this file. */
const start = async (options: Partial<EngineOptions> = {}) => {
  const services = await database.context()
  const runKeysFolder = join(folder, 'run-keys')
  const layer = CosignerEngineThreads({ name: 'engine', keyEncryptionKey, runKeysFolder, threads: 1, ...options }).pipe(
    Layer.provideMerge(VaultFile(keyEncryptionKey, runKeysIn(runKeysFolder))),
    Layer.provideMerge(IncarnationDatabase(join(folder, 'incarnation'))),
    Layer.provideMerge(Layer.mergeAll(SecureRandomNode, CosignerKeysDatabase)),
    Layer.provide(Layer.succeedContext<Database>(services)),
  )
  const runtime = ManagedRuntime.make(layer)
  started.push(runtime)
  const run = runtime.runPromise.bind(runtime)
  return { run, engine: await run(CosignerEngine), vault: await run(Vault) }
}

const context: Job['context'] = {
  kind: 'keygen',
  scheme: 'ED25519',
  protocolId: crypto.randomUUID(),
  walletId: crypto.randomUUID(),
  userId: 'user',
  partnerId: 'partner',
  deviceKeyThumb: new Uint8Array(32),
  epoch: 1,
  attempt: new Uint8Array(16),
  shareId: new Uint8Array(0),
  otId: new Uint8Array(0),
  rootPublicKey: new Uint8Array(0),
}

const job = (changes: Partial<Job> = {}): Job => ({
  context,
  step: 1,
  requestHashes: [new Uint8Array(32)],
  request: new Uint8Array(0),
  sealedSeed: new Uint8Array(0),
  sealedState: null,
  sealedShare: null,
  sealedOt: null,
  ...changes,
})

const busy = { _tag: 'CosignerBusy', message: 'co-signer is busy' }

it('has one frame key, whoever starts, and signs answers with it', async () => {
  const [one, two, other] = [await start(), await start(), await start({ name: 'another' })]
  const frame = { ...context, operation: 'KEYGEN', step: 1, sessionId: crypto.randomUUID() } as const
  const unsigned = Frame.encodeUnsigned({ ...frame, body: new Uint8Array(1) })
  const request = Frame.attachSignature(unsigned, new Uint8Array(64))
  const answer = { status: 'OK', body: Uint8Array.of(1, 2, 3) } as const

  const signed = await one.run(two.engine.sign(request, answer))

  expect(two.engine.identity).toEqual(one.engine.identity)
  expect(other.engine.identity.publicKey).not.toEqual(one.engine.identity.publicKey)
  expect(Frame.openAnswer(one.engine.identity.publicKey, request, signed)).toEqual(answer)
  expect(Frame.openAnswer(other.engine.identity.publicKey, request, signed)).toBeUndefined()
  await one.run(one.engine.check)
})

it('aborts what it cannot open, and what the protocol refuses', async () => {
  const { run, engine, vault } = await start()
  const seal = (of: Job['context']) => run(vault.sealRun(seedPlace(of), randomBytes(32)))
  const elsewhere = await seal({ ...context, walletId: crypto.randomUUID() })

  const unopened = { kind: 'abort', reason: 'seed cannot be opened' }
  expect(await run(engine.step(job()))).toEqual(unopened)
  expect(await run(engine.step(job({ sealedSeed: elsewhere })))).toEqual(unopened)
  expect(await run(engine.step(job({ sealedSeed: await seal(context) })))).toMatchObject({ kind: 'abort' })
  expect(await run(engine.step(job({ sealedSeed: await seal(context), step: 9 })))).toEqual({
    kind: 'abort',
    reason: 'no such step',
  })
})

it('tells callers to come again when its queue is full', async () => {
  const { run, engine } = await start({ queue: 2 })

  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => run(engine.step(job()))))

  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const one of asked.filter(({ status }) => status === 'rejected')) {
    expect(one).toMatchObject({ reason: { ...busy, retryAfterMs: 1_000 } })
  }
})

it('rejects the job of a thread that dies, and goes on with another', async () => {
  const faults: string[] = []
  const { run, engine, vault } = await start({ log: (message) => faults.push(message) })
  const broken = { ...context, scheme: 'NONE' as 'DKLS' }
  const sealedSeed = await run(vault.sealRun(seedPlace(broken), randomBytes(32)))

  await expect(run(engine.step(job({ context: broken, sealedSeed })))).rejects.toMatchObject(busy)
  expect(await run(engine.step(job()))).toMatchObject({ kind: 'abort' })
  expect(faults).toHaveLength(1)
})

it('gives up what nobody has worked on within 90 seconds', async () => {
  const { run, engine } = await start({ threads: 0 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  const asked = expect(run(engine.step(job()))).rejects.toMatchObject(busy)
  await vi.advanceTimersByTimeAsync(89_999)
  const settled = await Promise.race([asked.then(() => true), Promise.resolve(false)])
  await vi.advanceTimersByTimeAsync(1)
  await asked

  expect(settled).toBe(false)
})
