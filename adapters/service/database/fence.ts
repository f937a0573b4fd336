/**
 * The fence: a number that each heartbeat of a co-signer raises, in a row of the database and in a file beside it. The
 * file holds the intended value before the row rises and the done value after it: a row above the intended value shows
 * an older file, a row below the done value an older database (domain/service/protocol/README.md#database-generations).
 */

/** The row, and the WAL timeline of the server; '' if the server does not tell it. */
export type FenceRow = {
  readonly id: string
  readonly fence: number
  /** The timeline at the beginning of the generation. */
  readonly timeline: string
  readonly timelineNow: string
}

/** `id` tells whose folder it is; no verdict of a co-signer depends on it. */
export type FenceMark = {
  readonly id: string
  readonly done: number
  /** `undefined` if an earlier version wrote the file. */
  readonly intended: number | undefined
}

/** Read and written only while the row is locked. */
export type FenceFile = {
  /** `undefined` if there is no file; throws if its content is malformed. */
  readonly read: () => FenceMark | undefined
  /** Durable and atomic. */
  readonly write: (mark: FenceMark) => void
}

export type Verdict = 'current' | 'older database' | 'other timeline' | 'older folder'

/** `highest`: the highest fence that this process has seen. */
export const judge = (row: FenceRow, mark: FenceMark | undefined, highest: number): Verdict => {
  if (mark === undefined || isBelow(mark.intended, Math.max(row.fence, highest))) return 'older folder'
  if (row.fence < Math.max(mark.done, highest)) return 'older database'
  return row.timeline === row.timelineNow ? 'current' : 'other timeline'
}

const isBelow = (intended: number | undefined, fence: number): boolean => intended !== undefined && intended < fence
