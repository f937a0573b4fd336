import { Option } from 'commander'
import * as Result from 'effect/Result'
import type { Call, Finding, Problem, Verb } from './Verb.ts'

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
    name: 'policy apply',
    takes: ['FILE'],
    says: 'makes it the policy of a partner, on this deployment',
    options: () => [new Option('--partner <ID>', 'the partner').makeOptionMandatory()],
    changes: true,
    run: (call) =>
      withDocuments(call, async ([policy]) => {
        const { applyPolicy } = await import('./applyPolicy.ts')
        return applyPolicy(call.variables, { partnerId: call.option('partner') ?? '', policy, reason: call.reason })
      }),
  },
]

type Run = (documents: readonly unknown[]) => Promise<Result.Result<Finding, Problem>>

/** The files that the verb is given, as parsed JSON. */
const withDocuments = async ({ given, readFile }: Call, run: Run): Promise<Result.Result<Finding, Problem>> => {
  const documents: unknown[] = []
  for (const file of given) {
    const text = await readFile(file).catch(() => undefined)
    if (text === undefined) return unread(`${file} cannot be read.`)
    try {
      documents.push(JSON.parse(text))
    } catch {
      return unread(`${file} is no JSON.`)
    }
  }
  return run(documents)
}

const unread = (message: string): Result.Result<never, Problem> =>
  Result.fail({ code: 'failed', message, fix: 'Give the path of a JSON file.' })
