/** Failures that SDKs report outside production. Their text is untrusted. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { reportsFailures, sdkTypes, withoutSecrets } from '../model/Diagnostics.ts'
import { Caller } from './Caller.ts'
import { callersPartner } from './partners.ts'
import { Deployment } from './ports/Deployment.ts'
import { FailureLog } from './ports/FailureLog.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Rates } from './rates.ts'

const diagnosticLimits = {
  /** Of a message, in what is read and in what is written down. */
  readLength: 4_096,
  messageLength: 300,
} as const

export type Reported = {
  readonly methodName: string
  readonly sdkType: string
  readonly userId?: string | undefined
  readonly error: { readonly name?: string | undefined; readonly message?: unknown }
}

/** Writes one line; none in production, where SDKs do not report. */
export const reportSdkError = Effect.fn('diagnostics.reportSdkError')(function* (reported: Reported) {
  const { id: partnerId } = yield* callersPartner
  const { environment } = yield* Deployment
  if (!reportsFailures(environment)) return
  const { network } = yield* Caller
  yield* (yield* RateLimits).take('sdk failures', network, (yield* Rates).R9)
  const { methodName, sdkType, userId, error } = reported
  yield* (yield* FailureLog).write({
    partnerId,
    sdkType: sdkTypes.find((type) => type === sdkType) ?? unknown,
    methodName: isName(methodName) ? methodName : unknown,
    userId: userId !== undefined && isUuid(userId) ? userId : undefined,
    error: isName(error.name) ? error.name : unknown,
    message: withoutSecrets(messageOf(error.message).slice(0, diagnosticLimits.readLength)).slice(
      0,
      diagnosticLimits.messageLength,
    ),
  })
})

const unknown = 'unknown'

const isName = (text: string | undefined): text is string => text !== undefined && /^[A-Za-z_$][\w.$]{0,63}$/.test(text)

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The message of the public client may be the whole answer that failed. One that is nested too deeply has no text. */
const messageOf = (message: unknown): string => {
  if (message === undefined) return ''
  if (typeof message === 'string') return message
  return Result.getOrElse(
    Result.try(() => JSON.stringify(message)),
    () => unknown,
  )
}
