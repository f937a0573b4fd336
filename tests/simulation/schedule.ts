/**
 * One schedule from its seed: a world in its first state, people, cheaters and operators at work, then no more faults, and a
 * check that every device still signs.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import { ShareStore } from '../../domain/client/ports/ShareStore.ts'
import { currentSession } from '../../domain/client/touch.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import { reviewLimits } from '../../domain/service/PendingTransaction.ts'
import { portalSessionLimits } from '../../domain/service/PortalSession.ts'
import { lockedWatermark } from '../../domain/service/protocol/watermarks.ts'
import { runLimits } from '../../domain/service/Run.ts'
import { chance } from './guard.ts'
import { areBackedUp, pendingOn, secretOf, unrecoverable } from './backups.ts'
import { emptyMemory, memoryOf, type Device, type Tab } from './device.ts'
import {
  abandoning,
  forking,
  guessInSetups,
  guessInSignature,
  guessingBit,
  guessingInSetups,
  replay,
  setups,
  type Sent,
} from './hostile.ts'
import {
  Addresses,
  Answers,
  Audits,
  areOwnTransfers,
  Evaluations,
  Guesses,
  Halves,
  isSignedUnderFirstKey,
  unconfirmedOn,
  unmarkedBanIsWritten,
  noKeyIsRetained,
  noneIsRetained,
  noRunIsLeft,
  Incarnations,
  Locked,
  isBroughtBack,
  isForgottenOn,
  isHeld,
  isHolder,
  isKeyOf,
  isProvidersHalfThere,
  Sendings,
  leftBehind,
  leftBehindAreEnded,
  numberOf,
  Recipients,
  recoveriesAreOver,
  situationOf,
  textOf,
  Unlocks,
  walletsOn,
  type Cheater,
  type Row,
  type View,
} from './invariants.ts'
import { copyOf, emptyOutside, type Outside } from './outside.ts'
import { Partner } from './partner.ts'
import { Permissions } from './permissions.ts'
import { payment } from './policies.ts'
import type { Snapshot } from './rows/Rows.ts'
import { Sim, type Mortal, type Script, type Violation } from './Sim.ts'
import { calm, skewsMs, type Restores, type Swarm, type Verb } from './swarm.ts'
import { pairOf } from './toyCrypto.ts'
import {
  enrolling,
  exporting,
  leaving,
  loggingIn,
  loggingOut,
  makingWallet,
  messageOf,
  otherSentTransaction,
  sendingAgain,
  authorization,
  permit,
  recovering,
  refreshing,
  refreshingAgain,
  resuming,
  signing,
  signingDigest,
  signingOf,
  signingUp,
  text,
  sentTransaction,
  transaction,
  type OtherType,
  type SignedRequest,
} from './verbs.ts'
import { World, type Base } from './world.ts'

export type Played = {
  readonly violation: Violation | undefined
  readonly hash: number
  readonly steps: number
  readonly decisions: Script
  readonly trace: readonly string[]
  readonly pairs: ReadonlyMap<string, number>
  /** How verbs ended, by name and refusal. */
  readonly ends: ReadonlyMap<string, number>
  /** The bits that the cheater asked for, and that nothing was checked against. */
  readonly unchecked: ReadonlySet<number>
}

export type Playing = {
  readonly seed: number
  readonly swarm: Swarm
  readonly script?: Script | undefined
  readonly keepsTrace?: boolean | undefined
  /** Invariants that are not looked at: one that fails at once hides the others. */
  readonly without?: readonly string[] | undefined
  /** Bits of which the cheater guesses the opposite. */
  readonly others?: ReadonlySet<number> | undefined
}

/**
 * T: a guess that no check has seen changes nothing: not what comes next, nor when. The same schedule with the opposite of each
 * such guess runs event for event as it did.
 */
export const playBothGuesses = async (base: Base, playing: Playing): Promise<Played> => {
  const played = await play(base, playing)
  const isLookedAt = played.violation === undefined && playing.without?.includes('T') !== true
  if (!isLookedAt || played.unchecked.size === 0) return played
  const other = await play(base, { ...playing, others: played.unchecked })
  if (other.hash === played.hash) return played
  return { ...played, violation: { invariant: 'T', seen: 'what comes next depends on a guess that was not checked' } }
}

export const play = async (
  base: Base,
  { seed, swarm, script, keepsTrace = false, without, others = new Set() }: Playing,
): Promise<Played> => {
  const sim = new Sim({ seed, now: base.now, script, keepsTrace, without })
  chance.bytes = sim.bytesOf('process')
  const ends = new Map<string, number>()
  const schedule = new Schedule(sim, swarm, base, ends, others)
  await schedule.run()
  const { world } = schedule
  world.stop()
  const { violation, hash, steps, decisions, trace } = sim
  const { unchecked } = schedule
  return { violation, hash: hash >>> 0, steps, decisions, trace, pairs: world.coverage.pairs, ends, unchecked }
}

/** When a wallet of a person is used: within the first quarter of a second, so that much happens at once. */
const beginnings = 6
const beginningMs = 40

class Schedule {
  readonly world: World
  readonly #sim: Sim
  readonly #swarm: Swarm
  readonly #base: Base
  readonly #ends: Map<string, number>
  readonly #view: View
  readonly #addresses = new Addresses()
  readonly #answers: Answers
  readonly #guesses: Guesses
  readonly #unlocks: Unlocks
  readonly #locked = new Locked()
  readonly #evaluations = new Evaluations()
  readonly #recipients = new Recipients()
  readonly #incarnations = new Incarnations()
  readonly #audits = new Audits()
  readonly #sendings: Sendings
  readonly #halves: Halves
  readonly #permissions: Permissions | undefined
  readonly #partner: Partner | undefined
  readonly #outer: Mortal = { name: 'world', alive: true }
  #isRestored = false
  /** The mark of a ban could not be written. */
  #isUnmarked = false
  /** The folder as it was, where an older one came up alone and no operator has decided yet. */
  #refusedFor: Outside | undefined
  readonly #copies: { readonly rows: Snapshot; readonly outside: Outside }[] = []
  #secret: string
  /** Every recovery secret that the person was shown. */
  readonly #shown = new Set<string>()
  readonly #cheaters: Cheater[] = []
  #open = 0
  #evicted = false
  /** A person has asked to log out. */
  #isLoggedOut = false
  /** Clears a device's storage before this event. */
  #eviction: { readonly at: number; readonly of: Device } | undefined
  #people = 0
  readonly #others: ReadonlySet<number>
  /** The wallet that the last look signs with. */
  #last: { readonly walletId: string; readonly type: Swarm['second'] }
  /** The wallets of `keygen`, and the persons of `signUp`, whose verb was done. */
  readonly #made: { readonly walletId: string; readonly type: OtherType; readonly device: Device }[] = []
  readonly #persons: { readonly email: string; readonly walletId: string; readonly device: Device }[] = []
  /** Closes the pages that recover. */
  readonly #recovering: (() => void)[] = []
  #isPrepared = false
  /** The wallets of which a copy without their key may have been made. */
  readonly #halfMade = new Set<unknown>()
  #isOperatorCalled = false

  constructor(sim: Sim, swarm: Swarm, base: Base, ends: Map<string, number>, others: ReadonlySet<number>) {
    this.#others = others
    this.#sim = sim
    this.#swarm = swarm
    this.#base = base
    this.#ends = ends
    this.#halves = new Halves(swarm.writes)
    const { setsFolderBack = false, keepsDatabase = false, setsMarksBack = false } = swarm.restores ?? {}
    const areBothOlder = setsFolderBack && !keepsDatabase
    this.#answers = new Answers(areBothOlder)
    this.#guesses = new Guesses(
      () =>
        this.#isRestored &&
        (areBothOlder || (this.#isUnmarked && !keepsDatabase)) &&
        !this.world.outside.watermarks.has(lockedWatermark(base.walletId)),
      () => this.#isRestored && areBothOlder && setsMarksBack,
    )
    this.#unlocks = new Unlocks(2 * swarm.skew)
    this.#secret = base.recoverySecret
    this.#shown.add(base.recoverySecret)
    this.#last = { walletId: base.walletId, type: undefined }
    this.world = new World(sim, swarm, base, {
      computed: (job) => {
        this.#answers.computed(job)
        areOwnTransfers(this.#view, job)
        // Nothing is known of the records that both lack.
        if (swarm.guesses > 0 && !(this.#isRestored && areBothOlder))
          this.#evaluations.check(this.#view, job, this.#isRestored)
      },
      arrived: (id, request) => this.#permissions?.arrived(id, request),
      accepted: (decision) => this.#permissions?.decided(decision),
      shown: (walletId, key) => isKeyOf(this.#view, walletId, key),
      refused: () => this.#startRefused(),
      unmarked: (what) => {
        this.#isUnmarked ||= what.startsWith(lockedWatermark(''))
      },
      unwritten: (write) => {
        if (!this.#isRestored) unmarkedBanIsWritten(this.#view, write)
      },
      swept: (round) => this.#answers.swept(round),
      answered: (id, request, answer) => {
        if (id !== 'exchangeFrame') return
        if (typeof answer.body !== 'string') this.#answers.check(sim, request.body, answer.body)
        if (answer.headers['x-error-code'] === 'DeniedByPolicy' && !this.#isRestored)
          this.#audits.denied(this.#view, request.body)
      },
    })
    const { world } = this
    this.#sendings = new Sendings(sim, world.chain, () => this.#isRestored && !keepsDatabase)
    world.coverage.situation = () => situationOf(this.#view)
    this.#view = {
      sim,
      rows: (table) => world.rows.rows(table),
      envelopes: world.envelopes,
      storages: () =>
        world.devices.filter(({ name }) => !/^(evil|twin)\./.test(name)).map(({ memory }) => memory.local),
      cheaters: () => this.#cheaters,
      shareKeys: () => world.outside.shareKeys,
      watermarks: () => world.outside.watermarks,
    }
    if (swarm.policy !== undefined) {
      this.#permissions = new Permissions(this.#view, base.partnerId, 2 * swarm.skew)
      this.#partner = new Partner(world, base, this.#view, this.#permissions)
    }
    let commits = world.rows.commits
    sim.onSettled = () => {
      if (this.#eviction !== undefined && sim.steps >= this.#eviction.at) this.#evict()
      this.#permissions?.settled()
      if (world.rows.commits === commits) return
      commits = world.rows.commits
      this.#committed()
    }
    world.witness.judge = (guess) => {
      const isRight = this.#guesses.judge(sim, guess)
      if (!isRight && guess.kind === 'sign') this.#unlocks.failed(guess.walletId, sim.now)
      world.coverage.saw(`guess in ${guess.kind} ${isRight ? 'right' : 'wrong'}`)
      return isRight
    }
    const around = world.surroundings(base.apiKey, base.user.password)
    for (const { name, memory } of base.devices) world.addDevice(around, name, memoryOf(memory))
  }

  get unchecked(): ReadonlySet<number> {
    const { checkedBits } = this.#guesses
    return new Set(Array.from({ length: this.#swarm.guesses }, (_, bit) => bit).filter((bit) => !checkedBits.has(bit)))
  }

  async run(): Promise<void> {
    const { world } = this
    const { policy } = this.#swarm
    this.#permissions?.begin()
    world.start()
    this.#committed()
    await this.#sim.run(() => world.replicas.every(({ isUp }) => isUp))
    if (policy !== undefined) await this.#partner?.begin(policy)
    this.#plan()
    await this.#sim.run()
    if (this.#sim.violation !== undefined) return
    this.#evict()
    if (this.#open > 0) this.#sim.violate('L', `${this.#open} verbs never end`)
    const { replicas, upkeep } = world.swarm
    Object.assign(world.swarm, calm, { replicas, upkeep })
    world.ahead.clear()
    this.#sim.isSlow = false
    await this.#sim.run(() => world.replicas.every(({ isUp }) => isUp))
    // A mark that a clock of the near future made is over then, too. One that was far ahead has to leave none.
    this.#sim.skip(this.#waitsMs() + skewsMs[0])
    if (upkeep) await this.#wait(beatMs, 'upkeep is done')
    noRunIsLeft(this.#view, upkeep)
    if (upkeep && !this.#isRestored) recoveriesAreOver(this.#view)
    await this.#partner?.apply('open')
    // A writer of the database can lock users out.
    if (!this.#swarm.writes) {
      const lookedAt = this.#lookedAt()
      await this.#signAtLast(lookedAt)
      if (!this.#isRestored) await this.#areBackedUpAtLast(lookedAt)
      if (this.#isRestored) await this.#forgottenSignsAtLast()
      else await this.#madeSignsAtLast()
      if (!this.#isRestored && this.#sim.fault(lastRecoveryOneIn, 'a last recovery')) await this.#recoversAtLast()
    }
    const [met] = world.witness.met
    if (met !== undefined) this.#sim.violate('W', `signed together: ${met}`)
    this.#halves.check(this.#view, this.#mayLackNew, this.#isRestored)
    noneIsRetained(this.#view)
    this.#audits.areComplete(this.#view)
    this.#sendings.check()
    for (const device of world.devices) {
      const [held] = device.locks.held()
      if (held !== undefined) this.#sim.violate('L', `${device.name} holds ${held}`)
    }
  }

  /** Until failed setups count no more: a day, and two where only the marks know them, which have their days and not their hours. */
  #waitsMs(): number {
    if (this.#swarm.setupGuesses === 0) return afterLivesMs
    return this.#isRestored ? 2 * runLimits.failedSetupsWithin : runLimits.failedSetupsWithin
  }

  /** Three heartbeats: after a long sleep a co-signer takes over no run of another before that has seen it again. */
  async #meetAgain(): Promise<void> {
    for (let beat = 0; beat < 3; beat++) await this.#wait(beatMs, 'a heartbeat later')
  }

  async #wait(ms: number, label: string): Promise<void> {
    let isOver = false
    this.#sim.timer(this.#outer, ms, label, () => {
      isOver = true
    })
    await this.#sim.run(() => isOver)
  }

  /** The laptop and the phone; mostly one of them, because a look costs as much as the schedule before it. */
  #lookedAt(): readonly Device[] {
    const chosen = this.#sim.choose(8, 'who is looked at')
    return this.world.devices.slice(0, 2).filter((_, at) => chosen === 0 || (chosen < 5 && chosen % 2 === at))
  }

  /** An older database lacks the backups of a new key since, and a logout while no co-signer answers does not ask for them. */
  get #mayLackNew(): boolean {
    return this.#evicted || (this.#isRestored && this.#isLoggedOut)
  }

  #committed(): void {
    this.#addresses.check(this.#view)
    this.#recipients.check(this.#view)
    this.#incarnations.check(this.#view, this.#isRestored, this.#refusedFor !== undefined)
    this.#audits.check(this.#view)
    this.#halves.check(this.#view, this.#mayLackNew, this.#isRestored)
    leftBehindAreEnded(this.#view)
    this.#guesses.countSetups(this.#view)
    this.#unlocks.check(this.#view)
    this.#locked.check(this.#view)
    this.#leavePrepared()
    this.#copyHalfMade()
    this.#permissions?.check()
    if (this.world.swarm.policy !== undefined) this.#partner?.committed(this.world.swarm.policy)
  }

  /** A recovery's shares are prepared for a few milliseconds, unless its page is closed just then: then for a day. */
  #leavePrepared(): void {
    const isPrepared = this.#view.rows('refreshes').some(({ state }) => state === 'PREPARED')
    const isNew = isPrepared && !this.#isPrepared
    this.#isPrepared = isPrepared
    if (!isNew || !this.#sim.fault(this.world.swarm.pageKills, 'recoveries are left before they are finished')) return
    this.#sim.add(this.#outer, 'pages that recover are closed', () => this.#recovering.forEach((close) => close()))
  }

  /** A key is made within a moment, in which no timer makes a copy: so some commits do that leave a wallet without its key. */
  #copyHalfMade(): void {
    const id = this.#view.rows('wallets').find(({ address }) => address === null)?.['id']
    if (this.#swarm.restores === undefined || this.#isRestored || id === undefined || this.#halfMade.has(id)) return
    this.#halfMade.add(id)
    if (this.#sim.fault(2, 'a copy is made of a wallet without its key')) this.#copy()
  }

  #copy(): void {
    this.#copies.push({ rows: this.world.rows.snapshot(), outside: copyOf(this.world.outside) })
  }

  #plan(): void {
    const { world } = this
    const swarm = this.#swarm
    const sim = this.#sim
    const at = (ms: number, label: string, run: () => void) => void sim.timer(this.#outer, ms, label, run)
    if (swarm.skew > 0) this.#skew(swarm.skew)
    for (let n = 0; n < swarm.verbs; n++) {
      const verb = swarm.kinds[sim.choose(swarm.kinds.length, 'verb')] ?? 'sign'
      const device = world.devices[sim.choose(2, `${verb}: on which device`)]
      // Payments mostly meet: a limit counts what begins at the same time.
      const slots = verb === 'pay' ? 2 : beginnings
      const late =
        verb === 'pay' && swarm.policy?.late === true && sim.choose(3, 'a late payment') === 2 ? acceptancesOverMs : 0
      if (device !== undefined)
        at(late + sim.choose(slots, `${verb}: when`) * beginningMs, `${verb} on ${device.name}`, () =>
          this.#begin(verb, device),
        )
    }
    const [laptop] = world.devices
    if (laptop !== undefined) this.#planCheater(laptop, at)
    if (swarm.evictions) {
      const of = world.devices[1 - sim.choose(2, 'whose storage is cleared')]
      const before = sim.choose(
        eventsOfEach * (swarm.verbs + swarm.guesses + 1),
        'before which event storage is cleared',
      )
      if (of !== undefined) this.#eviction = { at: sim.steps + 1 + before, of }
    }
    if (swarm.restores !== undefined) this.#planRestore(swarm.restores, at)
    if (swarm.lacksBackup === true) this.#takeBackup()
    if (swarm.writes)
      at(sim.choose(beginnings, 'when a key is written over') * beginningMs, 'a key is written over', () =>
        this.#writeKey(),
      )
  }

  /** At the latest before the last look, where fewer events happened. */
  #evict(): void {
    const of = this.#eviction?.of
    this.#eviction = undefined
    if (of === undefined) return
    this.#evicted = true
    this.#sim.note(`storage of the ${of.name} is cleared`)
    if (this.#isRestored) this.#halves.cleared(this.#view, of.memory.local)
    of.evict()
  }

  /** Minutes for each replica and the phone; in half of the cases one of the clocks steps back to the right time meanwhile. */
  #skew(skewMs: number): void {
    const { ahead } = this.world
    const sim = this.#sim
    if (skewMs > skewsMs[0]) {
      // Replicas that are hours apart serve no one: all of them are wrong, and set right, at once.
      const all = sim.choose(2, 'the clocks of all replicas') === 0 ? skewMs : -skewMs
      for (const { name } of this.world.replicas) ahead.set(name, all)
      const at = 100 + sim.choose(10, 'when the clocks step') * 50
      sim.timer(this.#outer, at, 'the clocks step', () => ahead.clear(), true)
      return
    }
    ahead.set('B', (sim.choose(3, 'the clock of B') - 1) * skewMs)
    ahead.set('phone', (sim.choose(3, 'the clock of the phone') - 1) * 300_000)
    const stepsBack = (which: () => string, about = 'when a clock steps') => {
      const at = 100 + sim.choose(10, about) * 50
      sim.timer(this.#outer, at, 'a clock steps', () => void ahead.delete(which()), true)
    }
    stepsBack(() => (sim.choose(2, 'which clock steps') === 0 ? 'B' : 'phone'))
    // Where B is, both may be wrong, by twice as much from each other.
    const ofA = [0, skewMs, -skewMs, 0][sim.choose(4, 'the clock of A')] ?? 0
    if (ofA === 0) return
    ahead.set('A', ofA)
    if (sim.choose(2, 'whether the clock of A steps') === 1) stepsBack(() => 'A', 'when the clock of A steps')
  }

  #planCheater(laptop: Device, at: (ms: number, label: string, run: () => void) => void): void {
    const { world } = this
    const swarm = this.#swarm
    const sim = this.#sim
    const stolen = memoryOf(laptop.memory)
    const sent: Sent = []
    const evil = () => {
      const memory = memoryOf(sim.choose(2, 'what the cheater has') === 0 ? stolen : laptop.memory)
      this.#cheaters.push({ storage: memory.local, copied: walletsOn(memory.local) })
      return world.addDevice(laptop.around, `evil.${(this.#people += 1)}`, memory)
    }
    const lifted = Effect.flatMap(ShareStore, ({ unlockAll }) => unlockAll)
    for (let bit = 0; bit < swarm.guesses; bit++) {
      const late = swarm.guessesApart ? bit * apartMs : sim.choose(4, 'a late guess') === 3 ? apartMs : 0
      at(sim.choose(4, 'when a guess is made') * beginningMs + late, 'a guess', () => {
        const device = evil()
        const tab = device.openTab({ guessing: guessingBit(sim, bit, this.#others.has(bit)) })
        const others =
          swarm.foreign && sim.choose(2, 'whose transfers are named') === 1 ? this.#othersTransfers() : undefined
        const guess = guessInSignature(sim, device, this.#base.walletId, swarm, sent, others)
        this.#do(tab, 'guess', Effect.andThen(lifted, guess))
      })
    }
    if (swarm.replays) {
      at(sim.choose(20, 'when all is sent again') * 1_000, 'the cheater sends all of it again', () => {
        const device = evil()
        this.#do(device.openTab(), 'replay', replay(sim, device, sent))
      })
    }
    for (let n = 0; n < swarm.abandoned; n++) {
      at(sim.choose(beginnings, 'when a setup is abandoned') * beginningMs, 'a setup is abandoned', () => {
        const all = setups(this.#base.walletId)
        const setup: Effect.Effect<unknown, unknown, Effect.Services<(typeof all)[number]>> = all[
          sim.choose(all.length, 'which setup is abandoned')
        ] ?? all[0]
        const flow = abandoning(setup, sim.choose(6, 'when the cheater leaves'), () => leave())
        const device = evil()
        const leave = this.#do(
          device.openTab(),
          'abandoned setup',
          Effect.andThen(lifted, forking(sim, device, swarm, sent, flow)),
        )
      })
    }
    if (swarm.twin) {
      at(sim.choose(beginnings, 'when a twin logs in') * beginningMs, 'another session with the same key', () => {
        const [held] = laptop.memory.keys.values()
        if (held === undefined) return
        const around = { ...laptop.around, nextSecret: () => held.secret }
        const twin = world.addDevice(around, `twin.${(this.#people += 1)}`, emptyMemory())
        const { walletId, user } = this.#base
        this.#do(twin.openTab(), 'twin', Effect.andThen(loggingIn(user.email), signing(walletId, text('hello'))))
      })
    }
    if (swarm.setupGuesses > 0) {
      at(sim.choose(beginnings, 'when setups are guessed in') * beginningMs, 'guesses in setups', () => {
        const device = evil()
        const guesses = guessInSetups(sim, this.#base.walletId, swarm.setupGuesses)
        this.#do(
          device.openTab({ guessing: guessingInSetups(sim) }),
          'guesses in setups',
          Effect.andThen(lifted, forking(sim, device, swarm, sent, guesses)),
        )
      })
    }
  }

  /** The id of transfers that another device than the laptop made. */
  #othersTransfers(): Uint8Array | undefined {
    const [laptop] = this.world.devices
    const own = [...(laptop?.memory.keys.values() ?? [])].map(({ record }) => thumbOf(record.publicKey))
    const others = this.#view.rows('ot_records').find((row) => !own.includes(textOf(row, 'device_key_thumb')))
    return others === undefined ? undefined : hexToBytes(textOf(others, 'ot_id'))
  }

  #planRestore(restores: Restores, at: (ms: number, label: string, run: () => void) => void): void {
    const { restarts, setsFolderBack, keepsDatabase = false, setsMarksBack = false } = restores
    const { losesFolder = false, refuses = false } = restores
    const { world } = this
    const sim = this.#sim
    for (let n = 0; n < 3; n++) {
      at(soonOrLate(sim, 'when a copy is made'), 'a copy of the database is made', () => this.#copy())
    }
    const what = keepsDatabase ? 'folder' : 'database'
    at(100 + soonOrLate(sim, 'when a copy comes up'), `an older ${what} comes up`, () => {
      const copy = this.#copies[sim.choose(this.#copies.length, 'which copy comes up')]
      if (copy === undefined) return
      const age = agesMs[sim.choose(agesMs.length, 'how old the copy is')] ?? 0
      // What a clock began that is further ahead than the copy is old would end within the schedule.
      sim.skip(this.#swarm.skew > age ? 0 : age)
      if (restarts) for (const replica of world.replicas) replica.kill('restore')
      this.#isRestored = true
      const asItWas = copyOf(world.outside)
      if (setsFolderBack) {
        const from = this.#copies[sim.choose(this.#copies.length, 'which copy of the folder comes up')] ?? copy
        const folder = losesFolder ? { ...emptyOutside(), drawn: world.outside.drawn } : from.outside
        const { watermarks } = setsMarksBack ? from.outside : world.outside
        Object.assign(world.outside, copyOf({ ...folder, watermarks }))
      }
      if (keepsDatabase) {
        this.#halves.restored(this.#view)
        if (refuses && this.#incarnations.isAbove(this.#view, world.outside)) this.#refusedFor = asItWas
        this.#unlocks.restored(this.#view)
        return
      }
      world.rows.restore(copy.rows)
      this.#answers.restored()
      this.#halves.restored(this.#view)
      this.#unlocks.restored(this.#view)
      if (!restarts) this.#evaluations.restoredUnderRunning()
      this.#addresses.restored(this.#view)
      this.#audits.restored()
      this.#permissions?.restored()
    })
  }

  /** The operator brings back the folder as it was, or accepts the loss. */
  #startRefused(): void {
    const { world } = this
    const asItWas = this.#refusedFor
    if (asItWas === undefined || this.#isOperatorCalled) return
    this.#isOperatorCalled = true
    world.coverage.saw('a start is refused')
    this.#sim.timer(this.#outer, operatorMs, 'the operator decides', () => {
      this.#refusedFor = undefined
      if (this.#sim.choose(2, 'what becomes of the older folder') === 0) {
        Object.assign(world.outside, asItWas)
        // No process went on with the older one, so nothing was lost.
        this.#isRestored = false
      } else world.acceptedGeneration = textOf(this.#view.rows('incarnation')[0] ?? {}, 'id')
    })
  }

  /** As if its app had stored none. */
  #takeBackup(): void {
    const { secondWalletId } = this.#base
    const text = 'delete from "key_shares" where "wallet_id" = $1 and "encryptor" = $2'
    void this.world.rows.execute(text, [secondWalletId, 'RECOVERY'], undefined, {})
  }

  /** A key of the writer's own takes the place of a password's or of a recovery key, with or without a signature of their own. */
  #writeKey(): void {
    const { rows } = this.world
    const bytes = this.#sim.bytesOf('world')
    const [password] = rows.rows('passwords').filter(({ status }) => status === 'COMPLETE')
    const [recovery] = rows.rows('recovery_public_keys')
    const write = (text: string, parameters: readonly unknown[]) => void rows.execute(text, parameters, undefined, {})
    const complete = (fields: object) => {
      const completion = { ...(password?.['completion'] as object | undefined), ...fields }
      write('update "passwords" set "completion" = $1 where "id" = $2', [JSON.stringify(completion), password?.['id']])
    }
    const recover = (signs: boolean) => {
      const [secret, seed] = [bytes(32), bytes(32)]
      const publicKey = secp256k1.getPublicKey(secret, false).subarray(1)
      const recipient = { kind: 'RECOVERY', userId: textOf(recovery ?? {}, 'user_id'), publicKey } as const
      const signature = signs ? bytesToHex(RootKey.signRecipient(seed, recipient)) : null
      this.#recipients.written(secret)
      const text = 'update "recovery_public_keys" set "public_key" = $1, "signature" = $2 where "id" = $3'
      write(text, [bytesToHex(publicKey), signature, recovery?.['id']])
    }
    switch (this.#sim.choose(4, 'which key is written over')) {
      case 1: {
        const [sigDerivedPublicKey, seed] = [pairOf(bytes(256)).publicKey, bytes(32)]
        const [userId, recordId] = [textOf(password ?? {}, 'user_id'), textOf(password ?? {}, 'id')]
        const recipient = { kind: 'PASSWORD', userId, recordId, publicKey: hexToBytes(sigDerivedPublicKey) } as const
        return complete({
          sigDerivedPublicKey,
          rootPublicKey: bytesToHex(RootKey.publicKeyOf(seed)),
          rootSignature: bytesToHex(RootKey.signRecipient(seed, recipient)),
        })
      }
      case 2:
        return recover(true)
      case 3:
        return recover(false)
      default:
        return complete({ sigDerivedPublicKey: pairOf(bytes(256)).publicKey })
    }
  }

  #begin(verb: Verb, device: Device): void {
    const { walletId, user } = this.#base
    const { mailbox } = this.world
    const sim = this.#sim
    switch (verb) {
      case 'sign':
        return this.#sign(device.openTab())
      case 'pay':
        return this.#pay(device.openTab())
      case 'refresh':
        return void this.#do(device.openTab(), verb, refreshingAgain(this.#oneOf(verb).walletId))
      case 'resume':
        return void this.#do(device.openTab(), verb, resuming)
      case 'attach':
        return void this.#do(device.openTab(), verb, enrolling(this.#dklsOneOf(verb)))
      case 'login': {
        // On the person's own device, or on one that they never used.
        const on =
          sim.choose(2, 'login: on a new device') === 0
            ? device
            : this.world.addDevice(device.around, `tablet.${(this.#people += 1)}`, emptyMemory())
        return void this.#do(
          on.openTab(),
          verb,
          Effect.andThen(loggingIn(user.email), signing(walletId, text('hello'))),
        )
      }
      case 'logout':
        this.#isLoggedOut = true
        return void this.#do(device.openTab(), verb, loggingOut)
      case 'keygen':
        // Two tabs at once, or two devices.
        return this.#makeWallets(verb, device)
      case 'signUp': {
        this.#people += 1
        const email = `person${this.#people}@example.com`
        const fresh = this.world.addDevice(device.around, `new.${this.#people}`, emptyMemory())
        return void this.#do(fresh.openTab(), verb, signingUp(email, mailbox), ({ walletIds: [made = ''] }) => {
          this.#persons.push({ email, walletId: made, device })
        })
      }
      case 'recover': {
        const page = this.world.addDevice(device.around, `recovery.${(this.#people += 1)}`, emptyMemory())
        const tab = page.openTab({ origin: developmentHosts.connect })
        const leaves = sim.choose(2, 'recover: whether what does not open stays behind') === 1
        const close = this.#do(
          tab,
          verb,
          recovering(user.email, this.#secret, mailbox, leaves, this.#isShown),
          (secret) => {
            this.#secret = secret
          },
        )
        this.#recovering.push(close)
        return
      }
      case 'export':
        return void this.#do(device.openTab(), verb, exporting(this.#dklsOneOf(verb)))
    }
  }

  readonly #isShown = (secret: string): void => void this.#shown.add(secret)

  /** A wallet that there is from the beginning on; `type` where the sign-up made none of it. */
  #oneOf(verb: string): { readonly walletId: string; readonly type: Swarm['second'] } {
    const { walletId, secondWalletId } = this.#base
    const isFirst = secondWalletId === undefined || this.#sim.choose(2, `${verb}: which wallet`) === 0
    return isFirst ? { walletId, type: undefined } : { walletId: secondWalletId, type: this.#swarm.second }
  }

  /** A key of ED25519 has no transfers, and is not exported. */
  #dklsOneOf(verb: string): string {
    return this.#swarm.second === 'SOLANA' ? this.#base.walletId : this.#oneOf(verb).walletId
  }

  #makeWallets(verb: Verb, device: Device): void {
    const sim = this.#sim
    const type = sim.choose(2, 'keygen: of which type') === 0 ? 'SOLANA' : 'COSMOS'
    const other = this.world.devices[sim.choose(2, 'keygen: on which other device')] ?? device
    for (const on of [device, other]) {
      const isTransaction = sim.choose(2, 'keygen: what is signed') === 1
      this.#do(on.openTab(), verb, makingWallet(type, isTransaction), (made) => {
        this.#signedByWallet(made)
        this.#made.push({ walletId: made.walletId, type, device: on })
      })
    }
  }

  /** W, of the wallet that signed. */
  readonly #signedByWallet = (made: SignedRequest & { readonly walletId: string }): void => {
    const wallet = this.#view.rows('wallets').find(({ id }) => id === made.walletId)
    // A database that was restored meanwhile may not know the wallet.
    const publicKey = textOf(wallet ?? {}, 'public_key')
    if (publicKey !== '') isSignedUnderFirstKey(this.#sim, this.world.protocols, publicKey, made)
  }

  #sign(tab: Tab): void {
    const sim = this.#sim
    const { walletId, type } = this.#oneOf('sign')
    if (type !== undefined) {
      const isTransaction = sim.choose(2, 'which document is signed') === 1
      const label = isTransaction ? `sign a transaction of ${type}` : `sign a message of ${type}`
      return void this.#do(tab, label, signingOf(walletId, type, isTransaction), this.#signedByWallet)
    }
    const signed = (made: SignedRequest) => this.#signedByWallet({ walletId, ...made })
    switch (sim.choose(5, 'what is signed')) {
      case 1:
        return sim.choose(2, 'whether the transaction is sent') === 0
          ? void this.#do(tab, 'sign a transaction', signing(walletId, transaction), signed)
          : this.#send(tab, walletId)
      case 2:
        return void this.#do(tab, 'sign a digest', signingDigest(walletId), signed)
      case 3:
        return void this.#do(tab, 'sign typed data', signing(walletId, permit), signed)
      case 4:
        return void this.#do(tab, 'sign an authorization', signing(walletId, authorization), signed)
      default:
        return void this.#do(tab, 'sign', signing(walletId, text('hello')), signed)
    }
  }

  /** One of two transactions of one nonce, so that the node has taken the same or the other one before. */
  #send(tab: Tab, walletId: string): void {
    const sim = this.#sim
    const request = sim.choose(2, 'which transaction is sent') === 0 ? sentTransaction : otherSentTransaction
    const isAgain = sim.choose(2, 'whether what is unclear is sent again') === 1
    const wallet = this.#view.rows('wallets').find(({ id }) => id === walletId) ?? {}
    const sending = { sender: textOf(wallet, 'public_key'), digest: bytesToHex(messageOf(request)) }
    this.#sendings.begun(sending)
    this.#do(
      tab,
      'send a transaction',
      isAgain ? sendingAgain(walletId, request) : signing(walletId, request),
      (made) => {
        this.#signedByWallet({ walletId, ...made })
        this.#sendings.done(sending, made)
      },
      (how) => this.#sendings.ended(sending, how, isAgain),
    )
  }

  /** One of a few payments, so that two devices also ask for the same. */
  #pay(tab: Tab): void {
    const sim = this.#sim
    const { walletId, secondWalletId = walletId } = this.#base
    const from = sim.choose(2, 'pay: from which wallet') === 0 ? walletId : secondWalletId
    const wallet = this.#view.rows('wallets').find(({ id }) => id === from)
    const patience = reviewPatiencesMs[sim.choose(reviewPatiencesMs.length, 'pay: with how much patience')]
    this.#do(tab, 'pay', signing(from, payment(1 + sim.choose(payments, 'pay: which payment')), patience), (made) =>
      isSignedUnderFirstKey(sim, this.world.protocols, String(wallet?.['public_key']), made),
    )
  }

  /** A verb on a tab, which may be closed meanwhile: what is returned closes it. */
  #do<A, E>(
    tab: Tab,
    label: string,
    flow: Parameters<typeof tab.run<A, E>>[0],
    done: (value: A) => void = () => undefined,
    ended: (how: string) => void = () => undefined,
  ): () => void {
    const sim = this.#sim
    this.#open += 1
    const mayOpenPortal = withPortal.has(label) || this.#swarm.policy !== undefined
    let isOver = false
    let forgetPatience = () => {}
    // A window of the portal may stay open behind it, and says so to the service for as long as it does.
    const leave = () => void sim.timer(this.#outer, leavingMs, `${tab.owner.name} is left`, () => tab.device.close(tab))
    const end = (how: string) => {
      if (isOver) return
      isOver = true
      forgetPatience()
      if (mayOpenPortal) leave()
      this.#open -= 1
      this.#ends.set(`${label}: ${how}`, (this.#ends.get(`${label}: ${how}`) ?? 0) + 1)
      sim.note(`${tab.owner.name}: ${label} ends: ${how}`)
      ended(how)
    }
    // A page asks for its session when it is loaded.
    tab.run(Effect.andThen(Effect.ignore(currentSession), flow), (exit) => {
      if (Exit.isSuccess(exit)) {
        done(exit.value)
        return end('done')
      }
      const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      const defect = failure === undefined ? Cause.pretty(exit.cause) : ''
      // The key went with a logout or an eviction under the very page: a mistake of ours, that changes nothing.
      const isKeyGone = defect.startsWith('Error: a session signs only with a device key')
      if (failure === undefined && !isKeyGone) sim.violate('L', `${label} has a defect: ${defect.slice(0, 300)}`)
      end(failure === undefined ? 'a defect' : refusalOf(failure))
    })
    // A person who waits for a page that does not end closes it.
    if (mayOpenPortal) {
      forgetPatience = sim.timer(this.#outer, personMs, `${tab.owner.name} is left`, () => {
        tab.device.close(tab)
        end('left')
        if (isUndisturbed(this.#swarm)) sim.violate('L', `${label} does not end, and nothing is lost or dies`)
      })
    }
    const close = () => {
      tab.device.close(tab)
      end('gone')
    }
    if (sim.fault(this.world.swarm.pageKills, `${tab.owner.name} is closed`)) {
      const ms = sim.choose(400, `when ${tab.owner.name} is closed`)
      sim.timer(this.#outer, ms, `${tab.owner.name} is closed`, close)
    }
    return close
  }

  /**
   * I2: each device signs, at the latest after a login. A database that is older than the last refresh has no share of it: one of the
   * devices may have to bring it back before the others sign, and where none holds it, the copy has lost the wallet (README of
   * adapters/service/vault).
   */
  async #signAtLast(devices: readonly Device[]): Promise<void> {
    const lost: Device[] = []
    this.#last = this.#lastOf()
    const holders = this.world.devices.slice(0, 2).filter((device) => this.#isHolder(device))
    for (const device of devices) {
      const how = await this.#signsAtLast(device)
      if (how === 'done') await this.#finishesAtLast(device)
      // KeyShareOutOfDate where a recovery was finished since: its sharing has no capsule on a device. KeyShareNotLoaded where another
      // device brought a later sharing back and has not backed it up again yet.
      const isLost = how === 'ProviderShareLost' || how === 'KeyShareOutOfDate' || how === 'KeyShareNotLoaded'
      if (isLost && this.#isRestored && !holders.includes(device)) lost.push(device)
      else if (how !== 'done') this.#sim.violate('I2', `${device.name} does not sign after a login: ${how}`)
    }
    if (lost.length === devices.length) {
      const [holder] = holders
      if (holder === undefined) {
        const { walletId } = this.#last
        const isGone = this.#halves.isUsersHalfGone(this.#view, walletId)
        if (devices.length > 0 && !isGone && isProvidersHalfThere(this.#view, walletId))
          this.#sim.violate('I2', 'no device signs, and the provider has its half of the sharing that stands')
        return
      }
      const how = await this.#signsAtLast(holder)
      if (how !== 'done') this.#sim.violate('I2', `${holder.name} holds the sharing and does not sign: ${how}`)
    }
    for (const device of lost) {
      const how = await this.#signsAtLast(device)
      if (how === 'done') await this.#finishesAtLast(device)
      else this.#sim.violate('I2', `${device.name} does not sign although another does: ${how}`)
    }
    const [device] = devices
    if (device !== undefined && this.#sim.fault(lastRefreshOneIn, 'a last refresh')) await this.#refreshesAtLast(device)
  }

  #isHolder(device: Device): boolean {
    if (!this.#isRestored) return false
    return isHolder(this.#view, device.memory.local, this.#last.walletId)
  }

  /** One that a recovery has not left behind. */
  #lastOf(): { readonly walletId: string; readonly type: Swarm['second'] } {
    const left = leftBehind(this.#view)
    const { walletId, secondWalletId = walletId } = this.#base
    if (left.has(secondWalletId)) return { walletId, type: undefined }
    return left.has(walletId) ? { walletId: secondWalletId, type: this.#swarm.second } : this.#oneOf('sign at last')
  }

  /** I2, too: the acknowledgement of a refresh leaves one sharing at the provider. */
  async #refreshesAtLast(device: Device): Promise<void> {
    const { walletId } = this.#last
    const isPrepared = this.#view.rows('refreshes').some(({ state }) => state === 'PREPARED')
    const how = await this.#ended(device, 'last refresh', refreshing(walletId))
    if (how !== 'done') {
      // Refused while a recovery has prepared its shares. An older copy may take a login first.
      if (!isPrepared && !this.#isRestored) this.#sim.violate('I2', `${device.name} signs and does not refresh: ${how}`)
      return
    }
    noKeyIsRetained(this.#view, walletId)
    isHeld(this.#view, device.memory.local, walletId)
  }

  /** I2, too, in some schedules: a wallet that was made signs on its device or on a new one, and so does a person who signed up. */
  async #madeSignsAtLast(): Promise<void> {
    const [made] = this.#made
    const { email } = this.#base.user
    if (
      made !== undefined &&
      !leftBehind(this.#view).has(made.walletId) &&
      this.#sim.fault(madeOneIn, 'a wallet that was made is looked at')
    ) {
      const last = signingOf(made.walletId, made.type, false)
      if ((await this.#ended(made.device, 'last sign', last)) !== 'done')
        await this.#signsAnew(made.device, email, last)
    }
    const [person] = this.#persons
    if (person !== undefined && this.#sim.fault(madeOneIn, 'a person who signed up is looked at'))
      await this.#signsAnew(person.device, person.email, signing(person.walletId, text('at last')))
  }

  /**
   * I2, too: a wallet that an older database has forgotten comes back by itself on a device that holds it, also where its user has
   * made another one elsewhere meanwhile.
   */
  async #forgottenSignsAtLast(): Promise<void> {
    const isThere = ({ walletId, device }: { readonly walletId: string; readonly device: Device }) =>
      isForgottenOn(this.#view, device.memory.local, walletId)
    const made = this.#made.find(isThere)
    if (made === undefined) return
    if (this.#sim.choose(2, 'whether another is made for a forgotten wallet') === 1) {
      const fresh = this.world.addDevice(made.device.around, `tablet.${(this.#people += 1)}`, emptyMemory())
      const making = Effect.andThen(loggingIn(this.#base.user.email), makingWallet(made.type))
      await this.#ended(fresh, 'last keygen', making)
    }
    const last = signingOf(made.walletId, made.type, false)
    const how = await this.#ended(made.device, 'last sign', last)
    if (how === 'done') return
    const afterLogin = await this.#logsInAtLast(made.device, Effect.andThen(loggingIn(this.#base.user.email), last))
    if (afterLogin !== 'done')
      this.#sim.violate('I2', `${made.device.name} does not bring back a wallet that was forgotten: ${afterLogin}`)
  }

  async #signsAnew({ around }: Device, email: string, last: Parameters<Tab['run']>[0]): Promise<void> {
    const fresh = this.world.addDevice(around, `tablet.${(this.#people += 1)}`, emptyMemory())
    const how = await this.#ended(fresh, 'last login', Effect.andThen(loggingIn(email), last))
    if (how !== 'done') this.#sim.violate('I2', `${email} does not sign on a new device with what was made: ${how}`)
  }

  /**
   * I2, too: a share that was not confirmed becomes the wallet's or is given up, so that the user can make another and log out. The
   * device keeps it of a wallet that an older database has forgotten, and of one that a recovery left behind, about which the
   * co-signer answers no device any more.
   */
  async #finishesAtLast(device: Device): Promise<void> {
    const isWaiting = () => {
      const left = leftBehind(this.#view)
      return unconfirmedOn(device.memory.local).some((id) => !left.has(id))
    }
    if (this.#isRestored || !isWaiting()) return
    const how = await this.#ended(device, 'last resume', resuming)
    if (isWaiting()) this.#sim.violate('I2', `${device.name} keeps a share that was not confirmed: ${how}`)
  }

  /** I1: what is not backed up yet is so after a device resumes, and it is known that both of those that signed can. */
  async #areBackedUpAtLast(lookedAt: readonly Device[]): Promise<void> {
    for (const device of this.world.devices.slice(0, 2)) {
      const { local } = device.memory
      const resumes = lookedAt.includes(device)
      if (resumes && pendingOn(local).length > 0) await this.#ended(device, 'last resume', resuming)
      areBackedUp(this.#view, local, resumes ? [] : pendingOn(local), this.#lacksBackup)
    }
  }

  readonly #lacksBackup = (wallet: Row, encryptor: string): boolean =>
    this.#swarm.lacksBackup === true &&
    wallet['id'] === this.#base.secondWalletId &&
    numberOf(wallet, 'epoch') === 1 &&
    encryptor === 'RECOVERY'

  /** I1: with the secret that the person has a recovery brings back every wallet that it can. */
  async #recoversAtLast(): Promise<void> {
    const { world } = this
    const { user } = this.#base
    const pages = world.devices.map(({ memory }) => memory.local)
    const secret = secretOf(this.#view, user.userId, this.#shown, pages)
    if (secret === undefined) {
      this.#sim.violate('I1', 'the person has no recovery secret that counts')
      return
    }
    this.#sim.skip(codesAgainMs)
    if (world.replicas.length > 1) await this.#meetAgain()
    const lost = unrecoverable(this.#view, user.userId, this.#lacksBackup)
    const page = world.addDevice(
      world.surroundings(this.#base.apiKey, user.password),
      'recovery at last',
      emptyMemory(),
    )
    const tab = page.openTab({ origin: developmentHosts.connect })
    const flow = recovering(user.email, secret, world.mailbox, lost.size > 0, this.#isShown)
    const how = await this.#endedOn(tab, 'last recovery', flow)
    if (how !== 'done') {
      this.#sim.violate('I1', `a recovery with the person's secret ends: ${how}`)
      return
    }
    const left = [...leftBehind(this.#view)].find((id) => !lost.has(id))
    if (left !== undefined) this.#sim.violate('I1', `wallet ${left} has a backup, and a recovery leaves it behind`)
  }

  async #signsAtLast(device: Device): Promise<string> {
    const { user } = this.#base
    const { walletId, type } = this.#last
    const last = type === undefined ? signing(walletId, text('at last')) : signingOf(walletId, type, false)
    const how = await this.#ended(device, 'last sign', last)
    if (how === 'done') return how
    // Before a logout, which drops the capsule.
    isBroughtBack(this.#view, device.memory.local, walletId, how)
    // As the README says of a restore: such a device logs in, and not out.
    const isHolder = this.#isHolder(device)
    if (isHolder) {
      const afterLogin = await this.#logsInAtLast(device, Effect.andThen(loggingIn(user.email), last))
      if (afterLogin !== 'RunLost') return afterLogin
    }
    // A login leads out of a lock in a session that goes on, and after a logout: each in half of the schedules.
    const leaves = this.#swarm.setupGuesses === 0 && this.#sim.choose(2, `${device.name} logs out at last`) === 1
    // A person heeds the refusal of a logout that would delete an only share, which the login then backs up. A key that an older
    // database has forgotten would keep them from leaving for ever.
    const isForgotten = (walletId: string) =>
      !this.#view.rows('wallets').some(({ id, address }) => id === walletId && address !== null)
    const leave = Effect.catchTag(loggingOut, 'BackupNotStored', ({ walletIds }) =>
      this.#isRestored && walletIds.every(isForgotten) ? leaving : Effect.void,
    )
    const anew = Effect.ignore(resuming).pipe(
      Effect.andThen(leaves ? Effect.ignore(leave) : Effect.void),
      Effect.andThen(loggingIn(user.email)),
      Effect.andThen(last),
    )
    const afterLogin = await this.#logsInAtLast(device, anew)
    if (afterLogin !== 'RunLost' || this.world.replicas.length === 1) return afterLogin
    await this.#meetAgain()
    return this.#ended(device, 'last login', anew)
  }

  /** A login page that was left in this very session holds up the next for as long as it may live. */
  async #logsInAtLast(device: Device, flow: Parameters<Tab['run']>[0]): Promise<string> {
    const how = await this.#ended(device, 'last login', flow)
    if (how !== 'LoginKeyInUse') return how
    this.#sim.skip(portalSessionLimits.life)
    return this.#ended(device, 'last login', flow)
  }

  #ended(device: Device, label: string, flow: Parameters<Tab['run']>[0]): Promise<string> {
    return this.#endedOn(device.openTab(), label, flow)
  }

  async #endedOn(tab: Tab, label: string, flow: Parameters<Tab['run']>[0]): Promise<string> {
    let how: string | undefined
    this.#do(tab, label, flow, undefined, (ended) => {
      how = ended
    })
    await this.#sim.run(() => how !== undefined)
    return how ?? 'never'
  }
}

/** Hex, as the database has it. */
const thumbOf = (publicKey: string): string => bytesToHex(DeviceKey.thumbprint(hexToBytes(publicKey)))

/** In which refused processes try to start a few times. */
const operatorMs = 5_000

/** More than a heartbeat of co-signers, and the time before it in which sleeping machines wake. */
const beatMs = 3_000

/** When whatever was accepted in the first minute can be used no more. */
const acceptancesOverMs = reviewLimits.accepted + 60_000

/** How many payments there are, and how long one may wait for its review. */
const payments = 4
const reviewPatiencesMs = [30_000, 2_000, 300_000]

/** About as many events as a verb or a guess has, with what goes on beside it. */
const eventsOfEach = 120

/** Mostly at busy times, otherwise when lost requests are repeated. */
const soonOrLate = (sim: Sim, about: string): number =>
  sim.choose(4, `${about}: late`) === 3 ? sim.choose(90, `${about}: how late`) * 100 : sim.choose(8, about) * 50

/** The last copy may be older than a fresh login, or of the night before last. */
const agesMs = [0, 0, 1_800_000, 26 * 3_600_000]

/** It takes as long as half of a schedule. */
const lastRefreshOneIn = 4

/** It takes as long as a schedule. */
const lastRecoveryOneIn = 32

/** When the rates allow another code of a recovery, whatever was asked for before. */
const codesAgainMs = 3 * 3_600_000

const madeOneIn = 4

/** Verbs in which a person waits for a window of the portal, and for how long. */
const withPortal: ReadonlySet<string> = new Set(['login', 'signUp', 'recover', 'last recovery', 'export'])
const personMs = 1_200_000
const leavingMs = 60_000

/** Longer than a run lives. */
const apartMs = 100_000
const afterLivesMs = 120_000

/** Whether what people do ends without another try: nothing is lost or late, nothing dies, no clock is wrong, nobody cheats. */
const isUndisturbed = (swarm: Swarm): boolean => {
  const { losses, lates, kills, statementKills, rareKills = 0, lostCommits, lostThreads, silentNode = 0 } = swarm
  const struck = losses + lates + kills + statementKills + rareKills + lostCommits + lostThreads + silentNode
  const others = swarm.pageKills + swarm.skew + swarm.guesses + swarm.setupGuesses + (swarm.fullDisk ?? 0)
  return struck + others === 0 && !swarm.evictions && swarm.restores === undefined && !swarm.writes && !swarm.twin
}

const refusalOf = (failure: unknown): string => {
  if (typeof failure !== 'object' || failure === null) return String(failure)
  if ('code' in failure && typeof failure.code === 'string') return failure.code
  if (!('_tag' in failure)) return 'a failure without a name'
  const cause = 'cause' in failure ? ` (${refusalOf(failure.cause)})` : ''
  return `${String(failure._tag)}${cause}`
}
