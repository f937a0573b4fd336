/**
 * What a whole service takes of the machine, over HTTP: touch in that of a route with one select, alone and beside calls
 * that wait; signatures a core-second of the service's process; resident memory after minutes of load. Service, users,
 * load and the bare route have a process each. On a busy machine only ratios of one run say something.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { startPostgres } from '../kit/postgres.ts'
import { shop } from '../service/people.ts'
import { median, timed, type Figures } from './rows.ts'
import type { Bare } from './service/bare.ts'
import type { Load } from './service/load.ts'
import { startPeer } from './service/peer.ts'
import type { Service } from './service/process.ts'
import type { SigningScheme, Users } from './service/users.ts'

export type ServiceBench = {
  /** Each scheme is signed with for so long. */
  readonly seconds: number
  /** How long the load lasts under which memory is measured, on each database; 0 leaves it out. */
  readonly minutes: number
}

const pairs = 5
const pairsBeside = 3
/** Until all calls that wait have been received. */
const settleSeconds = 4
const pairSeconds = 5
const connections = 10
const userCount = 20
const waiterCount = 600
/** Each session may have twenty calls that wait, each network two hundred. */
const waitersOfSession = 20
const sessionsOfNetwork = 10

export const service = async ({ seconds, minutes }: ServiceBench): Promise<readonly Figures[]> => {
  const server = await startPostgres()
  const rows: Figures[] = []
  const databaseUrl = await server.createDatabase()
  const stage = await startStage(databaseUrl)
  rows.push(...(await touches(stage, databaseUrl)))
  rows.push(...(await beside(stage)))
  for (const scheme of ['DKLS', 'ED25519'] as const) rows.push(await signatures(stage, scheme, seconds))
  if (minutes > 0) rows.push(await memory(stage, 'PostgreSQL', minutes))
  await stage.stop()
  await server.stop()
  if (minutes > 0) {
    const embedded = await startStage(undefined)
    rows.push(await memory(embedded, 'PGlite', minutes))
    await embedded.stop()
  }
  return rows
}

type Stage = Awaited<ReturnType<typeof startStage>>

/** README.md#running-it-for-others */
const asOperatorsRun = ['--max-semi-space-size=8']

const startStage = async (databaseUrl: string | undefined) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const process = startPeer<Service>('process.ts', asOperatorsRun)
  const users = startPeer<Users>('users.ts')
  const load = startPeer<Load>('load.ts')
  const place = await process.ask('start', { dataFolder, databaseUrl })
  say(`${userCount} users sign up`)
  const token = await users.ask('signUp', { place, count: userCount })
  const { port } = new URL(place.addresses.api)
  return {
    process,
    users,
    load,
    place,
    /** A call of touch, of the user who signed up first unless another session's token is given. */
    touch: (headers: Readonly<Record<string, string>> = {}) => ({
      port: Number(port),
      path: '/touch?regenerate=false',
      headers: { 'x-external-api-key': place.partner.apiKey, origin: shop, 'x-capsule-sid': token, ...headers },
    }),
    stop: async () => {
      for (const peer of [load, users, process]) await peer.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Touch of a new session and of one that is signed in, each in that of the bare route that ran just before. */
const touches = async (stage: Stage, databaseUrl: string): Promise<readonly Figures[]> => {
  const bare = startPeer<Bare>('bare.ts')
  const port = await bare.ask('listen', { databaseUrl, partnerId: stage.place.partner.partnerId })
  const targets = {
    bare: { port, path: '/', headers: {} },
    new: stage.touch({ 'x-capsule-sid': await newSession(stage) }),
    'signed in': stage.touch(),
  }
  const measure = async (target: (typeof targets)['bare'], time: number) => {
    const before = await stage.process.ask('taken', undefined)
    const measured = await stage.load.ask('measure', { target, connections, seconds: time })
    const after = await stage.process.ask('taken', undefined)
    return { ...measured, cpuMs: (after.cpuMs - before.cpuMs) / measured.count, loopP99Ms: after.loopP99Ms }
  }
  for (const target of Object.values(targets)) await measure(target, 2)
  const turns: { readonly [K in keyof typeof targets]: Awaited<ReturnType<typeof measure>> }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    say(`touch, ${pair + 1} of ${pairs}`)
    turns.push({
      bare: await measure(targets.bare, pairSeconds),
      new: await measure(targets.new, pairSeconds),
      'signed in': await measure(targets['signed in'], pairSeconds),
    })
  }
  await bare.stop()
  const rowOf = (name: keyof typeof targets): Figures => ({
    suite: 'service',
    case: name === 'bare' ? 'bare' : `touch, ${name}`,
    runs: pairs,
    perSecond: median(turns.map((turn) => turn[name].perSecond)),
    p99Ms: median(turns.map((turn) => turn[name].p99Ms)),
    loadCores: median(turns.map((turn) => turn[name].cores)),
    ...(name === 'bare'
      ? {}
      : {
          ratio: median(turns.map((turn) => turn[name].perSecond / turn.bare.perSecond)),
          cpuMs: median(turns.map((turn) => turn[name].cpuMs)),
          loopP99Ms: median(turns.map((turn) => turn[name].loopP99Ms)),
        }),
  })
  return [rowOf('bare'), rowOf('new'), rowOf('signed in')]
}

/** The token of a session that nobody has signed in to. */
const newSession = async ({ touch, place }: Stage): Promise<string> => {
  const { path, headers } = touch()
  const { 'x-capsule-sid': _, ...stranger } = headers
  const answer = await fetch(place.addresses.api + path, { method: 'POST', headers: stranger })
  const token = answer.headers.get('x-capsule-sid')
  if (token === null) throw new Error(`no session began: ${await answer.text()}`)
  return token
}

/** Touch alone and beside calls that wait, in turns. `times`: how much longer 99 of 100 take. */
const beside = async (stage: Stage): Promise<readonly Figures[]> => {
  const tokens: string[] = []
  while (tokens.length * waitersOfSession < waiterCount) tokens.push(await newSession(stage))
  const targets = Array.from({ length: waiterCount }, (_, index) => {
    const session = index % tokens.length
    return stage.touch({
      'x-capsule-sid': tokens[session] ?? '',
      'x-forwarded-for': `10.0.0.${Math.floor(session / sessionsOfNetwork)}`,
      prefer: 'wait=20',
    })
  })
  const target = stage.touch()
  const turns: { readonly alone: Measured; readonly beside: Measured }[] = []
  const measure = () => stage.load.ask('measure', { target, connections, seconds: pairSeconds })
  for (let pair = 0; pair < pairsBeside; pair++) {
    say(`touch beside ${waiterCount} that wait, ${pair + 1} of ${pairsBeside}`)
    const alone = await measure()
    await stage.load.ask('wait', { targets, settleSeconds })
    turns.push({ alone, beside: await measure() })
    const answered = await stage.load.ask('waitNoMore', undefined)
    if (answered > 0) throw new Error(`${answered} of ${waiterCount} calls did not wait`)
  }
  const rowOf = (name: keyof (typeof turns)[number], what: string): Figures => ({
    suite: 'service',
    case: `touch, ${what}`,
    runs: pairsBeside,
    perSecond: median(turns.map((turn) => turn[name].perSecond)),
    p99Ms: median(turns.map((turn) => turn[name].p99Ms)),
    loadCores: median(turns.map((turn) => turn[name].cores)),
  })
  return [
    rowOf('alone', 'alone'),
    {
      ...rowOf('beside', `beside ${waiterCount} that wait`),
      times: median(turns.map((turn) => turn.beside.p99Ms / turn.alone.p99Ms)),
    },
  ]
}

type Measured = Awaited<ReturnType<Load['measure']>>

const signatures = async (stage: Stage, scheme: SigningScheme, seconds: number): Promise<Figures> => {
  say(`${userCount} users sign with ${scheme}`)
  const schemes = [scheme]
  await sign(stage, schemes, 3)
  const before = await stage.process.ask('taken', undefined)
  const signed = await sign(stage, schemes, seconds)
  const after = await stage.process.ask('taken', undefined)
  const cpuMs = (after.cpuMs - before.cpuMs) / signed.count
  const mainMs = (after.mainMs - before.mainMs) / signed.count
  return {
    suite: 'service',
    case: `sign ${scheme}, ${userCount} users`,
    runs: signed.count,
    perSecond: signed.perSecond,
    perCoreSecond: 1_000 / cpuMs,
    cpuMs,
    mainMs,
    verifications: mainMs / verificationMs(),
    loopP99Ms: after.loopP99Ms,
    loadCores: signed.cores,
  }
}

/** What failed is said, and counted in no figure: on a busy machine a signature may take longer than its user waits. */
const sign = async (stage: Stage, schemes: readonly SigningScheme[], seconds: number) => {
  const signed = await stage.users.ask('sign', { schemes, seconds })
  const [first] = signed.failures
  if (first !== undefined) say(`${signed.failures.length} signatures failed, the first with ${first}`)
  return signed
}

/** What noble takes for one signature of Ed25519, in this process. */
const verificationMs = (): number => {
  const { secretKey, publicKey } = ed25519.keygen()
  const message = new Uint8Array(32)
  const signature = ed25519.sign(message, secretKey)
  return timed(30, () => ed25519.verify(signature, message, publicKey)).cpuMs
}

const secondsBetween = 30
const firstMinutes = 2

/** Signatures of both schemes for so long; resident memory at its end, and in that of the second minute. */
const memory = async (stage: Stage, backend: string, minutes: number): Promise<Figures> => {
  const begun = performance.now()
  const minutesGone = () => (performance.now() - begun) / 60_000
  let early: number | undefined
  let count = 0
  while (minutesGone() < minutes) {
    count += (await sign(stage, ['DKLS', 'ED25519'], secondsBetween)).count
    const taken = await stage.process.ask('taken', undefined)
    const mib = (of: keyof typeof taken) => `${of} ${taken[of].toFixed(0)}`
    const parts = (['residentMiB', 'heapMiB', 'externalMiB', 'buffersMiB'] as const).map(mib).join(', ')
    say(`${backend}, minute ${minutesGone().toFixed(1)}, ${count} signatures: ${parts}`)
    if (minutesGone() >= firstMinutes) early ??= taken.residentMiB
  }
  const { residentMiB } = await stage.process.ask('taken', undefined)
  return {
    suite: 'service',
    case: `resident after ${minutes} minutes`,
    backend,
    runs: count,
    residentMiB,
    ...(early === undefined ? {} : { growth: residentMiB / early }),
  }
}

const say = (line: string): void => console.error(line)
