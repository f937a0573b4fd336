import { Option } from 'commander'
import * as Result from 'effect/Result'
import { readJson } from './readJson.ts'
import type { Call, Ended, Verb } from './Verb.ts'

export const policyVerbs: readonly Verb[] = [
  {
    name: 'policy check',
    takes: ['FILE'],
    says: 'what is wrong with a policy',
    run: (call) =>
      withDocuments(call, async ([policy]) => {
        const { checkPolicy } = await import('./policy.ts')
        return Result.succeed(checkPolicy(policy))
      }),
  },
  {
    name: 'policy test',
    takes: ['FILE', 'CASES'],
    says: 'what a policy says about the cases of a file',
    run: (call) =>
      withDocuments(call, async ([policy, cases]) => {
        const { testPolicy } = await import('./policy.ts')
        return Result.succeed(testPolicy(policy, cases))
      }),
  },
  {
    name: 'policy show',
    takes: [],
    says: 'the policy of a partner, as it was applied',
    options: () => [new Option('--partner <ID>', 'the partner').makeOptionMandatory()],
    run: async (call) => (await import('./showPolicy.ts')).showPolicy(call),
  },
  {
    name: 'policy apply',
    takes: ['FILE'],
    says: 'makes it the policy of a partner, on this deployment',
    options: () => [new Option('--partner <ID>', 'the partner').makeOptionMandatory()],
    changes: true,
    run: (call) =>
      withDocuments(call, async ([policy]) => {
        const { applyPolicy } = await import('./applyPolicy.ts')
        return applyPolicy(call, policy)
      }),
  },
  {
    name: 'policy rollback',
    takes: [],
    says: 'makes the policy before the current one the policy of a partner again',
    options: () => [new Option('--partner <ID>', 'the partner').makeOptionMandatory()],
    changes: true,
    run: async (call) => (await import('./rollBackPolicy.ts')).rollBackPolicy(call),
  },
]

type Run = (documents: readonly unknown[]) => Ended

/** The files that the verb is given, as parsed JSON. */
const withDocuments = async ({ given, readFile }: Call, run: Run): Ended => {
  const documents: unknown[] = []
  for (const file of given) {
    const document = await readJson(readFile, file)
    if (Result.isFailure(document)) return Result.fail(document.failure)
    documents.push(document.success)
  }
  return run(documents)
}
