/** Mails and SMS that tell a person something (domain/service/README.md#mails-and-sms): for how long they are tried. */

export type Channel = 'mail' | 'sms'

export const channels = ['mail', 'sms'] as const satisfies readonly Channel[]

/** One message, as a worker has leased it. Times are milliseconds since 1970. */
export type LeasedMessage = {
  readonly id: string
  readonly channel: Channel
  readonly sealed: Uint8Array
  /** With the one that is leased. */
  readonly attempts: number
  /** From then on it tells nothing any more, and is not sent. */
  readonly expiresAt: number
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Milliseconds, but for the last one. */
export const userMessageLimits = {
  /** For how long a notice is tried. A code is tried while it is valid. */
  noticeLife: 3 * day,
  /** How long one attempt may take. */
  attempt: 30 * second,
  /** A worker that has not settled a message for so long has died, and another one takes it. */
  lease: minute,
  /** Messages that a worker hands over at a time. */
  batch: 10,
} as const

/** Pauses after the first attempts; the last one is that of all later ones. */
const pauses = [5 * second, 20 * second, minute, 2 * minute, 5 * minute, 15 * minute, hour]

/** When the next attempt is due after `attempts` failed ones; undefined where the message is too old by then. */
export const nextAttempt = (attempts: number, now: number, expiresAt: number): number | undefined => {
  const next = now + (pauses[Math.min(attempts, pauses.length) - 1] ?? 0)
  return next < expiresAt ? next : undefined
}
