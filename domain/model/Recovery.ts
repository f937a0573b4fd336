/** The states that two-factor verification reports of a recovery (spec §7, two-factor; contract-facts 1.6). */
export const statuses = ['INITIATED', 'READY', 'EXPIRED', 'FINISHED', 'CANCELLED'] as const
export type Status = (typeof statuses)[number]

/** A recovery that is over stays so. */
export const isOver = (status: Status): boolean => status !== 'INITIATED' && status !== 'READY'
