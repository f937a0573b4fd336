/** `tandem policy apply`: on the deployment that this environment configures, as the service's processes read it. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { applyPolicyAt } from '../service/applyPolicy.ts'
import { readConfiguration } from '../service/config.ts'
import type { Variables } from '../service/settings.ts'
import { countOf, type Finding } from './policy.ts'

/** Fails with the sentence that says why nothing was applied. */
export const applyPolicy = async (
  variables: Variables,
  partnerId: string,
  policy: unknown,
): Promise<Result.Result<Finding, string>> => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(configuration.failure.message)
  const applied = await Effect.runPromise(Effect.result(applyPolicyAt(configuration.success, partnerId, policy)))
  if (Result.isSuccess(applied)) {
    const version = applied.success
    const text = `Version ${version} of the policy of ${partnerId} counts from now on.`
    return Result.succeed({ exitCode: 0, text, data: { partnerId, version } })
  }
  const refusal = applied.failure
  switch (refusal._tag) {
    case 'PolicyRefused': {
      const { problems } = refusal
      const text = [...problems, countOf(problems.length, 'problem')].join('\n')
      return Result.succeed({ exitCode: 6, text, data: { problems } })
    }
    case 'NotFound':
      return Result.fail(`There is no partner ${partnerId}.`)
    case 'StartRefusal':
      return Result.fail(refusal.message)
  }
}
