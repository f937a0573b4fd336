/**
 * A run's states and what may happen to it, as one table. `claim`, `commit`, `end` and `requireOnlyRun` do what it says, and
 * domain/mpc/README.md prints it.
 *
 * A round of a signature that is claimed and not answered is an open evaluation: its checks tell whether a guess about the
 * device's transfers was right. While it is open nothing that its client can do ends the run and lets another one begin: the
 * next guess would be checked before this one is known to have failed. Whatever ends it from outside spends the transfers,
 * because a verdict that is lost must not leave them usable.
 */
import { unfinished, type Round, type Run, type RunState } from '../Run.ts'

export type Standing =
  /** There is no such run. */
  | 'NONE'
  /** RUNNING, with an open evaluation. CONSUMED always has one: the answer to the last request finishes the run. */
  | 'EVALUATING'
  | RunState

export type Event =
  /** A request 1 that may go on, one whose call has not come yet, and one whose call is about something else. */
  | 'request 1, allowed'
  | 'request 1, call missing'
  | 'request 1, call differs'
  | 'next request'
  | 'same request'
  | 'last request again'
  /** Other bytes for a round that is claimed or answered. */
  | 'other request'
  | 'request ahead of its turn'
  | 'answered'
  | 'finished'
  /** The step ended without an answer: a check failed that burns nothing, or its result cannot be stored. */
  | 'aborted'
  | 'banned'
  /** The same device begins a run for the same thing. */
  | 'superseded'
  /** Any other run begins that cannot be beside this one. */
  | 'another begins'
  /** No call came for a run that waited for one. */
  | 'given up'
  /** Its time is over, or the life of the database or process, or the version of the protocols, in which it began. */
  | 'lapsed'
  | 'session over'
  /** The wallet is made, or its key shares are replaced. */
  | 'shares new'

export type Ended = Extract<RunState, 'ABORTED' | 'SUPERSEDED' | 'BANNED'>

export type Move =
  | { readonly kind: Exclude<Simple, 'end'> }
  /** `spends`: the OT record that the run names is deleted with it. */
  | { readonly kind: 'end'; readonly to: Ended; readonly spends: boolean }

type Simple =
  /** The run is there from now on, with its first round claimed and a seed. */
  | 'begin'
  | 'wait'
  /** Whether the call of a waiting run has come is looked up again: the rows of request 1 follow. */
  | 'resume'
  /** A waiting run gets its seed, and its first round is computed. */
  | 'start'
  /** The round is claimed and computed. */
  | 'claim'
  /** The claimed bytes are computed again: the same answer, or the same verdict. */
  | 'compute'
  /** The answer is recorded, or compared with the recorded one. */
  | 'answer'
  | 'finish'
  /** The recorded body of the last answer is sent again. */
  | 'stored'
  /** Refused, and nothing changes: 409 StepOutOfOrder and 409 AnotherRunInProgress. */
  | 'out of order'
  | 'in progress'
  /** ABORT is answered, and nothing changes. */
  | 'over'
  | 'nothing'

const ends = (to: Ended): Move => ({ kind: 'end', to, spends: false })
const spends = (to: Ended): Move => ({ kind: 'end', to, spends: true })
const does = (kind: Simple): Move => ({ kind })

export const standings = ['NONE', 'WAITING', 'RUNNING', 'EVALUATING', 'CONSUMED', 'DONE', 'ABORTED', 'SUPERSEDED', 'BANNED'] as const

const row = (
  [none, waiting, running, evaluating, consumed, done]: readonly [Move, Move, Move, Move, Move, Move],
  dead = done,
): Readonly<Record<Standing, Move>> => ({
  NONE: none,
  WAITING: waiting,
  RUNNING: running,
  EVALUATING: evaluating,
  CONSUMED: consumed,
  DONE: done,
  ABORTED: dead,
  SUPERSEDED: dead,
  BANNED: dead,
})

const [nothing, over, compute, inProgress, outOfOrder, aborts] = [
  does('nothing'),
  does('over'),
  does('compute'),
  does('in progress'),
  does('out of order'),
  ends('ABORTED'),
]

/** The columns of a row are NONE, WAITING, RUNNING, EVALUATING, CONSUMED, DONE, and those that ended without a result. */
export const transitions: Readonly<Record<Event, Readonly<Record<Standing, Move>>>> = {
  'request 1, allowed': row([does('begin'), does('start'), nothing, nothing, nothing, nothing]),
  'request 1, call missing': row([does('wait'), does('wait'), nothing, nothing, nothing, nothing]),
  'request 1, call differs': row([aborts, aborts, nothing, nothing, nothing, nothing]),
  'next request': row([over, outOfOrder, does('claim'), outOfOrder, outOfOrder, over]),
  'same request': row([nothing, does('resume'), compute, compute, compute, over]),
  'last request again': row([nothing, does('resume'), compute, compute, compute, does('stored')], over),
  'other request': row([nothing, aborts, aborts, inProgress, inProgress, over]),
  'request ahead of its turn': row([over, outOfOrder, outOfOrder, outOfOrder, outOfOrder, over]),
  answered: row([over, over, does('answer'), does('answer'), does('answer'), over]),
  finished: row([over, over, does('finish'), does('finish'), does('finish'), over]),
  aborted: row([over, over, aborts, aborts, aborts, over]),
  banned: row([nothing, ends('BANNED'), ends('BANNED'), ends('BANNED'), ends('BANNED'), nothing]),
  superseded: row([nothing, ends('SUPERSEDED'), ends('SUPERSEDED'), inProgress, inProgress, nothing]),
  'another begins': row([nothing, inProgress, inProgress, inProgress, inProgress, nothing]),
  'given up': row([nothing, aborts, nothing, nothing, nothing, nothing]),
  lapsed: row([nothing, aborts, aborts, spends('ABORTED'), spends('ABORTED'), nothing]),
  'session over': row([nothing, aborts, aborts, spends('ABORTED'), spends('ABORTED'), nothing]),
  'shares new': row([nothing, ends('SUPERSEDED'), ends('SUPERSEDED'), spends('SUPERSEDED'), spends('SUPERSEDED'), nothing]),
}

/** A setup makes transfers of its own, which end with it: its rounds are no open evaluations. */
export const standingOf = (run: Pick<Run, 'kind' | 'state'>, rounds: readonly Round[]): Standing => {
  const isOpen = run.kind === 'sign' && rounds.some(({ responseHash }) => responseHash === null)
  return run.state === 'RUNNING' && isOpen ? 'EVALUATING' : run.state
}

/** What a request is to the rounds before it. A signature's first request may find its call missing: `Plan.begin` says. */
export const requestEvent = (
  rounds: readonly Round[],
  { step, requestHash, lastStep }: { readonly step: number; readonly requestHash: string; readonly lastStep: number },
): Event => {
  const claimed = rounds.find((round) => round.step === step)
  if (claimed !== undefined && claimed.requestHash !== requestHash) return 'other request'
  if (claimed !== undefined) return step === lastStep ? 'last request again' : 'same request'
  const answered = rounds.filter((round) => round.responseHash !== null).length
  return step === answered + 1 && rounds.length === answered ? 'next request' : 'request ahead of its turn'
}

export const isUnfinished = (standing: Standing): boolean =>
  standing === 'EVALUATING' || unfinished.some((state) => state === standing)
