/**
 * States and events of a run, as one table. `claim`, `commit`, `end` and `requireOnlyRun` follow it;
 * domain/service/protocol/README.md#runs prints and explains it.
 *
 * A signature's round that is claimed and not answered is an open evaluation: its checks tell whether a guess about the
 * OT record's secret was right. No request of the client ends it and lets another run begin, because the next guess
 * would be checked before this one is known to have failed. Any other event that ends it deletes the OT record: its
 * verdict may be lost, and the record must not be used again.
 */
import { unfinished, type Round, type RunRecord, type RunState } from '../Run.ts'

export type RunStatus =
  /** There is no such run. */
  | 'NONE'
  /** RUNNING, with an open evaluation. CONSUMED always has one: the answer to the last request finishes the run. */
  | 'EVALUATING'
  | RunState

export type Event =
  /** Request 1: its run may begin, its call has not come yet or is about something else, or a policy stops it. */
  | 'request 1, allowed'
  | 'request 1, call missing'
  | 'request 1, call differs'
  | 'request 1, not let through'
  | 'next request'
  | 'same request'
  | 'last request again'
  /** Another request for a round that is claimed or answered. */
  | 'other request'
  | 'request ahead of its turn'
  | 'answered'
  | 'finished'
  /** The step ended without an answer: a check failed that does not ban, or the result cannot be stored. */
  | 'aborted'
  | 'banned'
  /** The same device begins a run of the same kind and digest. */
  | 'superseded'
  /** Any other run begins that excludes this one. */
  | 'another begins'
  /** A waiting run's call did not come in time. */
  | 'given up'
  /**
   * Its time is over, or its database generation or process is gone, or the version of the protocols has changed, or
   * something that its step needs cannot be opened.
   */
  | 'lapsed'
  | 'session over'
  /** The wallet got its first key, or its key shares were replaced. */
  | 'shares new'

export type Ended = Extract<RunState, 'ABORTED' | 'SUPERSEDED' | 'BANNED'>

export type Move =
  | { readonly kind: Exclude<Simple, 'end'> }
  /** `spends`: the OT record that the run names is deleted with it. */
  | { readonly kind: 'end'; readonly to: Ended; readonly spends: boolean }

type Simple =
  /** The run is written, with a seed and its first round claimed. */
  | 'begin'
  | 'wait'
  /** The call of a waiting run is looked up again: the rows of request 1 follow. */
  | 'resume'
  /** A waiting run gets its seed, and its first round is computed. */
  | 'start'
  /** The round is claimed and computed. */
  | 'claim'
  /** The claimed request is computed again, with the same answer or verdict. */
  | 'compute'
  /** The answer's hash is stored, or compared with the stored one. */
  | 'answer'
  | 'finish'
  /** The stored body of the last answer is sent again. */
  | 'stored'
  /** Refused with 409 StepOutOfOrder or AnotherRunInProgress; nothing changes. */
  | 'out of order'
  | 'in progress'
  /** ABORT is answered; nothing changes. */
  | 'over'
  | 'nothing'

const ends = (to: Ended): Move => ({ kind: 'end', to, spends: false })
const spends = (to: Ended): Move => ({ kind: 'end', to, spends: true })
const does = (kind: Simple): Move => ({ kind })

const row = (
  [none, waiting, running, evaluating, consumed, done]: readonly [Move, Move, Move, Move, Move, Move],
  dead = done,
): Readonly<Record<RunStatus, Move>> => ({
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

/**
 * The columns of a row are NONE, WAITING, RUNNING, EVALUATING, CONSUMED, DONE, and those that ended without a result.
 */
// prettier-ignore
export const transitions: Readonly<Record<Event, Readonly<Record<RunStatus, Move>>>> = {
  'request 1, allowed': row([does('begin'), does('start'), nothing, nothing, nothing, nothing]),
  'request 1, call missing': row([does('wait'), does('wait'), nothing, nothing, nothing, nothing]),
  'request 1, call differs': row([aborts, aborts, nothing, nothing, nothing, nothing]),
  'request 1, not let through': row([nothing, aborts, nothing, nothing, nothing, nothing]),
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

/** Only signatures have open evaluations: the transfers of a setup are its own and end with it. */
export const runStatusOf = (run: Pick<RunRecord, 'kind' | 'state'>, rounds: readonly Round[]): RunStatus => {
  const isOpen = run.kind === 'sign' && rounds.some(({ responseHash }) => responseHash === null)
  return run.state === 'RUNNING' && isOpen ? 'EVALUATING' : run.state
}

/** The event that a request is, given the run's rounds. Of a first request `Plan.begin` decides the event. */
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

export const isUnfinished = (status: RunStatus): boolean =>
  status === 'EVALUATING' || unfinished.some((state) => state === status)
