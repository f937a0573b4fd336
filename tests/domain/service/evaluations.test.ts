/**
 * One evaluation of a wallet at a time, whatever a cheating device sends: on two replicas of one database, each with
 * two threads.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import {
  CosignerBusy,
  CosignerEngine,
  type Dropped,
  type StepOutcome,
} from '../../../domain/service/ports/CosignerEngine.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { Partners } from '../../../domain/service/ports/Partners.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import { sweep } from '../../../domain/service/protocol/ending.ts'
import { lockedWatermark } from '../../../domain/service/protocol/watermarks.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { runLimits } from '../../../domain/service/Run.ts'
import { endWork } from '../../../domain/service/sessions.ts'
import { startProcess, type Begun } from '../../kit/cosignerProcess.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { makeDatabaseUrl } from '../../kit/database.ts'
import { keyOf, makeDevice, type Exchanged, type Meddle, type WalletKey } from '../../kit/device.ts'
import { deltaOf, firstFrame, guessOf, hello } from '../../kit/guesses.ts'
import { times } from '../../kit/long.ts'
import { databaseIn } from '../../kit/databasePlace.ts'
import { openAnswer } from '../../kit/openAnswer.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-evaluations-'))
let replicas: readonly [World, World]
let partner: PartnerRecord

beforeAll(async () => {
  const url = await makeDatabaseUrl()
  const start = () =>
    startWorld({
      dataFolder,
      database: Layer.orDie(databaseIn({ kind: 'postgres', url })),
      configuration: { cosignerThreads: 2 },
    })
  replicas = [await start(), await start()]
  // Each goes on with the runs of the other once it has seen a heartbeat of it.
  const current = (world: World) => world.run(Effect.flatMap(DatabaseGeneration, (generation) => generation.current))
  const trusts = async (world: World, other: World) => {
    const run = await current(other)
    return world.run(Effect.flatMap(DatabaseGeneration, ({ isCurrent }) => isCurrent(run)))
  }
  await vi.waitFor(
    async () =>
      expect([await trusts(replicas[0], replicas[1]), await trusts(replicas[1], replicas[0])]).toEqual([true, true]),
    30_000,
  )
  partner = await makePartner(replicas[0])
})

afterAll(async () => {
  await Promise.all(replicas.map((world) => world.stop()))
  rmSync(dataFolder, { recursive: true, force: true })
})

const advance = (ms: number) => replicas.forEach((world) => world.advance(ms))

/** A wallet of a user's own, whose device cheats. */
const makeCheater = async () => {
  const by = await signIn(replicas[0], await makeUser(replicas[0]), partner)
  const wallet = value(await by.createWallet({ type: 'EVM' }))
  const key = keyOf(await by.device.keygen({ ...wallet, scheme: 'DKLS' }, by.user.rootPublicKey))
  return { by, key, delta: await deltaOf(replicas[0], key) }
}

type Stepped = StepOutcome | Dropped
type Engine = CosignerEngine['Service']

/** Sends a frame to a replica, with another engine in the place of its own: the answer's status, or the refusal's tag. */
const sendTo = async (
  world: World,
  by: SignedIn,
  bytes: Uint8Array,
  change: (engine: Engine) => Partial<Engine> = () => ({}),
): Promise<string> => {
  const flow = Effect.updateService(CosignerEngine, (engine: Engine) => ({ ...engine, ...change(engine) }))
  const outcome = await world.as(await by.caller(), flow(exchangeFrame(bytes)))
  if (outcome.kind === 'refused') return outcome.tag
  const { publicKey } = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
  return openAnswer(publicKey, bytes, outcome.value)?.status ?? 'not signed'
}

/** Notes how each step ended, before anything else is done about it. */
const noting =
  (noted: Stepped['kind'][]) =>
  (engine: Engine): Partial<Engine> => ({
    step: (job, mayCompute) =>
      Effect.tap(engine.step(job, mayCompute), ({ kind }) => Effect.sync(() => void noted.push(kind))),
  })

/** An evaluation whose verdict only the thread knows, until `release`. */
const heldEvaluation = async (world: World, by: SignedIn, frame: Uint8Array) => {
  const [known, released] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  const hold = Effect.andThen(Deferred.succeed(known, undefined), Deferred.await(released))
  const answer = sendTo(world, by, frame, (engine) => ({
    step: (job, mayCompute) => Effect.tap(engine.step(job, mayCompute), hold),
  }))
  await Effect.runPromise(Deferred.await(known))
  return {
    release: () => {
      Effect.runSync(Deferred.succeed(released, undefined))
      return answer
    },
  }
}

const runOf = async (frame: Uint8Array) => {
  const { protocolId } = Frame.decode(frame)?.frame ?? {}
  return (await replicas[0].dump())['runs']?.find(({ protocol_id }) => protocol_id === protocolId)
}

const hasRecord = async ({ otId }: WalletKey): Promise<boolean> =>
  (await replicas[0].dump())['ot_records']?.some(({ ot_id }) => ot_id === bytesToHex(otId)) === true

describe('many simultaneous guesses', () => {
  const rounds = Array.from({ length: times(1, 20) }, (_, round) => round)
  it.each(rounds)('are checked one after the other, and none after the first that is wrong: %i', async (round) => {
    const { by, key, delta } = await makeCheater()
    // The last guesses are right again: none of them may be answered.
    const isRight = (index: number) => index % 4 !== 3 - (round % 2)
    const frames = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        firstFrame(by.device, key, hello, { guess: guessOf(delta, index, isRight(index)) }),
      ),
    )
    const verdicts: Stepped['kind'][] = []
    const insist = async (frame: Uint8Array, index: number): Promise<string> => {
      for (;;) {
        const said = await sendTo(replicas[index % 2] ?? replicas[0], by, frame, noting(verdicts))
        if (said !== 'AnotherRunInProgress') return said
      }
    }
    const said = await Promise.all(frames.map(insist))

    expect(verdicts.filter((kind) => kind !== 'dropped')).toEqual([
      ...said.filter((one) => one === 'OK').map(() => 'answer'),
      'ban',
    ])
    expect(said.filter((one) => one === 'BAN')).toHaveLength(1)
    for (const [index, one] of said.entries()) {
      if (one === 'OK') expect(isRight(index)).toBe(true)
      else expect(['BAN', 'KeyShareLocked']).toContain(one)
    }
  })
})

describe('while an evaluation is open', () => {
  it('neither a new run nor a fork begins another one on any replica, whatever the verdict is', async () => {
    for (const isRight of [true, false]) {
      const { by, key, delta } = await makeCheater()
      const [first, protocolId] = [guessOf(delta, 3, isRight), randomUUID()]
      const frame = await firstFrame(by.device, key, hello, { guess: first, protocolId })
      const fork = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 4, true), protocolId })
      const another = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 5, true) })
      const other = await firstFrame(by.device, key, { ...hello, message: '00' } as typeof hello)
      const evaluation = await heldEvaluation(replicas[0], by, frame)
      const verdicts: Stepped['kind'][] = []
      const meanwhile: string[] = []
      for (const world of replicas) {
        for (const bytes of [fork, another, other]) meanwhile.push(await sendTo(world, by, bytes, noting(verdicts)))
      }

      expect(meanwhile).toEqual(Array(6).fill('AnotherRunInProgress'))
      expect(verdicts).toEqual([])
      expect(await runOf(frame)).toMatchObject({ state: 'RUNNING' })
      expect(await evaluation.release()).toBe(isRight ? 'OK' : 'BAN')
      // Once the round is answered, a fork ends the run as ever.
      expect(await sendTo(replicas[1], by, fork)).toBe(isRight ? 'ABORT' : 'KeyShareLocked')
      expect(await runOf(frame)).toMatchObject({ state: isRight ? 'ABORTED' : 'BANNED' })
      expect(await hasRecord(key)).toBe(true)
    }
  })

  it('the same holds for the last request of a run', async () => {
    const { by, key } = await makeCheater()
    const said: string[] = []
    const ended = await by.device.sign(key, hello, {
      meddle: async (request, { step, ...frame }) => {
        if (step !== 2) return request
        const fork = by.device.signFrame({
          ...frame,
          step,
          body: frame.body.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
        })
        const evaluation = await heldEvaluation(replicas[1], by, request)
        said.push(
          await sendTo(replicas[0], by, fork),
          await sendTo(replicas[0], by, await firstFrame(by.device, key, hello)),
        )
        said.push(await evaluation.release())
        return request
      },
    })

    expect(said).toEqual(['AnotherRunInProgress', 'AnotherRunInProgress', 'OK'])
    expect(ended.kind).toBe('done')
  })

  it('the same bytes join it on the same replica, and get the same verdict on the other', async () => {
    const { by, key, delta } = await makeCheater()
    const frame = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 9, false) })
    const verdicts: Stepped['kind'][] = []
    const sent = [0, 0, 0, 1, 1].map((replica) => sendTo(replicas[replica] ?? replicas[0], by, frame, noting(verdicts)))
    const said = await Promise.all(sent)

    expect(said.filter((one) => one === 'BAN').length).toBe(1)
    expect(said.filter((one) => one !== 'BAN' && one !== 'KeyShareLocked')).toEqual([])
    expect(verdicts.every((kind) => kind === 'ban' || kind === 'dropped')).toBe(true)
  })
})

describe('an event that ends an open evaluation', () => {
  const ends: readonly (readonly [string, (by: SignedIn, key: WalletKey) => Promise<unknown>, string])[] = [
    ['its time', async () => (advance(runLimits.life), replicas[1].run(sweep())), 'ABORT'],
    ['its session', async (by) => replicas[1].run(endWork(by.sessionId)), 'ABORT'],
    [
      'a refresh that is committed',
      async (by, key) => {
        const { protocolId } = value(await by.as({}, refreshKeys(by.user.userId, key.walletId)))
        expect((await by.device.refresh(key.share, protocolId)).kind).toBe('done')
      },
      'KeyShareOutOfDate',
    ],
  ]
  it.each(ends)('deletes the transfers of the evaluation: %s', async (_, endIt, said) => {
    const { by, key, delta } = await makeCheater()
    const frame = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 1, true) })
    const evaluation = await heldEvaluation(replicas[0], by, frame)
    expect(await hasRecord(key)).toBe(true)
    await endIt(by, key)

    expect(await hasRecord(key)).toBe(false)
    expect(await evaluation.release()).toBe(said)
    expect(await runOf(frame)).toMatchObject({ sealed_seed: null, state: said === 'ABORT' ? 'ABORTED' : 'SUPERSEDED' })
  })

  it('keeps the transfers of an answered round', async () => {
    for (const [, endIt] of ends.slice(0, 2)) {
      const { by, key } = await makeCheater()
      const frame = await firstFrame(by.device, key, hello)
      expect(await sendTo(replicas[0], by, frame)).toBe('OK')
      await endIt(by, key)

      expect(await runOf(frame)).toMatchObject({ state: 'ABORTED' })
      expect(await hasRecord(key)).toBe(true)
      expect((await by.device.sign(key, hello)).kind).toBe('done')
    }
  })

  it('deletes them also where only the next run finds that its time is over', async () => {
    const { by, key, delta } = await makeCheater()
    const frame = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 1, true) })
    const evaluation = await heldEvaluation(replicas[0], by, frame)
    advance(runLimits.life)
    const next = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 2, true) })

    expect(await sendTo(replicas[1], by, next)).toBe('DeviceNotAttached')
    const enrolled = keyOf(await by.device.attach(key.share), key.share)
    expect(await runOf(frame)).toMatchObject({ state: 'ABORTED', sealed_seed: null })
    expect(await hasRecord(key)).toBe(false)
    expect(await evaluation.release()).toBe('ABORT')
    expect((await by.device.sign(enrolled, hello)).kind).toBe('done')
  })
})

describe('directly before the arithmetic', () => {
  const changes: readonly (readonly [string, (key: WalletKey, by: SignedIn) => Promise<unknown>, string])[] = [
    [
      'a mark',
      (key) => replicas[1].run(Effect.flatMap(Watermarks, ({ raise }) => raise(lockedWatermark(key.walletId), 1))),
      'KeyShareLocked',
    ],
    [
      'a ban',
      (key) =>
        replicas[1].run(Effect.flatMap(Wallets, ({ setLocked }) => setLocked(key.walletId, 1, replicas[1].now()))),
      'KeyShareLocked',
    ],
    ['the end of its run', (_, by) => replicas[1].run(endWork(by.sessionId)), 'ABORT'],
    ['the end of its time', async () => advance(runLimits.life), 'ABORT'],
  ]
  it.each(changes)('%s is detected, and nothing is computed', async (_, change, said) => {
    const { by, key, delta } = await makeCheater()
    const frame = await firstFrame(by.device, key, hello, { guess: guessOf(delta, 6, false) })
    const ends: Stepped['kind'][] = []
    const changeFirst = (engine: Engine): Partial<Engine> => ({
      step: (job, mayCompute) =>
        Effect.promise(() => change(key, by)).pipe(
          Effect.andThen(engine.step(job, mayCompute)),
          Effect.tap(({ kind }) => Effect.sync(() => void ends.push(kind))),
        ),
    })

    expect(await sendTo(replicas[0], by, frame, changeFirst)).toBe(said)
    expect(ends).toEqual(['dropped'])
    expect((await replicas[0].dump())['wallets']?.find(({ id }) => id === key.walletId)).toMatchObject({
      state: said === 'KeyShareLocked' && _ === 'a ban' ? 'BURNED' : 'ACTIVE',
    })
  })

  it('a claim that a restored database lacks is made again', async () => {
    const { by, key } = await makeCheater()
    const ends: Stepped['kind'][] = []
    const lose = Effect.promise(() =>
      replicas[1].run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) =>
            db.deleteFrom('rounds').where('wallet_id', '=', key.walletId).where('response_hash', 'is', null).execute(),
          ),
        ),
      ),
    )
    const loseOnce = (engine: Engine): Partial<Engine> => ({
      step: (job, mayCompute) =>
        Effect.andThen(
          ends.length === 0 ? lose : Effect.void,
          noting(ends)(engine).step?.(job, mayCompute) ?? Effect.die('no step'),
        ),
    })

    expect(await sendTo(replicas[0], by, await firstFrame(by.device, key, hello), loseOnce)).toBe('OK')
    expect(ends).toEqual(['dropped', 'answer'])
  })

  it('a request that is dropped again and again is told to come later', async () => {
    const { by, key } = await makeCheater()
    const dropping = { step: () => Effect.succeed({ kind: 'dropped' } as const) }

    expect(await sendTo(replicas[0], by, await firstFrame(by.device, key, hello), () => dropping)).toBe('CosignerBusy')
  })
})

it('a round is claimed only where there is room to compute it', async () => {
  const { by, key } = await makeCheater()
  const full = () => ({ requireRoom: () => new CosignerBusy({ retryAfterMs: 1_000 }) })
  const frame = await firstFrame(by.device, key, hello)
  expect(await sendTo(replicas[0], by, frame, full)).toBe('CosignerBusy')
  expect(await runOf(frame)).toBeUndefined()

  const meddle: Meddle = async (request, { step }) => {
    if (step === 2) expect(await sendTo(replicas[0], by, request, full)).toBe('CosignerBusy')
    if (step === 2) expect(await runOf(request)).toMatchObject({ state: 'RUNNING' })
    return request
  }
  expect((await by.device.sign(key, hello, { meddle })).kind).toBe('done')
})

/** What another process had begun, sent to this one. */
const exchangeAs = async (world: World, { sessionId, partnerId }: Begun, bytes: Uint8Array): Promise<Exchanged> => {
  const [session, ofSession] = await world.run(
    Effect.all([
      Effect.flatMap(Sessions, (sessions) => sessions.find(sessionId)),
      Effect.flatMap(Partners, (partners) => partners.find(partnerId)),
    ]),
  )
  const caller = { session: Option.getOrThrow(session), partner: Option.getOrThrow(ofSession) }
  const outcome = await world.as(caller, exchangeFrame(bytes))
  return outcome.kind === 'success' ? { kind: 'answered', bytes: outcome.value } : outcome
}

describe('a replica that dies between a verdict and its ban', () => {
  it('leaves transfers that are used for no other guess, and the device can attach again', async () => {
    const [folder, place] = [
      mkdtempSync(join(tmpdir(), 'tandem-verdict-')),
      { kind: 'postgres', url: await makeDatabaseUrl() } as const,
    ]
    const secretKey = p256.utils.randomSecretKey()
    const dying = await startProcess(folder, place, { name: 'sign.compute.after', nth: 1 })
    const begun = await dying.begin(secretKey)
    let world: World | undefined
    let exchange: Parameters<typeof makeDevice>[0]['exchange'] = async (bytes) =>
      (await dying.exchange(begun.sessionId, bytes)) ?? { kind: 'refused', tag: 'Died', message: '' }
    const device = makeDevice({
      ...begun,
      cosigner: { name: begun.cosigner.name, publicKey: hexToBytes(begun.cosigner.publicKey) },
      secretKey,
      exchange: (bytes) => exchange(bytes),
    })
    try {
      const key = keyOf(await device.keygen({ ...begun.wallet, scheme: 'DKLS' }, hexToBytes(begun.rootPublicKey)))
      world = await startWorld({ dataFolder: folder, database: Layer.orDie(databaseIn(place)) })
      const delta = await deltaOf(world, key)
      expect(
        await device.send(await firstFrame(device, key, hello, { guess: guessOf(delta, 0, false) })),
      ).toMatchObject({ tag: 'Died' })

      const alive = world
      exchange = async (bytes) => exchangeAs(alive, begun, bytes)
      const tagOf = async (frame: Promise<Uint8Array>) => {
        const said = await device.send(await frame)
        return 'tag' in said ? said.tag : said.status
      }
      const next = () => firstFrame(device, key, hello, { guess: guessOf(delta, 1, true) })
      expect(['AnotherRunInProgress', 'DeviceNotAttached']).toContain(await tagOf(next()))
      alive.advance(runLimits.life)
      expect(await tagOf(next())).toBe('DeviceNotAttached')
      const enrolled = keyOf(await device.attach(key.share), key.share)
      expect((await device.sign(enrolled, hello)).kind).toBe('done')
    } finally {
      await dying.stop()
      await world?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
