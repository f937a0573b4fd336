/** Failures of a page, by what the person can do about them. */
import * as Cause from 'effect/Cause'
import * as Option from 'effect/Option'

export type Failure = {
  /** What the page has words for: an error's tag, or the code that came with a refusal. */
  readonly code: string
  /** The error's own sentence. */
  readonly sentence: string
  /**
   * `again`: the same try may succeed later or with another input. `reopen`: the page may begin again. `none`: only the
   * app can begin again.
   */
  readonly retry: 'again' | 'reopen' | 'none'
}

/** Refusals after which the same page may be tried again. */
const again: ReadonlySet<string> = new Set([
  'InternalError',
  'InvalidPassword',
  'Offline',
  'PasskeyCancelled',
  'PasskeyExists',
  'PasskeyUnsupported',
  'PasswordTooCommon',
  'PasswordTooShort',
  'RequestStillRunning',
  'TooManyAttempts',
  'Unavailable',
  'UnknownPasskey',
  'WrapBroken',
])

/** Refusals of a page's token that is over. */
const expired: ReadonlySet<string> = new Set(['LinkExpired', 'NoSignedInUser'])

/** The failure of a step after the page has begun. */
export const failureOf = (cause: Cause.Cause<unknown>): Failure => {
  const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
  const code = codeOf(error)
  return { code, sentence: sentenceOf(error), retry: again.has(code) ? 'again' : 'none' }
}

/** While a page begins nothing was typed yet, so a failure that can be tried again begins the page again. */
export const failureToBegin = (cause: Cause.Cause<unknown>): Failure => {
  const failure = failureOf(cause)
  return failure.retry === 'again' ? { ...failure, retry: 'reopen' } : failure
}

const codeOf = (error: unknown): string => {
  if (!isTagged(error)) return 'Unexpected'
  if (error._tag !== 'ApiError') return error._tag
  if (error.status === undefined) return 'Offline'
  if (error.code === undefined) return error.status >= 500 ? 'Unavailable' : 'Unexpected'
  return expired.has(error.code) ? 'LinkExpired' : error.code
}

/** An answer without `x-error-code` is not the service's: its body, for example a proxy's page, is not shown. */
const sentenceOf = (error: unknown): string => {
  if (isTagged(error) && error.status !== undefined && error.code === undefined) return `status ${error.status}`
  return error instanceof Error ? error.message : ''
}

type Tagged = { readonly _tag: string; readonly status?: number; readonly code?: string }

const isTagged = (error: unknown): error is Tagged =>
  typeof error === 'object' && error !== null && '_tag' in error && typeof error._tag === 'string'
