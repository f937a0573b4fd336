/**
 * Restored copies: of the database, of the co-signer's folder, of both, with one and with two co-signers, after a stop
 * or while they run. No round of a run ever gets an answer for a second request, and the next try of an honest client
 * succeeds.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { Failpoints } from '../../../domain/service/ports/Failpoints.ts'
import { sweepClaims } from '../../../domain/service/protocol/forgottenRounds.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { signMessage } from '../../../domain/service/signing.ts'
import { makePartner, makeUser, signIn, startWorld, value, type World } from '../../kit/cosignerWorld.ts'
import { copyOfDatabase, makeDatabaseUrl, replaceDatabase } from '../../kit/database.ts'
import { keyOf, type Ended, type Meddle } from '../../kit/device.ts'
import { casesOf } from '../../kit/long.ts'
import { databaseIn } from '../../kit/databasePlace.ts'

const hello: SigningRequest = { kind: 'eip191', message: Buffer.from('hello').toString('hex') }

const kinds = ['keygen', 'attach', 'sign', 'refresh'] as const
type Kind = (typeof kinds)[number]

/** Co-signers on one database and one folder, and devices that ask one of them or another. */
const startHouse = async (replicas: number, isScheduled = true) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-rollback-'))
  const cosignerFolder = join(folder, 'cosigner')
  let url = await makeDatabaseUrl()
  const worlds: World[] = []
  let asked = 0
  const start = async () => {
    for (let replica = 0; replica < replicas; replica++) {
      const database = Layer.orDie(databaseIn({ kind: 'postgres', url }))
      worlds.push(await startWorld({ dataFolder: folder, database, isScheduled }))
    }
  }
  const stop = async () => {
    for (const world of worlds.splice(0)) await world.stop()
  }
  const now = () => {
    const world = worlds[asked % replicas]
    if (world === undefined) throw new Error('no co-signer runs')
    return world
  }
  await start()
  const [first] = worlds
  if (first === undefined) throw new Error('no co-signer runs')
  let deathAt: string | undefined
  const reach = (name: string) => (name === deathAt ? Effect.die(new Died()) : Effect.void)
  const current: World = {
    ...first,
    run: (flow) => now().run(flow),
    as: (caller, flow) => now().as(caller, Effect.provideService(flow, Failpoints, { reach })),
  }
  const partner = await makePartner(current)

  return {
    join: async () => {
      const user = await makeUser(current)
      const join = () => signIn(current, user, partner)
      return { user, host: await join(), another: await join() }
    },
    /** The co-signer that the devices ask from now on. */
    ask: (replica: number) => {
      asked = replica
    },
    /** Nothing is written from there on until the promise is settled. */
    dyingAt: async (name: string, work: () => Promise<unknown>) => {
      deathAt = name
      await expect(work()).rejects.toThrow(Died)
      deathAt = undefined
    },
    runs: async () => (await now().dump())['runs'] ?? [],
    advance: (ms: number) => {
      for (const world of worlds) world.advance(ms)
    },
    /** As upkeep does when claims are no longer kept. */
    sweepClaims: () => now().run(Effect.flatMap(Clock.currentTimeMillis, (ms) => sweepClaims(ms + 2 * 60 * 60_000))),
    copy: async () => {
      const copied = mkdtempSync(join(tmpdir(), 'tandem-rollback-copy-'))
      const database = await copyOfDatabase(url)
      cpSync(cosignerFolder, copied, { recursive: true })
      return { database, folder: copied }
    },
    restart: async () => {
      await stop()
      await start()
    },
    /** Stops everything, restores the named parts, and starts again. */
    restore: async (copied: { readonly database: string; readonly folder: string }, what: Restored) => {
      await stop()
      if (what !== 'folder') url = copied.database
      if (what !== 'database') {
        rmSync(cosignerFolder, { recursive: true })
        cpSync(copied.folder, cosignerFolder, { recursive: true })
      }
      rmSync(copied.folder, { recursive: true })
      await start()
    },
    /** The database is restored while everything runs. */
    replace: (copied: { readonly database: string; readonly folder: string }) => {
      rmSync(copied.folder, { recursive: true })
      return replaceDatabase(url, copied.database)
    },
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type House = Awaited<ReturnType<typeof startHouse>>
type Restored = 'database' | 'folder' | 'both'

/** A device with a wallet of its own, and what it runs: a wallet has one run at a time. */
const makeActor = async (house: House, kind: Kind) => {
  const { user, host, another } = await house.join()
  const { device } = host
  const newWallet = async () => ({ ...value(await host.createWallet({ type: 'EVM' })), scheme: 'DKLS' as const })
  const key = kind === 'keygen' ? undefined : keyOf(await device.keygen(await newWallet(), user.rootPublicKey))
  let enrolled = key

  /** The input of a first frame, from which any number of runs can begin under the same protocol id. */
  const prepare = async (): Promise<(meddle?: Meddle) => Promise<Ended>> => {
    if (kind === 'keygen' || key === undefined) {
      const wallet = await newWallet()
      return (meddle) => device.keygen(wallet, user.rootPublicKey, meddle)
    }
    if (kind === 'attach') return (meddle) => device.attach(key.share, meddle)
    if (kind === 'sign') return (meddle) => device.sign(enrolled ?? key, hello, { meddle })
    const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
    return (meddle) => device.refresh(key.share, protocolId, meddle === undefined ? {} : { meddle })
  }
  const attach = async () => {
    if (key !== undefined) enrolled = keyOf(await device.attach(key.share), key.share)
  }
  /** A second device of the user, enrolled for the wallet, and its signature. */
  const second = async () => {
    if (key === undefined) throw new Error('no wallet')
    const { share } = key
    const enrol = async () => keyOf(await another.device.attach(share), share)
    let enrolledThere = await enrol()
    return {
      sign: () => another.device.sign(enrolledThere, hello),
      attach: async () => {
        enrolledThere = await enrol()
      },
    }
  }
  /** The call for a bare digest, which the frame of that run waits for. */
  const call = async (protocolId: string, digest: string) => {
    const message = Buffer.from(digest, 'hex').toString('base64')
    value(await host.as({}, signMessage(user.userId, key?.walletId ?? '', { message, scheme: null, protocolId })))
  }
  return { kind, key, device, prepare, attach, second, call, send: (bytes: Uint8Array) => device.send(bytes) }
}

type Actor = Awaited<ReturnType<typeof makeActor>>

/** Runs up to the frame of that step, which is made and not sent. Gives all frames. */
const capture = async (run: (meddle: Meddle) => Promise<Ended>, step: number): Promise<readonly Uint8Array[]> => {
  const requests: Uint8Array[] = []
  const meddle: Meddle = (request, frame) => {
    requests.push(request)
    if (frame.step === step) throw new Captured()
    return request
  }
  const ended = await run(meddle).catch((cause: unknown) => {
    if (!(cause instanceof Captured)) throw cause
  })
  if (ended !== undefined) throw new Error(`the run ended: ${JSON.stringify(ended)}`)
  return requests
}

class Captured extends Error {}

class Died extends Error {}

const frameOf = (request: Uint8Array): Frame.Frame => {
  const decoded = Frame.decode(request)
  if (decoded === undefined) throw new Error('not a frame')
  return decoded.frame
}

/** The same round, another body. */
const forked = ({ device }: Actor, request: Uint8Array): Uint8Array => {
  const frame = frameOf(request)
  return device.signFrame({ ...frame, body: frame.body.map((byte, index) => (index === 40 ? byte ^ 1 : byte)) })
}

/** The first frame of another run, as if it were of the run of that request. */
const begunAnew = async ({ device }: Actor, run: (meddle: Meddle) => Promise<Ended>, request: Uint8Array) => {
  const [other = request] = await capture(run, 1)
  const { protocolId, attempt } = frameOf(request)
  return device.signFrame({ ...frameOf(other), protocolId, attempt })
}

/** How an SDK handles a run that a restart ended, and transfers that were deleted with it. */
const untilDone = async (actor: Actor): Promise<Ended['kind']> => {
  for (let tries = 0; ; tries++) {
    const ended = await (await actor.prepare())()
    if (ended.kind !== 'refused' || tries === 2) return ended.kind
    if (ended.tag === 'DeviceNotAttached') await actor.attach()
    else if (ended.tag !== 'RunLost') return ended.kind
  }
}

const sayOf = async (answered: ReturnType<Actor['send']>): Promise<string> => {
  const answer = await answered
  return 'kind' in answer ? answer.tag : answer.status
}

describe('after a restart', () => {
  let house: House

  beforeAll(async () => {
    house = await startHouse(1)
  })
  afterAll(() => house.remove())

  it.each(['keygen', 'attach', 'refresh'] as const)('a prepared key is confirmed: %s', async (kind) => {
    const actor = await makeActor(house, kind)
    const run = await actor.prepare()
    let attempt: string | undefined

    const ended = await run(async (request, frame) => {
      if (frame.operation !== 'CONFIRM') return request
      await house.restart()
      if (kind !== 'refresh') return request
      const asked = {
        ...frame,
        operation: 'RECONCILE',
        step: 1,
        attempt: new Uint8Array(16),
        body: new Uint8Array(0),
      } as const
      const answer = await actor.send(actor.device.signFrame(asked))
      attempt = 'status' in answer ? Frame.decodeWalletStatus(answer.body)?.attempt : answer.tag
      return request
    })

    expect(ended.kind).toBe('done')
    if (kind === 'refresh') expect(attempt).toBe('LIVE')
  })

  it('transfers stay valid, unless the database lacks the last claimed round', async () => {
    const actor = await makeActor(house, 'sign')
    const sign = async () => (await actor.prepare())()
    expect((await sign()).kind).toBe('done')
    await house.restart()
    expect((await sign()).kind).toBe('done')

    const copied = await house.copy()
    await sign()
    await house.restore(copied, 'database')

    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
  })
})

const cases: readonly (readonly [what: Restored, replicas: number])[] = [
  ['database', 1],
  ['database', 2],
  ['folder', 1],
  ['folder', 2],
  ['both', 1],
  ['both', 2],
]
const usual = casesOf(cases, ([what, replicas]) => what !== 'folder' && (replicas === 2) === (what === 'database'))

describe.each(usual)('after a restart with the older %s, of co-signers: %i', (what, replicas) => {
  let house: House
  let actors: readonly Actor[]

  beforeAll(async () => {
    house = await startHouse(replicas)
    actors = await Promise.all(kinds.map((kind) => makeActor(house, kind)))
  })
  afterAll(() => house.remove())

  const everywhere = async (send: () => Promise<string>): Promise<readonly string[]> => {
    const said: string[] = []
    for (let replica = 0; replica < replicas; replica++) {
      house.ask(replica)
      said.push(await send())
    }
    house.ask(0)
    return said
  }
  const same = (said: string) => Array<string>(replicas).fill(said)

  it('no round that was answered since gets an answer for another request', async () => {
    const begun: (readonly [Actor, Uint8Array, Uint8Array])[] = []
    for (const actor of actors) {
      const [first, second] = await capture(await actor.prepare(), 2)
      if (first === undefined || second === undefined) throw new Error('no frames')
      begun.push([actor, first, second])
    }
    const copied = await house.copy()
    const finalAnswers = new Map<Actor, unknown>()
    for (const [actor, , second] of begun) {
      const answer = await actor.send(second)
      expect([actor.kind, answer]).toMatchObject([actor.kind, { status: 'OK' }])
      finalAnswers.set(actor, answer)
    }

    await house.restore(copied, what)

    for (const [actor, first, second] of begun) {
      // The database knows that the signature is done, and repeats it.
      const isDone = actor.kind === 'sign' && what === 'folder'
      const over = isDone ? 'ABORT' : 'RunLost'
      expect([actor.kind, await everywhere(() => sayOf(actor.send(forked(actor, second))))]).toEqual([
        actor.kind,
        same(over),
      ])
      expect([actor.kind, await everywhere(() => sayOf(actor.send(first)))]).toEqual([actor.kind, same(over)])
      if (isDone) expect(await actor.send(second)).toEqual(finalAnswers.get(actor))
      else expect([actor.kind, await everywhere(() => sayOf(actor.send(second)))]).toEqual([actor.kind, same(over)])
    }
  })

  it('no run that it does not know begins again in the same way', async () => {
    const begun: (readonly [Actor, Uint8Array, Uint8Array, Uint8Array, unknown])[] = []
    const prepared = []
    for (const actor of actors) {
      // The database has another generation since.
      if (actor.kind === 'sign') await actor.attach()
      prepared.push([actor, await actor.prepare()] as const)
    }
    const copied = await house.copy()
    for (const [actor, run] of prepared) {
      const [first, second] = await capture(run, 2)
      if (first === undefined || second === undefined) throw new Error('no frames')
      begun.push([actor, first, await begunAnew(actor, run, first), second, await actor.send(first)])
      expect(await sayOf(actor.send(second))).toBe('OK')
    }

    await house.restore(copied, what)

    for (const [actor, first, other, second, firstAnswer] of begun) {
      if (what === 'both') {
        // Neither database nor folder knows the run: another one begins, under a seed of its own.
        const answer = await actor.send(first)
        expect([actor.kind, answer]).toMatchObject([actor.kind, { status: 'OK' }])
        expect(answer).not.toEqual(firstAnswer)
        expect([actor.kind, await sayOf(actor.send(second))]).toEqual([actor.kind, 'ABORT'])
        continue
      }
      // The transfers that a signature names are of another database generation.
      const ofKnown = actor.kind === 'sign' ? 'ABORT' : 'RunLost'
      const ofUnknown = actor.kind === 'sign' ? 'DeviceNotAttached' : 'ABORT'
      const over = what === 'database' ? ofUnknown : ofKnown
      expect([actor.kind, await everywhere(() => sayOf(actor.send(first)))]).toEqual([actor.kind, same(over)])
      expect([actor.kind, await everywhere(() => sayOf(actor.send(other)))]).toEqual([actor.kind, same(over)])
    }
    if (what !== 'database') return
    const ended = (await house.runs()).filter(({ reason }) => reason === 'the round was computed for another request')
    expect(ended.map(({ kind }) => kind).sort()).toEqual(kinds.filter((kind) => kind !== 'sign').sort())
  })

  it('an honest device signs again', async () => {
    for (const actor of actors) expect([actor.kind, await untilDone(actor)]).toEqual([actor.kind, 'done'])
  })
})

const liveCases = [
  ['a round that was answered since', 1],
  ['a round that was answered since', 2],
  ['a run that it does not know', 1],
  ['a run that it does not know', 2],
] as const

describe.each(casesOf(liveCases, ([which, replicas]) => which === liveCases[0][0] && replicas === 2))(
  '%s, in an older database under running co-signers: %i',
  (which, replicas) => {
    const knowsRuns = which === 'a round that was answered since'
    let house: House
    let actors: readonly Actor[]

    beforeAll(async () => {
      // No heartbeat comes, so that the copy is as young as one can be: the fence is where it was.
      house = await startHouse(replicas, false)
      actors = await Promise.all(kinds.map((kind) => makeActor(house, kind)))
    })
    afterAll(() => house.remove())

    it('is not answered again, and an honest device goes on', async () => {
      const begun: {
        readonly actor: Actor
        readonly fork: Uint8Array
        readonly same: Uint8Array
        readonly second: Uint8Array
      }[] = []
      const prepared = []
      for (const actor of actors) prepared.push([actor, await actor.prepare()] as const)
      const before = knowsRuns ? undefined : await house.copy()
      for (const [actor, run] of prepared) {
        const [first, second] = await capture(run, 2)
        if (first === undefined || second === undefined) throw new Error('no frames')
        const fork = knowsRuns ? forked(actor, second) : await begunAnew(actor, run, first)
        begun.push({ actor, fork, same: knowsRuns ? second : first, second })
      }
      const copied = before ?? (await house.copy())
      for (const { actor, second } of begun)
        expect([actor.kind, await sayOf(actor.send(second))]).toEqual([actor.kind, 'OK'])

      await house.replace(copied)

      for (const { actor, fork, same } of begun) {
        for (const request of knowsRuns ? [fork, same] : [same, fork]) {
          for (let replica = 0; replica < replicas; replica++) {
            house.ask(replica)
            expect([actor.kind, await sayOf(actor.send(request))]).toEqual([actor.kind, 'ABORT'])
          }
        }
      }
      house.ask(0)
      const ended = (await house.runs()).filter(({ reason }) => reason === 'the round was computed for another request')
      expect(ended.map(({ kind }) => kind).sort()).toEqual([...kinds].sort())
      for (const actor of actors) expect([actor.kind, await untilDone(actor)]).toEqual([actor.kind, 'done'])
    })
  },
)

const deaths = casesOf([1, 2], (replicas) => replicas === 2)

describe.each(deaths)('a round whose outcome died, in an older database under running co-signers: %i', (replicas) => {
  let house: House

  beforeEach(async () => {
    house = await startHouse(replicas, false)
  })
  afterEach(() => house.remove())

  const loseOutcome = async (actor: Actor) => {
    const copied = await house.copy()
    const [, second] = await capture(await actor.prepare(), 2)
    if (second === undefined) throw new Error('no frames')
    await house.dyingAt('sign.compute.after', () => actor.send(second))

    await house.replace(copied)
    house.ask(replicas - 1)
  }

  it('counts as a failed check: the transfers of the wallet sign no more, and each device enrols anew', async () => {
    const actor = await makeActor(house, 'sign')
    const phone = await actor.second()
    await loseOutcome(actor)

    const sign = async () => (await actor.prepare())()
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    expect(await untilDone(actor)).toBe('done')
    expect(await phone.sign()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    await phone.attach()
    expect(await phone.sign()).toMatchObject({ kind: 'done' })
  })

  it('counts as one also where another run was begun under its name', async () => {
    const actor = await makeActor(house, 'sign')
    const { device, key } = actor
    if (key === undefined) throw new Error('no wallet')
    const copied = await house.copy()
    const [first] = await capture(await actor.prepare(), 1)
    if (first === undefined) throw new Error('no frame')
    await house.dyingAt('sign.compute.after', () => actor.send(first))

    await house.replace(copied)
    house.ask(replicas - 1)
    const other = await begunAnew(actor, (meddle) => device.attach(key.share, meddle), first)
    expect(await sayOf(actor.send(other))).toBe('ABORT')
    expect(await (await actor.prepare())()).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await untilDone(actor)).toBe('done')
  })

  it('counts as one also where its frame came again, and its call was another', async () => {
    const actor = await makeActor(house, 'sign')
    const { device, key } = actor
    if (key === undefined) throw new Error('no wallet')
    const [protocolId, digest] = [randomUUID(), 'ab'.repeat(32)]
    const copied = await house.copy()
    const blind = (meddle: Meddle) => device.sign(key, { kind: 'blind', digest }, { meddle, protocolId })
    const [first] = await capture(blind, 1)
    if (first === undefined) throw new Error('no frame')
    await actor.call(protocolId, digest)
    await house.dyingAt('sign.compute.after', () => actor.send(first))

    await house.replace(copied)
    house.ask(replicas - 1)
    await actor.call(protocolId, 'cd'.repeat(32))
    expect(await sayOf(actor.send(first))).toBe('ABORT')
    expect(await (await actor.prepare())()).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await untilDone(actor)).toBe('done')
  })

  it('counts as one for the transfers of a refresh that was open then, and is confirmed again', async () => {
    const actor = await makeActor(house, 'refresh')
    const phone = await actor.second()
    let copied: Awaited<ReturnType<House['copy']>> | undefined
    let confirm: Uint8Array | undefined
    const run = await actor.prepare()
    const ended = await run(async (request, frame) => {
      if (frame.operation !== 'CONFIRM') return request
      copied = await house.copy()
      confirm = request
      return request
    })
    if (copied === undefined || confirm === undefined) throw new Error('no confirmation')
    const refreshed = keyOf(ended)
    const sign = (meddle?: Meddle) => actor.device.sign(refreshed, hello, { meddle })
    const [, second] = await capture(sign, 2)
    if (second === undefined) throw new Error('no frames')
    await house.dyingAt('sign.compute.after', () => actor.send(second))

    await house.replace(copied)
    house.ask(replicas - 1)
    expect(await phone.sign()).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await sayOf(actor.send(confirm))).toBe('OK')
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
  })

  it('counts as one also where nobody asks for the wallet until its claim is deleted', async () => {
    const [actor, other] = [await makeActor(house, 'sign'), await makeActor(house, 'sign')]
    await loseOutcome(actor)
    await house.sweepClaims()

    expect(await (await actor.prepare())()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    expect(await untilDone(actor)).toBe('done')
    expect(await (await other.prepare())()).toMatchObject({ kind: 'done' })
  })
})

describe('more rounds than are listed at a time, in an older database under running co-signers', () => {
  let house: House

  beforeAll(async () => {
    house = await startHouse(2, false)
  })
  afterAll(() => house.remove())

  it('end one run of the wallet', async () => {
    const actor = await makeActor(house, 'sign')
    const sign = async () => (await actor.prepare())()
    const copied = await house.copy()
    for (let signature = 1; signature <= 4; signature++) expect(await sign()).toMatchObject({ kind: 'done' })
    // Claims of another five minutes.
    house.advance(6 * 60_000)
    expect(await sign()).toMatchObject({ kind: 'done' })

    await house.replace(copied)
    house.ask(1)
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await sign()).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    expect(await untilDone(actor)).toBe('done')
  })
})
