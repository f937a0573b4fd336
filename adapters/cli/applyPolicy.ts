/** `tandem policy apply`: on the deployment that this environment configures, as the service's processes read it. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { applyPolicyAt } from '../service/applyPolicy.ts'
import { readConfiguration } from '../service/config.ts'
import type { Variables } from '../service/settings.ts'
import { countOf } from './policy.ts'
import type { Finding, Problem } from './Verb.ts'

type Given = { readonly partnerId: string; readonly policy: unknown; readonly reason: string | undefined }

/** Fails with the sentence that says why nothing was applied. */
export const applyPolicy = async (
  variables: Variables,
  { partnerId, policy, reason }: Given,
): Promise<Result.Result<Finding, Problem>> => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return failed(configuration.failure.message)
  const applied = await Effect.runPromise(
    Effect.result(applyPolicyAt(configuration.success, partnerId, policy, reason)),
  )
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
      return failed(`There is no partner ${partnerId}.`)
    case 'ReasonRequired':
      return Result.fail({
        code: 'refused',
        message: 'The change needs a reason, of one line and 500 characters at most.',
        fix: 'Add --reason "why it is changed".',
      })
    case 'StartRefusal':
      return failed(refusal.message)
  }
}

const failed = (message: string): Result.Result<never, Problem> =>
  Result.fail({ code: 'failed', message, fix: 'Give the settings of the deployment, and a partner of it.' })
