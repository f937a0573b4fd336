/**
 * Names of the marks that the co-signer keeps outside the database, so that an older database cannot undo them
 * (domain/service/protocol/README.md#bans).
 */
import type { Mark } from '../ports/Watermarks.ts'

/** The epoch in which a failed check locked the wallet. */
export const lockedWatermark = (walletId: string): string => `burned/${walletId}`

/** The time of that, in milliseconds since 1970: only a later login unlocks the wallet. */
export const lockedAtWatermark = (walletId: string): string => `burned-at/${walletId}`

/**
 * A failed check locks the wallet: both marks, because a lock without its time is led out of by a login of before. The time
 * is first: a full disk may take one line and not the next.
 */
export const lockedWatermarks = (walletId: string, epoch: number, at: number): readonly Mark[] => [
  [lockedAtWatermark(walletId), at],
  [lockedWatermark(walletId), epoch],
]

/** The epoch whose sharing was restored from a capsule: nothing signs in it. */
export const reattachedWatermark = (walletId: string): string => `reattached/${walletId}`

/** The wallet's highest epoch. */
export const epochWatermark = (walletId: string): string => `epoch/${walletId}`

/**
 * How many setups of that day (since 1970) have told whether a guess was right, with the day itself (`setups.ts`). Days share
 * three names, so that a wallet has no more marks the older it is.
 */
export const setupsMark = (walletId: string, day: number): string => `setups-${day % 3}/${walletId}`

/** The same of a day whose name has the mark of a later day, which only a clock that was ahead has written. */
export const setupsMarkOfDay = (walletId: string, day: number): string => `setups-${day}/${walletId}`

/** The version of the policy that was applied last to the partner. */
export const policyWatermark = (partnerId: string): string => `policy/${partnerId}`
