import * as Effect from 'effect/Effect'
import { report, reportsFailures, type TrackedMethod } from '../model/Diagnostics.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { rememberedUserId } from './rememberedUserId.ts'

/**
 * Reports to the operator that a key method failed, outside production: name and sentence of the error, never its
 * inputs.
 */
export const reportFailure = Effect.fn('diagnostics.reportFailure')(function* (
  methodName: TrackedMethod,
  error: unknown,
) {
  const { environment } = yield* Settings
  if (!reportsFailures(environment) || !(error instanceof Error)) return
  const body = report({ methodName, sdkType: 'WEB', userId: yield* rememberedUserId, error })
  yield* (yield* Api).call('reportSdkError', { body })
})
