/**
 * `npm run simulate`: plays schedules, replays one, or shrinks one. What it says last is how many schedules violated an invariant;
 * when it ends with 1, README.md says.
 */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildKernel } from '../../wasm/build.ts'
import { entries, readEntry, writeEntry, type Entry } from './corpus.ts'
import { Player, type Setting } from './crew.ts'
import type { Order, PlayedSchedule } from './messages.ts'
import { failpoints, neverDone, neverReached, unreached } from './coverage.ts'
import { mutants } from './mutants.ts'
import { commitOfSources, nextSeed, sittingsOf, sumOf, writeSitting } from './sittings.ts'
import type { Swarm } from './swarm.ts'
import { families } from './workloads.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    cores: { type: 'string', default: String(availableParallelism()) },
    replay: { type: 'string' },
    shrink: { type: 'string' },
    corpus: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    ledger: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true },
    mutants: { type: 'string' },
  },
})

const { without } = values
const only = families.find((family) => family === values.only)
if (values.only !== undefined && only === undefined)
  throw new Error(`there is no ${values.only}: ${families.join(', ')}`)

if (values.ledger && without !== undefined) throw new Error('a sitting looks at all invariants')

/** Where `--ledger` writes the sitting down: the commit that is played. */
const commit = values.ledger ? commitOfSources() : undefined
const sittings = () => (commit === undefined ? [] : sittingsOf(commit, only ?? 'all'))
const firstSeed = values.seed === undefined ? nextSeed(sittings()) : Number(values.seed)

/** From the first signal on no schedule begins: those that were played are reported. */
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true
  })

/** Every so many seeds one is played again in another process. */
const again = 100

/** A process is left after so many schedules: its caches grow. It plays its first 300 in twice the time of later ones. */
const renewedAfter = 10_000

const playIn = async (player: Player, order: Extract<Order, { kind: 'play' }>): Promise<PlayedSchedule> => {
  const answer = await player.ask(order)
  if (answer.kind !== 'played') throw new Error('another answer than was asked for')
  return answer
}

const alone = async <A>(work: (player: Player) => Promise<A>, setting?: Setting): Promise<A> => {
  const player = await Player.start(setting)
  try {
    return await work(player)
  } finally {
    player.stop()
  }
}

const told = ({ seed, violation, steps }: PlayedSchedule): string =>
  `seed ${seed}: ${violation === undefined ? 'nothing' : `${violation.invariant}: ${violation.seen}`} (${steps} events)`

const orderOf = (seed: number) => ({ kind: 'play', seed, only, without }) as const

const orderOfEntry = ({ seed, swarm, decisions: script }: Entry): Extract<Order, { kind: 'play' }> => ({
  kind: 'play',
  seed,
  swarm,
  script,
})

/** A file of the corpus, with the source as it was when it failed, or a seed. */
const replay = async (named: string): Promise<number> => {
  const entry = /^\d+$/.test(named) ? undefined : readEntry(named)
  const order = entry === undefined ? orderOf(Number(named)) : orderOfEntry(entry)
  const played = await alone((player) => playIn(player, { ...order, keepsTrace: true }), entry)
  console.log(played.trace.join('\n'))
  console.log(JSON.stringify(played.swarm))
  console.log(`${told(played)}, hash ${played.hash}`)
  return played.violation === undefined ? 0 : 1
}

/** The same failure with fewer decisions, as a file of the corpus; `undefined` where nothing fails. */
const shrunk = async (player: Player, seed: number, mutant?: string, of?: Swarm) => {
  const answer = await player.ask({ kind: 'shrink', seed, swarm: of, only, without })
  if (answer.kind !== 'shrunk') throw new Error('another answer than was asked for')
  if (answer.violation === undefined) return undefined
  const { swarm, script, tries, of: decisions, notPlain } = answer
  const played = await playIn(player, { ...orderOf(seed), swarm, script, keepsTrace: true })
  const { invariant, seen } = played.violation ?? answer.violation
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const why = mutant === undefined ? { open: true } : { mutant }
  const file = writeEntry({ seed, swarm, decisions: script, invariant, seen, ...why, commit, hash: played.hash })
  const told = `${invariant}: ${seen}; ${notPlain} of ${decisions} decisions are left, ${played.steps} events, found in ${tries} replays`
  return { trace: played.trace, told, file }
}

const shorten = async (seed: number): Promise<number> =>
  alone(async (player) => {
    const made = await shrunk(player, seed)
    console.log(
      made === undefined ? `seed ${seed} violates nothing` : [...made.trace, `${made.told}: ${made.file}`].join('\n'),
    )
    return made === undefined ? 1 : 0
  })

/**
 * Plays the mutant's list of the corpus, and where it is stale seeds with the faults of that list, until an invariant says that a
 * check is missing.
 */
const hunt = async (mutant: string): Promise<boolean> =>
  alone(
    async (player) => {
      const known = entries().find(({ entry }) => entry.mutant === mutant)
      const again = known === undefined ? undefined : (await playIn(player, orderOfEntry(known.entry))).violation
      if (again !== undefined) {
        console.log(`seen   ${mutant}: by its list; ${again.invariant}: ${again.seen}`)
        return true
      }
      const swarm = known?.entry.swarm
      const orderOfList = (seed: number) => ({ ...orderOf(seed), swarm })
      for (let seed = firstSeed; seed < firstSeed + Number(values.seeds) && !isStopped; seed++) {
        if ((await playIn(player, orderOfList(seed))).violation === undefined) continue
        const sound = await alone((unchanged) => playIn(unchanged, orderOfList(seed)))
        if (sound.violation !== undefined) {
          console.log(`whole product, ${told(sound)}`)
          continue
        }
        const made = await shrunk(player, seed, mutant, swarm)
        console.log(`seen   ${mutant}: after ${seed - firstSeed + 1} seeds; ${made?.told ?? 'not when it is shrunk'}`)
        return true
      }
      console.log(`unseen ${mutant}: in ${values.seeds} seeds`)
      return false
    },
    { mutant },
  )

const huntAll = async (which: string): Promise<number> => {
  const hunted = mutants.map(({ name }) => name).filter((name) => which === 'all' || name.startsWith(which))
  if (hunted.length === 0) throw new Error(`no mutant is called ${which}`)
  const left = hunted.values()
  let seen = 0
  const lane = async () => {
    for (const name of left) {
      if (isStopped) return
      const isSeen = await hunt(name).catch((cause: unknown) => {
        console.log(`failed ${name}: ${String(cause)}`)
        return false
      })
      if (isSeen) seen += 1
    }
  }
  await Promise.all(Array.from({ length: Number(values.cores) }, lane))
  console.log(`${seen} of ${hunted.length} mutants seen`)
  return seen === hunted.length ? 0 : 1
}

/** Replays what was mended. */
const replayCorpus = async (player: Player): Promise<readonly PlayedSchedule[]> => {
  const played: PlayedSchedule[] = []
  for (const { entry } of entries()) {
    if (entry.open !== true) played.push(await playIn(player, orderOfEntry(entry)))
  }
  return played
}

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
  const found: Found = {
    schedules: 0,
    steps: 0,
    violations: [],
    pairs: new Map(),
    ends: new Map(),
    leaks: new Map(),
    hashes: new Map(),
  }
  let next = first
  const isOver = () => isStopped || next >= first + count || Date.now() >= until
  const lane = async () => {
    while (!isOver()) {
      await alone(async (player) => {
        for (let n = 0; n < renewedAfter && !isOver(); n++) {
          const played = await playIn(player, orderOf(next++))
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
  const order = { ...orderOf(seed), keepsTrace: true }
  const [fresh, used] = [
    await alone((player) => playIn(player, order), anotherDay),
    await alone(async (player) => {
      for (let before = Math.max(1, seed - 20); before < seed; before++) await playIn(player, orderOf(before))
      return playIn(player, order)
    }),
  ]
  const at = fresh.trace.findIndex((line, index) => line !== used.trace[index])
  return at < 0 ? 'both traces are the same now' : `line ${at + 1}: ${fresh.trace[at] ?? ''} | ${used.trace[at] ?? ''}`
}

/** A hundred days and some hours: another weekday, and another offset of most time zones. */
const anotherDay: Setting = { laterMs: (100 * 24 + 7) * 60 * 60_000 + 1_234_567 }

/** Seeds that run differently in a process that played none of those before. */
const repeatIn = async (player: Player, { hashes, leaks }: Found): Promise<readonly number[]> => {
  const different: number[] = []
  for (const [seed, hash] of hashes) {
    const played = await playIn(player, orderOf(seed))
    for (const [name, times] of played.leaks) leaks.set(name, times)
    if (played.hash !== hash) different.push(seed)
  }
  return different
}

const report = async (): Promise<number> => {
  const began = Date.now()
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes)
  const found = await playAll(firstSeed, Number(values.seeds), began + minutes * 60_000)
  const { corpus, different } = await alone(
    async (player) => ({
      different: await repeatIn(player, found),
      corpus: values.corpus ? await replayCorpus(player) : [],
    }),
    anotherDay,
  )
  const broken = corpus.filter(({ violation }) => violation !== undefined)
  for (const played of broken) console.log(`corpus: ${told(played)}`)
  for (const seed of different)
    console.log(`seed ${seed} ran differently in another process, first at ${await firstDifference(seed)}`)
  const seconds = (Date.now() - began) / 1000
  if (values.coverage) {
    console.log(
      [...found.ends]
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, times]) => `${String(times).padStart(8)} ${name}`)
        .join('\n'),
    )
    console.log(
      [...found.pairs]
        .toSorted()
        .map(([name, times]) => `${String(times).padStart(8)} ${name}`)
        .join('\n'),
    )
  }
  const notReached = neverReached(found.pairs)
  for (const name of notReached) console.log(`never reached: ${name}`)
  const survived = unreached(found.pairs)
  for (const name of survived) console.log(`no process died at ${name}`)
  const isCovering = only === undefined && found.schedules >= enoughForAllFailpoints
  const uncovered = isCovering ? notReached.length + survived.length : 0
  const missing = found.schedules >= enoughForAllVerbs ? neverDone(found.ends) : []
  for (const name of missing) console.log(`${name} was never done in ${found.schedules} schedules`)
  const leaks = [...found.leaks].filter(([name]) => !allowedLeaks.some((allowed) => name.startsWith(allowed)))
  for (const [name, times] of leaks) console.log(`leak: ${name}, ${times} times`)
  const violations = found.violations.length + broken.length
  const all = new Set(failpoints()).size
  const perSchedule = Math.round(found.steps / Math.max(1, found.schedules))
  console.log(`${corpus.length} of the corpus, ${found.hashes.size} seeds played twice, ${different.length} differ`)
  console.log(
    `${found.schedules} schedules, ${(found.schedules / seconds).toFixed(1)} a second, ${perSchedule} events each, ${found.pairs.size} pairs covered, ${all - notReached.length} of ${all} failpoints reached`,
  )
  if (commit !== undefined) {
    writeSitting({
      commit,
      family: only ?? 'all',
      first: firstSeed,
      seeds: found.schedules,
      violations,
      differing: different.length,
      pairs: found.pairs.size,
    })
    const { seeds, failed } = sumOf(sittings())
    console.log(`${seeds} schedules on ${commit} in ${sittings().length} sittings, ${failed} failed`)
  }
  console.log(`${violations} violations`)
  return violations + different.length + missing.length + leaks.length + uncovered > 0 ? 1 : 0
}

/** In so many schedules every verb succeeds. */
const enoughForAllVerbs = 1_000
/** In so many schedules of all families processes die at each failpoint. */
const enoughForAllFailpoints = 20_000

/** What blinds noble's multiplications, and Effect's hashes of defects: no trace depends on either (`guard.ts`). */
const allowedLeaks = ['getRandomValues node_modules/@noble', 'Math.random node_modules/effect/']

const run = async (): Promise<number> => {
  await buildKernel()
  if (values.replay !== undefined) return replay(values.replay)
  if (values.shrink !== undefined) return shorten(Number(values.shrink))
  if (values.mutants !== undefined) return huntAll(values.mutants)
  return report()
}

process.exitCode = await run()
