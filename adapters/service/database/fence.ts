/**
 * The fence: a number that each beat of a co-signer raises, as a row of the database and in a file beside it. The file
 * holds the value that is meant before the row rises, and the value that is done after: a row above what was meant shows
 * an older file, a row below what is done an older database.
 */

/** The row, and the timeline that the database is on; '' where the server does not tell. */
export type FenceRow = {
  readonly id: string
  readonly fence: number
  /** As of the incarnation's beginning. */
  readonly timeline: string
  readonly timelineNow: string
}

/** `id` is for an operator who reads the file: nothing is decided by it. */
export type FenceMark = {
  readonly id: string
  readonly done: number
  /** `undefined` where an earlier version wrote the file: it kept no such value. */
  readonly intended: number | undefined
}

/** Only read and written while the row is locked. */
export type FenceFile = {
  /** `undefined` where there is none; throws where it holds something else. */
  readonly read: () => FenceMark | undefined
  /** Durable, and there whole or not at all. */
  readonly write: (mark: FenceMark) => void
}

export type Verdict = 'standing' | 'older database' | 'other timeline' | 'older folder'

/** `highest`: of the fences that this process has seen. */
export const judge = (row: FenceRow, mark: FenceMark | undefined, highest: number): Verdict => {
  if (mark === undefined || isBelow(mark.intended, Math.max(row.fence, highest))) return 'older folder'
  if (row.fence < Math.max(mark.done, highest)) return 'older database'
  return row.timeline === row.timelineNow ? 'standing' : 'other timeline'
}

const isBelow = (intended: number | undefined, fence: number): boolean => intended !== undefined && intended < fence
