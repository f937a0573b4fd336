/**
 * `npm run simulate`: plays schedules, replays one, or shrinks one. What it says last is how many schedules violated an invariant;
 * it ends with 1 where one did, or where a schedule ran differently in another process.
 */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { entries, readEntry, writeEntry } from './corpus.ts'
import { Player } from './crew.ts'
import type { Order, PlayedSchedule } from './messages.ts'
import { unreached } from './coverage.ts'
import { families } from './workloads.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    cores: { type: 'string', default: String(availableParallelism()) },
    replay: { type: 'string' },
    shrink: { type: 'string' },
    corpus: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true },
  },
})

const { without } = values
const only = families.find((family) => family === values.only)
if (values.only !== undefined && only === undefined) throw new Error(`there is no ${values.only}: ${families.join(', ')}`)

/** Every so many seeds one is played again in another process. */
const again = 100

/** A process is left after so many schedules: its caches grow. */
const renewedAfter = 2_000

const playIn = async (player: Player, order: Extract<Order, { kind: 'play' }>): Promise<PlayedSchedule> => {
  const answer = await player.ask(order)
  if (answer.kind !== 'played') throw new Error('another answer than was asked for')
  return answer
}

const alone = async <A>(work: (player: Player) => Promise<A>): Promise<A> => {
  const player = await Player.start()
  try {
    return await work(player)
  } finally {
    player.stop()
  }
}

const told = ({ seed, violation, steps }: PlayedSchedule): string =>
  `seed ${seed}: ${violation === undefined ? 'nothing' : `${violation.invariant}: ${violation.seen}`} (${steps} events)`

/** A file of the corpus, or a seed. */
const orderOf = (named: string): Extract<Order, { kind: 'play' }> => {
  if (/^\d+$/.test(named)) return { kind: 'play', seed: Number(named), only, without }
  const { seed, swarm, decisions: script } = readEntry(named)
  return { kind: 'play', seed, swarm, script }
}

const replay = async (named: string): Promise<number> => {
  const played = await alone((player) => playIn(player, { ...orderOf(named), keepsTrace: true }))
  console.log(played.trace.join('\n'))
  console.log(JSON.stringify(played.swarm))
  console.log(`${told(played)}, hash ${played.hash}`)
  return played.violation === undefined ? 0 : 1
}

const shorten = async (seed: number): Promise<number> =>
  alone(async (player) => {
    const answer = await player.ask({ kind: 'shrink', seed, only, without })
    if (answer.kind !== 'shrunk') throw new Error('another answer than was asked for')
    if (answer.violation === undefined) {
      console.log(`seed ${seed} violates nothing`)
      return 1
    }
    const { swarm, script, tries, of, notPlain } = answer
    const played = await playIn(player, { kind: 'play', seed, swarm, script, keepsTrace: true, without })
    const { invariant, seen } = played.violation ?? answer.violation
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
    const file = writeEntry({ seed, swarm, decisions: script, invariant, seen, commit, hash: played.hash, open: true })
    console.log(played.trace.join('\n'))
    console.log(`${invariant}: ${seen}`)
    console.log(`${notPlain} of ${of} decisions are not plain, ${played.steps} events, found in ${tries} replays: ${file}`)
    return 0
  })

/** Replays what was mended. */
const replayCorpus = async (): Promise<readonly PlayedSchedule[]> =>
  alone(async (player) => {
    const played: PlayedSchedule[] = []
    for (const { file, entry } of entries()) {
      if (entry.open !== true) played.push(await playIn(player, orderOf(file)))
    }
    return played
  })

type Found = {
  schedules: number
  steps: number
  readonly violations: PlayedSchedule[]
  readonly pairs: Map<string, number>
  readonly ends: Map<string, number>
  readonly leaks: Map<string, number>
  readonly hashes: Map<number, string>
}

const add = (into: Map<string, number>, of: readonly (readonly [string, number])[]) => {
  for (const [name, count] of of) into.set(name, (into.get(name) ?? 0) + count)
}

const playAll = async (first: number, count: number, until: number): Promise<Found> => {
  const found: Found = { schedules: 0, steps: 0, violations: [], pairs: new Map(), ends: new Map(), leaks: new Map(), hashes: new Map() }
  let next = first
  const isOver = () => next >= first + count || Date.now() >= until
  const lane = async () => {
    while (!isOver()) {
      await alone(async (player) => {
        for (let n = 0; n < renewedAfter && !isOver(); n++) {
          const played = await playIn(player, { kind: 'play', seed: next++, only, without })
          found.schedules += 1
          found.steps += played.steps
          add(found.pairs, played.pairs)
          add(found.ends, played.ends)
          for (const [name, times] of played.leaks) found.leaks.set(name, times)
          if (played.seed % again === 0) found.hashes.set(played.seed, played.hash)
          if (played.violation === undefined) continue
          found.violations.push(played)
          console.log(told(played))
        }
      })
    }
  }
  await Promise.all(Array.from({ length: Number(values.cores) }, lane))
  return found
}

/** The first line at which the same seed differs, in a process that played others before and in a fresh one. */
const firstDifference = async (seed: number): Promise<string> => {
  const order = { kind: 'play', seed, only, without, keepsTrace: true } as const
  const [fresh, used] = [
    await alone((player) => playIn(player, order)),
    await alone(async (player) => {
      for (let before = Math.max(1, seed - 20); before < seed; before++) await playIn(player, { kind: 'play', seed: before, only, without })
      return playIn(player, order)
    }),
  ]
  const at = fresh.trace.findIndex((line, index) => line !== used.trace[index])
  return at < 0 ? 'both traces are the same now' : `line ${at + 1}: ${fresh.trace[at] ?? ''} | ${used.trace[at] ?? ''}`
}

/** Seeds that ran differently in a process of their own. */
const repeatIn = async (hashes: ReadonlyMap<number, string>): Promise<readonly number[]> => {
  const different: number[] = []
  if (hashes.size === 0) return different
  await alone(async (player) => {
    for (const [seed, hash] of hashes) {
      const played = await playIn(player, { kind: 'play', seed, only, without })
      if (played.hash !== hash) different.push(seed)
    }
  })
  return different
}

const report = async (): Promise<number> => {
  const began = Date.now()
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes)
  const corpus = values.corpus ? await replayCorpus() : []
  const broken = corpus.filter(({ violation }) => violation !== undefined)
  for (const played of broken) console.log(`corpus: ${told(played)}`)
  const found = await playAll(Number(values.seed), Number(values.seeds), began + minutes * 60_000)
  const different = await repeatIn(found.hashes)
  for (const seed of different) console.log(`seed ${seed} ran differently in another process, first at ${await firstDifference(seed)}`)
  const seconds = (Date.now() - began) / 1000
  if (values.coverage) {
    console.log([...found.ends].toSorted(([, a], [, b]) => b - a).map(([name, times]) => `${String(times).padStart(8)} ${name}`).join('\n'))
    console.log([...found.pairs].toSorted().map(([name, times]) => `${String(times).padStart(8)} ${name}`).join('\n'))
  }
  for (const name of unreached(found.pairs)) console.log(`no process died at ${name}`)
  for (const [name, times] of found.leaks) if (!allowedLeaks.some((allowed) => name.startsWith(allowed))) console.log(`leak: ${name}, ${times} times`)
  const violations = found.violations.length + broken.length
  const perSchedule = Math.round(found.steps / Math.max(1, found.schedules))
  console.log(`${corpus.length} of the corpus, ${found.hashes.size} seeds played twice, ${different.length} differ`)
  console.log(`${found.schedules} schedules, ${(found.schedules / seconds).toFixed(1)} a second, ${perSchedule} events each, ${found.pairs.size} pairs covered`)
  console.log(`${violations} violations`)
  return violations + different.length > 0 ? 1 : 0
}

/** What blinds noble's multiplications, and the ids of incarnations: neither is in any trace. */
const allowedLeaks = ['getRandomValues node_modules/@noble', 'randomUUID']

const run = (): Promise<number> => {
  if (values.replay !== undefined) return replay(values.replay)
  if (values.shrink !== undefined) return shorten(Number(values.shrink))
  return report()
}

process.exitCode = await run()
