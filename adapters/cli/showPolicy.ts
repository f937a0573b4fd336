/** `tandem policy show`: the policy of a partner as this deployment has it. */
import * as Result from 'effect/Result'
import { showPolicy as show } from '../../domain/service/policies.ts'
import { onDeployment, requireRoleWithFolder } from './deployment.ts'
import { missing, noPartner } from './partnerProblems.ts'
import { problemsFound } from './problemsFound.ts'
import type { Call, Ended } from './Verb.ts'

export const showPolicy = async (call: Call): Ended => {
  const partnerId = call.option('partner') ?? ''
  const found = await onDeployment(call, show(partnerId), missing(noPartner(partnerId)), {
    require: requireRoleWithFolder,
  })
  return Result.map(found, (policy) => {
    if (policy === undefined)
      return { exitCode: 0, text: `Partner ${partnerId} has no policy: all is allowed.`, data: { policy: null } }
    const { version, appliedAt, document, unusable } = policy
    if (unusable !== undefined) return problemsFound([`Everything is denied: ${unusable}.`])
    const data = { policy: document, version, appliedAt }
    return { exitCode: 0, text: JSON.stringify(document, null, 2), data }
  })
}
