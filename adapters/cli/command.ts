/** The verbs of `tandem`, and what every one of them has: `--json`, `--help`, exit codes. */
import { parseArgs } from 'node:util'
import * as Result from 'effect/Result'
import type { Variables } from '../service/settings.ts'
import { checkPolicy, testPolicy, type Finding } from './policy.ts'

/** Data for stdout, sentences for stderr. */
export type Answer = { readonly exitCode: ExitCode; readonly out: string; readonly error: string }

/** Done, failed, called in a wrong way, or problems were found. */
export type ExitCode = 0 | 1 | 2 | 6

export type ReadFile = (path: string) => Promise<string>

const usage = `tandem policy check FILE          what is wrong with a policy
tandem policy test FILE CASES     what a policy says about the cases of a file
tandem policy apply FILE          makes it the policy of the partner that --partner names, on this deployment

--partner ID   the partner
--json         the answer as JSON
--help         this text

Exit codes: 0 done, 1 failed, 2 wrong usage, 6 problems found.`

type Verb = {
  readonly files: number
  readonly takesPartner?: true
  /** Fails with the sentence that says why nothing was done. */
  readonly run: (documents: readonly unknown[], partnerId: string) => Promise<Result.Result<Finding, string>>
}

/** `variables`: the settings of the deployment, for what is done on it. */
const verbsOf = (variables: Variables): Readonly<Record<string, Verb>> => ({
  'policy check': { files: 1, run: ([policy]) => Promise.resolve(Result.succeed(checkPolicy(policy))) },
  'policy test': {
    files: 2,
    run: ([policy, cases]) => Promise.resolve(Result.succeed(testPolicy(policy, cases))),
  },
  'policy apply': {
    files: 1,
    takesPartner: true,
    run: async ([policy], partnerId) => (await import('./applyPolicy.ts')).applyPolicy(variables, partnerId, policy),
  },
})

/** `words` are the arguments after the command's name. */
export const runCommand = async (
  words: readonly string[],
  readFile: ReadFile,
  variables: Variables,
): Promise<Answer> => {
  const parsed = parse(words)
  if (Result.isFailure(parsed)) return wrong(words.includes('--json'), `${parsed.failure}\n\n${usage}`, parsed.failure)
  const { isJson, isHelp, partnerId, positionals } = parsed.success
  if (isHelp) return { exitCode: 0, out: usage, error: '' }
  const name = positionals.slice(0, 2).join(' ')
  const verbs = verbsOf(variables)
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  const files = positionals.slice(2)
  if (verb === undefined || files.length !== verb.files) {
    const problem =
      verb === undefined
        ? `There is no command ${name === '' ? 'without a name' : name}.`
        : `${name} takes ${verb.files === 1 ? 'one file' : `${verb.files} files`}.`
    return wrong(isJson, `${problem}\n\n${usage}`, problem)
  }
  if ((partnerId !== undefined) !== (verb.takesPartner === true)) {
    const problem = `${name} takes ${verb.takesPartner === true ? 'the partner by' : 'no'} --partner.`
    return wrong(isJson, `${problem}\n\n${usage}`, problem)
  }
  const documents: unknown[] = []
  for (const file of files) {
    const document = await readJson(file, readFile)
    if (Result.isFailure(document)) return failed(isJson, document.failure, 'Give the path of a JSON file.')
    documents.push(document.success)
  }
  const found = await verb.run(documents, partnerId ?? '')
  if (Result.isFailure(found))
    return failed(isJson, found.failure, 'Give the settings of the deployment, and a partner of it.')
  const { exitCode, text, data } = found.success
  return { exitCode, out: isJson ? JSON.stringify({ ok: exitCode === 0, data }) : text, error: '' }
}

type Parsed = {
  readonly isJson: boolean
  readonly isHelp: boolean
  readonly partnerId: string | undefined
  readonly positionals: readonly string[]
}

const parse = (words: readonly string[]): Result.Result<Parsed, string> => {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' }, partner: { type: 'string' } },
      allowPositionals: true,
    })
    const { json: isJson = false, help: isHelp = false, partner: partnerId } = values
    return Result.succeed({ isJson, isHelp, partnerId, positionals })
  } catch (cause) {
    return Result.fail(cause instanceof Error ? cause.message : 'The arguments cannot be read.')
  }
}

const readJson = async (file: string, readFile: ReadFile): Promise<Result.Result<unknown, string>> => {
  const text = await readFile(file).catch(() => undefined)
  if (text === undefined) return Result.fail(`${file} cannot be read.`)
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(`${file} is no JSON.`)
  }
}

const wrong = (isJson: boolean, text: string, problem: string): Answer =>
  isJson ? refusal(2, 'usage', problem, 'tandem --help') : { exitCode: 2, out: '', error: text }

const failed = (isJson: boolean, problem: string, fix: string): Answer =>
  isJson ? refusal(1, 'failed', problem, fix) : { exitCode: 1, out: '', error: problem }

const refusal = (exitCode: ExitCode, code: string, message: string, fix: string): Answer => ({
  exitCode,
  out: JSON.stringify({ ok: false, error: { code, message, fix } }),
  error: '',
})
