/**
 * One seeded scheduler and clock for every process, page and the network between them. Each thing that may happen next is
 * an event in one list; each choice among them, and each fault, is one decision. A decision has a name: what it is about, and
 * which time that is. The decisions that are not plain are the schedule: the same ones give the same run again, and fewer of
 * them a simpler one. Because it depends on its name alone, a statement or a verb that is added changes no other decision.
 */
import * as Clock from 'effect/Clock'
import * as Context from 'effect/Context'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type * as Exit from 'effect/Exit'
import * as References from 'effect/References'
import type { Scheduler } from 'effect/Scheduler'

/** A process, a page or the network. The events of an owner that is not alive never happen. */
export type Owner = { readonly name: string; readonly alive: boolean }

/** An owner that can be ended. */
export type Mortal = { readonly name: string; alive: boolean }

type Event = { readonly owner: Owner; readonly label: string; readonly run: () => void }
type Timer = Event & { at: number; readonly order: number; readonly background: boolean; cancelled: boolean }

const hashOf = (text: string, from = 0x811c9dc5): number => {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** The last steps of MurmurHash3: each bit of the input counts in each of the output. */
const mixed = (word: number): number => {
  let mix = word
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** The beginning of a protocol's id, which is drawn: what a decision is about does not depend on it. */
const idOfRun = / of [0-9a-f]{4}\b/

/** sfc32: 32 bits a call. */
export const prng = (seed: number): (() => number) => {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, seed >>> 0]
  const next = () => {
    const t = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return t >>> 0
  }
  for (let warm = 0; warm < 15; warm++) next()
  return next
}

/** A violated invariant: its letter, and the observation. */
export type Violation = { readonly invariant: string; readonly seen: string }

/** The decisions that are not plain, by their names. */
export type Script = Readonly<Record<string, number>>

const startTime = 1_800_000_000_000

/** Of so many sleeps in which nothing but background timers is due, one lets them fire. */
const suspendedIn = 4

/** How far a timer may be away to be taken before events that are ready, and how often that happens. */
const soonMs = 500
const soonTimersOneIn = 16
const lateTimersOneIn = 1_024

export type SimOptions = {
  readonly seed: number
  readonly now?: number
  /** Decisions in place of the seed's own: what it does not name is plain. */
  readonly script?: Script | undefined
  readonly keepsTrace?: boolean
  /** Invariants that are not looked at. */
  readonly without?: readonly string[] | undefined
}

export class Sim {
  now: number
  readonly decisions: Record<string, number> = {}
  /** FNV-1a over every label and its time. */
  hash = 0x811c9dc5
  steps = 0
  readonly trace: string[] = []
  violation: Violation | undefined
  /** Whether a timer may come before what is ready: a machine that is slow, or sleeps. */
  isSlow = true
  /** After each event and all that follows from it. */
  onSettled: () => void = () => undefined
  readonly #ready: Event[] = []
  readonly #timers: Timer[] = []
  #order = 0
  readonly #seed: number
  /** What was decided about, and how often. */
  readonly #asked = new Map<string, { readonly hash: number; times: number }>()
  readonly #sources = new Map<string, (length: number) => Uint8Array>()
  readonly #script: Script | undefined
  readonly #keepsTrace: boolean
  readonly #without: readonly string[]

  constructor({ seed, now = startTime, script, keepsTrace = false, without = [] }: SimOptions) {
    this.now = now
    this.#seed = seed
    this.#script = script
    this.#keepsTrace = keepsTrace
    this.#without = without
  }

  /** One of `of` choices. 0 is the plain one: the oldest event, no fault. */
  choose(of: number, about: string): number {
    if (of <= 1) return 0
    const asked = this.#asked.get(about) ?? this.#firstAsked(about)
    asked.times += 1
    const choice =
      this.#script === undefined
        ? mixed(asked.hash ^ mixed(asked.times)) % of
        : (this.#script[nameOf(about, asked.times)] ?? 0) % of
    if (choice !== 0) this.decisions[nameOf(about, asked.times)] = choice
    return choice
  }

  /** Labels of two runs are about the same. */
  #firstAsked(about: string): { readonly hash: number; times: number } {
    const subject = about.replace(idOfRun, '')
    const known = this.#asked.get(subject) ?? { hash: hashOf(subject, mixed(this.#seed ^ 0x9e3779b9)), times: 0 }
    this.#asked.set(subject, known)
    this.#asked.set(about, known)
    return known
  }

  /** Once in `oneIn`; never where the fault is off, which is 0. */
  fault(oneIn: number, about: string): boolean {
    return oneIn > 0 && this.choose(oneIn, about) === oneIn - 1
  }

  /** The product's random bytes: each owner has a stream of its own, which no decision and no other owner changes. */
  bytesOf(owner: string): (length: number) => Uint8Array {
    const known = this.#sources.get(owner)
    if (known !== undefined) return known
    const draw = prng(hashOf(owner, mixed(this.#seed ^ 0x5bd1e995)))
    const source = (length: number) => {
      const made = new Uint8Array(length)
      for (let at = 0; at < length; at += 4) {
        const word = draw()
        for (let byte = 0; byte < 4 && at + byte < length; byte++) made[at + byte] = word >>> (8 * byte)
      }
      return made
    }
    this.#sources.set(owner, source)
    return source
  }

  note(label: string): void {
    this.steps += 1
    for (let at = 0; at < label.length; at++) this.hash = Math.imul(this.hash ^ label.charCodeAt(at), 0x01000193)
    this.hash = Math.imul(this.hash ^ (this.now & 0xffff), 0x01000193)
    if (this.#keepsTrace) this.trace.push(`${((this.now - startTime) / 1000).toFixed(3)} ${label}`)
  }

  /** The first one counts. */
  violate(invariant: string, seen: string): void {
    if (!this.#without.includes(invariant)) this.violation ??= { invariant, seen }
  }

  add(owner: Owner, label: string, run: () => void): void {
    this.#ready.push({ owner, label, run })
  }

  /** A schedule ends when only background timers are left. What is returned cancels the timer. */
  timer(owner: Owner, ms: number, label: string, run: () => void, background = false): () => void {
    const timer: Timer = { owner, label, run, at: this.now + ms, order: this.#order++, background, cancelled: false }
    this.#timers.push(timer)
    return () => {
      timer.cancelled = true
    }
  }

  /** Takes events until nothing is left, or `until` says so, or an invariant is violated. */
  async run(until: () => boolean = () => false, limit = 40_000): Promise<void> {
    // `drained` counts on being called from a promise.
    await Promise.resolve()
    for (let count = 0; ; count++) {
      await drained()
      this.onSettled()
      if (this.violation !== undefined || until()) return
      if (count >= limit) {
        this.violate('L', `the schedule does not end within ${limit} events`)
        return
      }
      if (!this.#step()) return
    }
  }

  /** As after a sleep of the whole machine: what was due meanwhile happens once, and late. */
  skip(ms: number): void {
    this.now += ms
  }

  #step(): boolean {
    const ready = this.#ready
    dropWhere(ready, isDead)
    dropWhere(this.#timers, isOver)
    const [oldest] = ready
    if (oldest === undefined) return this.#turnClock()
    const subject = `${oldest.owner.name}: ${oldest.label}`
    if (this.#isTimersTurn(subject)) return this.#turnClock()
    const [event] = ready.splice(this.choose(ready.length, subject), 1)
    if (event !== undefined) this.#happens(event)
    return true
  }

  /** Whether a timer comes before the oldest event. */
  #isTimersTurn(oldest: string): boolean {
    if (!this.isSlow || this.#timers.length === 0) return false
    const isSoon = this.#timers.some(({ at }) => at - this.now <= soonMs)
    return this.fault(isSoon ? soonTimersOneIn : lateTimersOneIn, `a timer before ${oldest}`)
  }

  #turnClock(): boolean {
    if (this.#ready.length === 0 && this.#timers.every(({ background }) => background)) return false
    if (this.#ready.length === 0) this.#sleepUntilNeeded()
    const next = this.#timers.reduce(earlier)
    next.cancelled = true
    this.now = Math.max(this.now, next.at)
    this.#happens(next)
    return true
  }

  /**
   * Where only background timers fire for long, each fires once, as after a sleep of the machine; or none of them: their clock
   * stood still, as the one that Node's timers go by does in a machine that is suspended.
   */
  #sleepUntilNeeded(): void {
    const { at } = this.#timers.filter(({ background }) => !background).reduce(earlier)
    const slept = at - wakeBeforeMs - this.now
    if (slept <= 0) return
    if (this.isSlow && this.choose(suspendedIn, 'the machines are suspended') !== 0) {
      for (const timer of this.#timers) if (timer.background) timer.at += slept + wakeBeforeMs
    }
    this.now += slept
  }

  #happens({ owner, label, run }: Event): void {
    this.note(`${owner.name}: ${label}`)
    run()
  }

  /** Effect's own tasks, forks, yields and latches, belong to the event that they follow from. */
  #schedulerOf(owner: Owner): Scheduler {
    const scheduleTask = (task: () => void) =>
      queueMicrotask(() => {
        if (owner.alive) task()
      })
    return {
      executionMode: 'async',
      shouldYield: () => false,
      makeDispatcher: () => ({ scheduleTask, flush: () => undefined }),
    }
  }

  /** `ahead` may change meanwhile. Timers run by the true time, as hardware timers do. */
  clockOf(owner: Owner, { ahead = () => 0, background = false }: ClockOptions = {}): Clock.Clock {
    const now = () => this.now + ahead()
    const nanos = (ms: number) => BigInt(ms) * 1_000_000n
    return {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: () => nanos(now()),
      currentTimeNanos: Effect.sync(() => nanos(now())),
      monotonicTimeNanosUnsafe: () => nanos(this.now),
      monotonicTimeNanos: Effect.sync(() => nanos(this.now)),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const ms = Duration.toMillis(duration)
          return Effect.sync(this.timer(owner, ms, `wakes after ${ms} ms`, () => resume(Effect.void), background))
        }),
    }
  }

  /** Runs an effect as this owner; how it ended is not told where the owner ended before. */
  fork<A, E>(
    owner: Owner,
    effect: Effect.Effect<A, E>,
    ended: (exit: Exit.Exit<A, E>) => void = () => undefined,
  ): void {
    const fiber = Effect.runForkWith(quiet)(effect, { scheduler: this.#schedulerOf(owner) })
    fiber.addObserver((exit) => {
      if (owner.alive) ended(exit)
    })
  }
}

const isDead = ({ owner }: Event): boolean => !owner.alive
const isOver = ({ cancelled, owner }: Timer): boolean => cancelled || !owner.alive

/** In place, because it is done before each event. */
const dropWhere = <A>(all: A[], isDropped: (one: A) => boolean): void => {
  let kept = 0
  for (const one of all) {
    if (isDropped(one)) continue
    all[kept] = one
    kept += 1
  }
  all.length = kept
}

const nameOf = (about: string, times: number): string => `${about.replace(idOfRun, '')} #${times}`

/** Logs and spans are not read. */
const quiet = Context.make(References.MinimumLogLevel, 'None').pipe(Context.add(References.TracerEnabled, false))

/** Everything runs again this long before its timer. */
const wakeBeforeMs = 1_000

const earlier = (first: Timer, one: Timer): Timer =>
  one.at < first.at || (one.at === first.at && one.order < first.order) ? one : first

export type ClockOptions = {
  readonly ahead?: () => number
  /** Its pauses do not keep a schedule going: those of upkeep, and of waits that a client's own pauses bound. */
  readonly background?: boolean
}

/** Every promise that can be settled is: nothing in a schedule waits for the machine. From a promise, a tick comes after all others. */
const drained = () => new Promise<void>((resolve) => process.nextTick(resolve))
