/**
 * Which order goes to which of the co-signer's threads, and when. Threads and timers are arguments, so that a simulation in
 * one process can drive this code as it runs in production.
 *
 * Signed answers go first. Steps of one wallet are worked on one at a time, so that a failed check stops what waits behind
 * it: its wallet's other orders are dropped, and with them what comes later for the same transfers, and its thread, which may hold what a cheater left there, is replaced. A spare
 * thread is hired in advance, because a thread takes longer to start than a step to compute: without it, the time to the
 * next answer would tell that a check has failed.
 */
export type Thread<Work> = {
  readonly give: (work: Work) => void
  /** Ends it, whatever it works on. It reports nothing afterwards. */
  readonly end: () => void
}

export type Hands<Work, Report> = {
  readonly hire: (heard: {
    readonly report: (report: Report) => void
    /** The thread has ended by itself. */
    readonly lost: () => void
  }) => Thread<Work>
  /** Calls once after so many milliseconds; what it returns prevents that. */
  readonly after: (ms: number, call: () => void) => () => void
}

export type Order<Work> = {
  readonly work: Work
  readonly goesFirst: boolean
  /** Of orders that compute a step of a run. */
  readonly step?: Step | undefined
}

export type Step = {
  readonly walletId: string
  readonly userId: string
  /** Names the transfers that the step checks a guess against, if it does. */
  readonly transfers?: string | undefined
  /** Orders with the same key have the same outcome: the second one waits for that of the first. */
  readonly key: string
  /** Runs directly before the order goes to its thread; told `false`, the order is dropped. */
  readonly check: (done: (mayBegin: boolean) => void) => void
}

export type End<Report> =
  | { readonly kind: 'reported'; readonly report: Report }
  /** Its check failed, or another order of its wallet ended in a failed check. It never went to a thread. */
  | { readonly kind: 'dropped' }
  /** No place was free, its time is over, or its thread ended over it. */
  | { readonly kind: 'busy' }

export type Limits<Report> = {
  /** Threads that work, the spare one apart. */
  readonly threads: number
  /** Orders that wait, those that go first apart from all others. */
  readonly waiting: number
  readonly waitingOfWallet: number
  readonly waitingOfUser: number
  /** Callers that wait for one and the same order. */
  readonly callers: number
  /** How long a caller waits at most. */
  readonly patienceMs: number
  readonly isBan: (report: Report) => boolean
}

export type Queue<Work, Report> = {
  /** What it returns takes the caller back: an order that no caller waits for leaves the queue, unless a thread has it. */
  readonly put: (order: Order<Work>, settle: (end: End<Report>) => void) => () => void
  /** Whether a step of this wallet would find a place. */
  readonly hasRoom: (of: Pick<Step, 'walletId' | 'userId'>) => boolean
  /** Ends every thread and every order. */
  readonly stop: () => void
}

/** How long the pool rests before it hires again: a thread that cannot even start does not spin. */
export const restMs = 250

type Entry<Work, Report> = {
  readonly order: Order<Work>
  readonly callers: Set<(end: End<Report>) => void>
  /** A thread works on it: its check has passed. */
  isGiven: boolean
  forgetExpiry: () => void
}

type Member<Work, Report> = {
  readonly thread: Thread<Work>
  /** What the thread works on, or is reserved for while the check runs. */
  entry: Entry<Work, Report> | undefined
}

export const makeQueue = <Work, Report>(
  hands: Hands<Work, Report>,
  limits: Limits<Report>,
): Queue<Work, Report> => {
  type AnEntry = Entry<Work, Report>
  type AMember = Member<Work, Report>
  const first: AnEntry[] = []
  const others: AnEntry[] = []
  const steps = new Map<string, AnEntry>()
  const crew: AMember[] = []
  /** Transfers of which a check failed just now: the database may forget that it did. */
  const banned = new Set<string>()
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

  const hire = (): AMember => {
    const member: AMember = {
      thread: hands.hire({ report: (report) => finish(member, report), lost: () => dismiss(member) }),
      entry: undefined,
    }
    return member
  }

  const finish = (member: AMember, report: Report) => {
    const { entry } = member
    if (entry === undefined) return
    member.entry = undefined
    const isBan = limits.isBan(report)
    // Before any caller is told: what it does next finds the wallet's orders gone and the thread replaced.
    if (isBan) ban(entry.order.step?.transfers)
    const dropped = isBan ? dropWallet(entry.order.step?.walletId) : []
    if (isBan) replace(member)
    settle(entry, { kind: 'reported', report })
    for (const one of dropped) settle(one, { kind: 'dropped' })
    work()
  }

  const ban = (transfers: string | undefined) => {
    if (transfers === undefined) return
    banned.add(transfers)
    hands.after(limits.patienceMs, () => banned.delete(transfers))
  }

  const dropWallet = (walletId: string | undefined): readonly AnEntry[] => {
    const dropped = others.filter(({ order: { step } }) => step !== undefined && step.walletId === walletId)
    for (const one of dropped) others.splice(others.indexOf(one), 1)
    return dropped
  }

  /** Ends the thread; the spare one takes its place. */
  const replace = (member: AMember) => {
    const place = crew.indexOf(member)
    if (place >= 0) crew.splice(place, 1, ...(spare === undefined ? [] : [spare]))
    else if (member !== spare) return
    spare = undefined
    member.thread.end()
    hands.after(restMs, restock)
  }

  const restock = () => {
    if (stopped) return
    if (crew.length < limits.threads) crew.push(hire())
    else spare ??= hire()
    work()
  }

  /** The thread is gone, and what it worked on with it. */
  const dismiss = (member: AMember) => {
    const { entry } = member
    member.entry = undefined
    replace(member)
    if (entry !== undefined) settle(entry, { kind: 'busy' })
    work()
  }

  const expire = (entry: AnEntry) => {
    const member = crew.find((one) => one.entry === entry)
    if (member !== undefined && entry.isGiven) { dismiss(member); return; }
    if (member !== undefined) member.entry = undefined
    withdraw(entry)
    settle(entry, { kind: 'busy' })
    work()
  }

  const lineOf = ({ order }: AnEntry) => (order.goesFirst ? first : others)

  /** Takes the order out of its line; says whether it was in it. */
  const withdraw = (entry: AnEntry): boolean => {
    const place = lineOf(entry).indexOf(entry)
    if (place >= 0) lineOf(entry).splice(place, 1)
    return place >= 0
  }

  const leave = (entry: AnEntry, caller: (end: End<Report>) => void) => {
    entry.callers.delete(caller)
    if (entry.callers.size > 0 || !withdraw(entry)) return
    entry.forgetExpiry()
    forget(entry)
  }

  const isAtWork = (walletId: string) => crew.some(({ entry }) => entry?.order.step?.walletId === walletId)

  const next = (): AnEntry | undefined => {
    const urgent = first.shift()
    if (urgent !== undefined) return urgent
    const place = others.findIndex(({ order: { step } }) => step === undefined || !isAtWork(step.walletId))
    return place < 0 ? undefined : others.splice(place, 1)[0]
  }

  const work = () => {
    for (;;) {
      const member = crew.find(({ entry }) => entry === undefined)
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
    // Its time is over, or its thread gone, since the check began.
    if (member.entry !== entry || entry.isGiven) return
    if (mayBegin) { give(member, entry); return; }
    member.entry = undefined
    settle(entry, { kind: 'dropped' })
    work()
  }

  const hasRoom: Queue<Work, Report>['hasRoom'] = ({ walletId, userId }) => {
    const waiting = others.map(({ order }) => order.step)
    return (
      !stopped &&
      limits.threads > 0 &&
      waiting.length < limits.waiting &&
      waiting.filter((step) => step?.walletId === walletId).length < limits.waitingOfWallet &&
      waiting.filter((step) => step?.userId === userId).length < limits.waitingOfUser
    )
  }

  const isAdmitted = ({ step, goesFirst }: Order<Work>) =>
    step === undefined
      ? !stopped && limits.threads > 0 && (goesFirst ? first : others).length < limits.waiting
      : hasRoom(step)

  const put: Queue<Work, Report>['put'] = (order, caller) => {
    if (order.step?.transfers !== undefined && banned.has(order.step.transfers)) {
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
    const members = [...crew.splice(0), ...(spare === undefined ? [] : [spare])]
    spare = undefined
    const atWork = members.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    for (const member of members) {
      member.entry = undefined
      member.thread.end()
    }
    for (const entry of [...first.splice(0), ...others.splice(0), ...atWork]) settle(entry, { kind: 'busy' })
  }

  for (let count = limits.threads; count > 0; count--) crew.push(hire())
  if (limits.threads > 0) spare = hire()
  return { put, hasRoom, stop }
}
