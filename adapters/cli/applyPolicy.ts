/** `tandem policy apply`: on the deployment that this environment configures, as the service's processes read it. */
import * as Effect from 'effect/Effect'
import { applyPolicyByOperator } from '../../domain/service/policies.ts'
import { onDeployment, requireCosignerFolder, requireRoleWithFolder, type Require } from './deployment.ts'
import { missing, noPartner } from './partnerProblems.ts'
import { problemsFound } from './problemsFound.ts'
import type { Call, Ended } from './Verb.ts'

/** Of the verbs that change a policy. */
export const requireFolder: Require = (configuration) =>
  requireRoleWithFolder(configuration) ?? requireVersions(configuration)

const requireVersions = requireCosignerFolder(
  'The version of a policy is kept there: give the folder of the co-signers, or start one first.',
)

const toBeMended = (note: string): string => `To be mended, as in the version before: ${note}`

export const applyPolicy = async (call: Call, policy: unknown): Ended => {
  const partnerId = call.option('partner') ?? ''
  const flow = applyPolicyByOperator(partnerId, policy, call.reason).pipe(
    Effect.map(({ version, notes }) => ({
      exitCode: 0 as const,
      text: [...notes.map(toBeMended), `Version ${version} of the policy of ${partnerId} counts from now on.`].join(
        '\n',
      ),
      data: { partnerId, version, notes },
    })),
    Effect.catchTag('PolicyRefused', ({ problems }) => Effect.succeed(problemsFound(problems))),
  )
  return onDeployment(call, flow, missing(noPartner(partnerId)), { asCosigner: true, require: requireFolder })
}
