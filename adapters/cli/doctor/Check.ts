/** What the groups of checks of `tandem doctor` have in common. */
import type { Configuration } from '../../service/config.ts'

/** Codes never change their meaning. The sentence says what is wrong and what it leads to, `fix` what to do. No secret is in either. */
export type Fault = { readonly code: `D${number}`; readonly sentence: string; readonly fix: string }

/** Changes nothing. Answers no fault where all is as it should be. */
export type Check = (configuration: Configuration) => Promise<readonly Fault[]>

/** How long another machine may take to answer. */
export const answerWithinMs = 5_000

/** A short name of a failure, without the addresses and texts that its message may have. */
export const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'no reason'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause.cause instanceof Error ? codeOf(cause.cause) : cause.name
}
