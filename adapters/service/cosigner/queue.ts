/**
 * Assigns orders to the co-signer's threads. Threads and timers are arguments, so that the simulation drives this code
 * as it runs in production.
 *
 * Signed answers go first. Steps of one wallet are computed one at a time, so that a failed check stops those behind
 * it: the wallet's waiting steps are dropped, later ones of the same OT record are refused for a while, and the thread
 * is replaced, because its memory may hold what a cheating device sent. A spare thread is spawned in advance: a thread
 * takes longer to start than a step to compute, and without the spare the time to the next answer would disclose the
 * failed check (domain/service/protocol/README.md#evaluations).
 */
import type { Asker } from '../../../domain/service/ports/CosignerEngine.ts'

export type Thread<Work> = {
  readonly give: (work: Work) => void
  /** Terminates it even if it is computing. It reports nothing afterwards. */
  readonly end: () => void
}

export type Hands<Work, Report> = {
  readonly spawn: (events: {
    readonly report: (report: Report) => void
    /** The thread ended by itself. */
    readonly lost: () => void
  }) => Thread<Work>
  /** Calls once after `ms` milliseconds; the returned function cancels it. */
  readonly after: (ms: number, call: () => void) => () => void
}

export type Order<Work> = {
  readonly work: Work
  readonly goesFirst: boolean
  /** Present for orders that compute a step of a run. */
  readonly step?: Step | undefined
  /** Present for other orders that a user asks for. */
  readonly asker?: Asker | undefined
}

export type Step = Asker & {
  readonly walletId: string
  /** Names the OT record that the step uses, if any. */
  readonly transfers?: string | undefined
  /** Orders with the same key have the same outcome: the second waits for the first. */
  readonly key: string
  /** Runs directly before the order goes to its thread; with `false` the order is dropped. */
  readonly check: (done: (mayBegin: boolean) => void) => void
}

export type End<Report> =
  | { readonly kind: 'reported'; readonly report: Report }
  /** `check` said no, or another order of the wallet ended in a ban. Nothing was computed. */
  | { readonly kind: 'dropped' }
  /** The queue was full, the caller waited too long, or the thread ended while it computed. */
  | { readonly kind: 'busy' }

export type Limits<Report> = {
  /** Working threads, not counting the spare one. */
  readonly threads: number
  /** How many orders may wait; those that go first are counted apart. */
  readonly waiting: number
  readonly waitingOfWallet: number
  /** At one partner: no other partner's page takes the user's places at it. */
  readonly waitingOfUser: number
  /** How many callers may wait for the same order. */
  readonly callers: number
  /** How long a caller waits. */
  readonly patienceMs: number
  readonly isBan: (report: Report) => boolean
}

export type Queue<Work, Report> = {
  /** The returned function withdraws the caller: an order without callers leaves the queue, unless a thread has it. */
  readonly put: (order: Order<Work>, settle: (end: End<Report>) => void) => () => void
  /** Whether the queue would accept a step of this wallet and user. */
  readonly hasRoom: (of: Asker & Pick<Step, 'walletId'>) => boolean
  /** Terminates all threads and ends all orders as busy. */
  readonly stop: () => void
}

/** Delay before a replacement is spawned, so that a thread that fails at its start does not spin. */
export const restMs = 250

type Entry<Work, Report> = {
  readonly order: Order<Work>
  readonly callers: Set<(end: End<Report>) => void>
  /** Its check has passed and a thread has it. */
  isGiven: boolean
  forgetExpiry: () => void
}

type Member<Work, Report> = {
  readonly thread: Thread<Work>
  /** The order that the thread computes, or is reserved for while its check runs. */
  entry: Entry<Work, Report> | undefined
}

export const makeQueue = <Work, Report>(hands: Hands<Work, Report>, limits: Limits<Report>): Queue<Work, Report> => {
  type AnEntry = Entry<Work, Report>
  type AMember = Member<Work, Report>
  const first: AnEntry[] = []
  const others: AnEntry[] = []
  const steps = new Map<string, AnEntry>()
  const pool: AMember[] = []
  /** OT records of recent failed checks, refused even if the database loses the ban. */
  const lockedTransfers = new Set<string>()
  let spare: AMember | undefined
  let stopped = false

  const settle = (entry: AnEntry, end: End<Report>) => {
    entry.forgetExpiry()
    forget(entry)
    for (const caller of [...entry.callers]) caller(end)
  }

  const forget = ({ order: { step } }: AnEntry) => {
    if (step !== undefined) steps.delete(step.key)
  }

  const spawn = (): AMember => {
    const member: AMember = {
      thread: hands.spawn({ report: (report) => finish(member, report), lost: () => terminate(member) }),
      entry: undefined,
    }
    return member
  }

  const finish = (member: AMember, report: Report) => {
    const { entry } = member
    if (entry === undefined) return
    member.entry = undefined
    const isBan = limits.isBan(report)
    // Before any caller gets the result: its next request finds the wallet's orders gone and the thread replaced.
    if (isBan) lockTransfers(entry.order.step?.transfers)
    const dropped = isBan ? dropWallet(entry.order.step?.walletId) : []
    if (isBan) replace(member)
    settle(entry, { kind: 'reported', report })
    for (const one of dropped) settle(one, { kind: 'dropped' })
    work()
  }

  const lockTransfers = (transfers: string | undefined) => {
    if (transfers === undefined) return
    lockedTransfers.add(transfers)
    hands.after(limits.patienceMs, () => lockedTransfers.delete(transfers))
  }

  const dropWallet = (walletId: string | undefined): readonly AnEntry[] => {
    const dropped = others.filter(({ order: { step } }) => step !== undefined && step.walletId === walletId)
    for (const one of dropped) others.splice(others.indexOf(one), 1)
    return dropped
  }

  /** Terminates the thread; the spare one takes its place. */
  const replace = (member: AMember) => {
    const index = pool.indexOf(member)
    if (index >= 0) pool.splice(index, 1, ...(spare === undefined ? [] : [spare]))
    else if (member !== spare) return
    spare = undefined
    member.thread.end()
    hands.after(restMs, restock)
  }

  const restock = () => {
    if (stopped) return
    if (pool.length < limits.threads) pool.push(spawn())
    else spare ??= spawn()
    work()
  }

  /** The thread is gone; its order ends as busy. */
  const terminate = (member: AMember) => {
    const { entry } = member
    member.entry = undefined
    replace(member)
    if (entry !== undefined) settle(entry, { kind: 'busy' })
    work()
  }

  const expire = (entry: AnEntry) => {
    const member = pool.find((one) => one.entry === entry)
    if (member !== undefined && entry.isGiven) {
      terminate(member)
      return
    }
    if (member !== undefined) member.entry = undefined
    withdraw(entry)
    settle(entry, { kind: 'busy' })
    work()
  }

  const lineOf = ({ order }: AnEntry) => (order.goesFirst ? first : others)

  /** Takes the order out of its line; returns whether it was in it. */
  const withdraw = (entry: AnEntry): boolean => {
    const index = lineOf(entry).indexOf(entry)
    if (index >= 0) lineOf(entry).splice(index, 1)
    return index >= 0
  }

  const leave = (entry: AnEntry, caller: (end: End<Report>) => void) => {
    entry.callers.delete(caller)
    if (entry.callers.size > 0 || !withdraw(entry)) return
    entry.forgetExpiry()
    forget(entry)
  }

  const isAtWork = (walletId: string) => pool.some(({ entry }) => entry?.order.step?.walletId === walletId)

  const next = (): AnEntry | undefined => {
    const urgent = first.shift()
    if (urgent !== undefined) return urgent
    const index = others.findIndex(({ order: { step } }) => step === undefined || !isAtWork(step.walletId))
    return index < 0 ? undefined : others.splice(index, 1)[0]
  }

  const work = () => {
    for (;;) {
      const member = pool.find(({ entry }) => entry === undefined)
      const entry = member === undefined ? undefined : next()
      if (member === undefined || entry === undefined) return
      member.entry = entry
      if (entry.order.step === undefined) give(member, entry)
      else entry.order.step.check((mayBegin) => checked(member, entry, mayBegin))
    }
  }

  const give = (member: AMember, entry: AnEntry) => {
    entry.isGiven = true
    member.thread.give(entry.order.work)
  }

  const checked = (member: AMember, entry: AnEntry, mayBegin: boolean) => {
    // The order expired, or its thread ended, while the check ran.
    if (member.entry !== entry || entry.isGiven) return
    if (mayBegin) {
      give(member, entry)
      return
    }
    member.entry = undefined
    settle(entry, { kind: 'dropped' })
    work()
  }

  const isOpen = (line: readonly AnEntry[]) => !stopped && limits.threads > 0 && line.length < limits.waiting

  const mayWait = ({ userId, partnerId }: Asker) => {
    const askers = others.map(({ order }) => order.step ?? order.asker)
    const theirs = askers.filter((one) => one?.userId === userId && one.partnerId === partnerId)
    return theirs.length < limits.waitingOfUser
  }

  const hasRoom: Queue<Work, Report>['hasRoom'] = (of) => {
    const ofWallet = others.filter(({ order: { step } }) => step?.walletId === of.walletId)
    return isOpen(others) && ofWallet.length < limits.waitingOfWallet && mayWait(of)
  }

  const isAdmitted = ({ step, asker, goesFirst }: Order<Work>) =>
    step === undefined ? isOpen(goesFirst ? first : others) && (asker === undefined || mayWait(asker)) : hasRoom(step)

  const put: Queue<Work, Report>['put'] = (order, caller) => {
    if (order.step?.transfers !== undefined && lockedTransfers.has(order.step.transfers)) {
      caller({ kind: 'dropped' })
      return () => undefined
    }
    const same = order.step === undefined ? undefined : steps.get(order.step.key)
    if (same === undefined ? !isAdmitted(order) : same.callers.size >= limits.callers) {
      caller({ kind: 'busy' })
      return () => undefined
    }
    if (same !== undefined) {
      same.callers.add(caller)
      return () => leave(same, caller)
    }
    const entry: AnEntry = { order, callers: new Set([caller]), isGiven: false, forgetExpiry: () => undefined }
    entry.forgetExpiry = hands.after(limits.patienceMs, () => expire(entry))
    if (order.step !== undefined) steps.set(order.step.key, entry)
    lineOf(entry).push(entry)
    work()
    return () => leave(entry, caller)
  }

  const stop = () => {
    stopped = true
    const members = [...pool.splice(0), ...(spare === undefined ? [] : [spare])]
    spare = undefined
    const atWork = members.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    for (const member of members) {
      member.entry = undefined
      member.thread.end()
    }
    for (const entry of [...first.splice(0), ...others.splice(0), ...atWork]) settle(entry, { kind: 'busy' })
  }

  for (let count = limits.threads; count > 0; count--) pool.push(spawn())
  if (limits.threads > 0) spare = spawn()
  return { put, hasRoom, stop }
}
