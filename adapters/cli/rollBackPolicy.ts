/** `tandem policy rollback`: the policy before the current one counts again. */
import * as Result from 'effect/Result'
import { rollBackPolicy as rollBack, type NoPolicyBefore } from '../../domain/service/policies.ts'
import type { NotFound } from '../../domain/service/NotFound.ts'
import type { PolicyRefused } from '../../domain/service/policy/Policy.ts'
import { requireFolder } from './applyPolicy.ts'
import { onDeployment, sentenceOf } from './deployment.ts'
import { missing, noPartner } from './partnerProblems.ts'
import type { Call, Ended, Problem } from './Verb.ts'

export const rollBackPolicy = async (call: Call): Ended => {
  const partnerId = call.option('partner') ?? ''
  const problemOf = (refusal: NotFound | NoPolicyBefore | PolicyRefused): Problem =>
    refusal._tag === 'NotFound'
      ? missing(noPartner(partnerId))(refusal)
      : { code: 'refused', message: sentenceOf(refusal.message), fix: 'tandem policy apply FILE' }
  const flow = rollBack(partnerId, call.reason)
  const done = await onDeployment(call, flow, problemOf, { asCosigner: true, require: requireFolder })
  return Result.map(done, ({ version, of }) => ({
    exitCode: 0,
    text: `Version ${version} of the policy of ${partnerId} counts from now on. It is version ${of} again.`,
    data: { partnerId, version, of },
  }))
}
