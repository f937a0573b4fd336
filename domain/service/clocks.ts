/** Times that replicas write for each other, whose clocks agree within `clocksApart` (SECURITY.md#what-it-cannot-promise). Milliseconds. */

/** More than the clocks of two replicas differ by: the period of a run key. */
export const clocksApart = 15 * 60_000

/** Whether any replica may say this time by now. A later one is of a clock that was ahead and was set back. */
export const isByNow = (at: number, now: number): boolean => at <= now + clocksApart

/** Whether what ends then, and lives no longer than `life`, goes on: it also began at a time that a replica may say by now. */
export const isInTime = (expiresAt: number, life: number, now: number): boolean =>
  now < expiresAt && isByNow(expiresAt - life, now)

/** Whether it was within that time before now. */
export const isRecent = (at: number, within: number, now: number): boolean => now <= at + within && isByNow(at, now)
