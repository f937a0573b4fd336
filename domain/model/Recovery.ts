/** The states of a recovery in the answer of two-factor verification. */
export const statuses = ['INITIATED', 'READY', 'EXPIRED', 'FINISHED', 'CANCELLED'] as const
export type Status = (typeof statuses)[number]

/** States that a recovery never leaves. */
export const isOver = (status: Status): boolean => status !== 'INITIATED' && status !== 'READY'
