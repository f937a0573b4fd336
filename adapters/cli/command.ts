/** Reads the arguments of `tandem`, runs the verb that they name, and says how it ended: as text, or with `--json`. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Argument, Command, type CommanderError, Option } from 'commander'
import * as Result from 'effect/Result'
import type { Variables } from '../service/settings.ts'
import {
  environment,
  exitCodes,
  type Call,
  type Finding,
  type Problem,
  type ReadFile,
  type Settings,
  type Verb,
} from './Verb.ts'
import { verbs } from './verbs.ts'

/** Data for stdout, sentences for stderr. */
export type Answer = { readonly exitCode: ExitCode; readonly out: string; readonly error: string }

export type ExitCode = 0 | 6 | (typeof exitCodes)[keyof typeof exitCodes]

const exits = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong configuration, 4 the database cannot be reached,
5 refused by a guard, 6 problems found, 130 interrupted.`

/** Asks the person at the terminal, and answers whether they said yes. */
type Ask = (question: string) => Promise<boolean>

/** `words` are the arguments after the command's name. `ask` is undefined where there is no terminal. */
export const runCommand = async (
  words: readonly string[],
  readFile: ReadFile,
  variables: Variables,
  ask?: Ask,
): Promise<Answer> => {
  const isJson = words.includes('--json')
  const parsed = parse(words)
  if (parsed.kind === 'help') return { exitCode: 0, out: parsed.text, error: '' }
  if (parsed.kind === 'misuse') {
    const { message, usage } = parsed
    if (isJson) return refusal({ code: 'usage', message, fix: 'tandem --help' })
    return { exitCode: exitCodes.usage, out: '', error: `${message}\n\n${usage}` }
  }
  const usual = parsed.verb.makesSettings === true ? undefined : variables['TANDEM_CONFIG']
  const file = parsed.configFile ?? usual
  const readSettings = () => settingsOf(file, readFile, variables)
  const settings = await readSettings()
  if (Result.isFailure(settings)) return failed(settings.failure, isJson)
  const readVariables = async () => Result.map(await readSettings(), (read) => read.variables)
  const call: Call = { ...parsed.call, ...settings.success, readFile, readVariables }
  const kept = (await parsed.verb.beforeAsking?.(call)) ?? (await keptBack(parsed, isJson ? undefined : ask))
  if (kept !== undefined) return failed(kept, isJson, settings.success)
  let found: Result.Result<Finding, Problem>
  try {
    found = await parsed.verb.run(call)
  } catch (cause) {
    return defectOf(cause, isJson)
  }
  if (Result.isFailure(found)) return failed(found.failure, isJson, settings.success)
  const { exitCode, text, data } = found.success
  const isNamed = file !== undefined || call.variables['TANDEM_ENVIRONMENT'] !== undefined
  const error = parsed.verb.changes === true && !isNamed ? ofDevelopment : ''
  return { exitCode, out: isJson ? JSON.stringify({ ok: exitCode === 0, data }) : text, error }
}

/** Who forgets the settings would take a key of the wrong deployment to a partner. */
const ofDevelopment =
  'This was done on a development deployment: neither TANDEM_ENVIRONMENT nor --config nor TANDEM_CONFIG names another.'

/** A verb that asks runs after a yes, of a person or of `--yes`. */
const keptBack = async (
  { verb, call: { given, flag } }: Extract<Parsed, { kind: 'call' }>,
  ask: Ask | undefined,
): Promise<Problem | undefined> => {
  if (verb.asks === undefined || flag('yes')) return undefined
  const question = verb.asks(given)
  if (ask === undefined)
    return { code: 'refused', message: `This cannot be taken back: ${question}`, fix: 'Add --yes to do it.' }
  if (await ask(question)) return undefined
  return { code: 'refused', message: 'Nothing was done.', fix: 'Answer y to do it.' }
}

/**
 * Variables of the environment that are not blank come before those of the file, whose names are all settings. What stands in the
 * place of a name may be a secret whose line lost its own, as the address of a database; so only what looks like a name is quoted.
 */
const settingsOf = async (
  file: string | undefined,
  readFile: ReadFile,
  variables: Variables,
): Promise<Result.Result<Settings, Problem>> => {
  if (file === undefined) return Result.succeed({ variables, file, from: () => environment })
  const wrong = (message: string, fix: string) => Result.fail<Problem>({ code: 'configuration', message, fix })
  const text = await readFile(file).catch((cause: unknown) => ({ cause }))
  if (typeof text !== 'string') {
    const code = systemCodeOf(text.cause)
    return code === undefined || code === 'ENOENT'
      ? wrong(`${file} cannot be read.`, 'Give the path of a file of settings, as `tandem init` makes it.')
      : wrong(`${file} cannot be read (${code}).`, 'Run the command as the user of the service, who can read it.')
  }
  const { isSetting, nearestSetting } = await import('./settingNamed.ts')
  const names = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const refused = (what: string, fix: string) => wrong(`Line ${index + 1} of ${file} ${what}.`, fix)
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) return refused('does not begin with the name of a setting', 'Write the line as NAME=value.')
    if (!isSetting(name)) {
      const near = nearestSetting(name)
      return wrong(
        `${file} has ${name}, and no setting has this name.`,
        near === undefined ? 'Remove it; `tandem config docs` has all settings.' : `Did you mean ${near}?`,
      )
    }
    if (names.has(name)) return refused(`gives ${name} once more`, 'Leave one of the two.')
    if (/^["'`]/.test(value) && !/^(["'`])(?:(?!\1).)*\1(\s+#.*)?$/.test(value))
      return refused(
        'has a quote that does not end with its value',
        'Write the value in one line, with the same quote before and after it.',
      )
    if (/^[^"'`]/.test(value) && /#/.test(value.replace(/(^|\s)#(\s.*)?$/, '')))
      return refused(
        'has a # without quotes, where the value would end',
        'Write the value in quotes; a comment after it begins with a blank, # and a blank.',
      )
    names.add(name)
  }
  const given = parseEnv(text)
  const counting = Object.fromEntries(Object.entries(variables).filter(([, one]) => one?.trim()))
  return Result.succeed({
    variables: { ...variables, ...given, ...counting },
    file,
    from: (name) => (names.has(name) && counting[name] === undefined ? `the settings in ${file}` : environment),
  })
}

/** As EACCES; undefined where no call of the system failed. */
const systemCodeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

const failed = ({ code, message, ...problem }: Problem, isJson: boolean, settings?: Settings): Answer => {
  const fix = typeof problem.fix === 'string' ? problem.fix : problem.fix(settings ?? noSettings)
  if (isJson) return refusal({ code, message, fix })
  return { exitCode: exitCodes[code], out: '', error: `${message}\nFix: ${fix}` }
}

/** What a verb threw: a call of the system that failed, or a mistake of ours, of which the stack says where it is. */
const defectOf = (cause: unknown, isJson: boolean): Answer => {
  const said = cause instanceof Error ? cause.message : 'no reason'
  const isOfSystem = cause instanceof Error && 'syscall' in cause
  const fix = isOfSystem
    ? 'See what the sentence names: the command runs as the user of the service, who can read and write its files.'
    : 'Report it, with what is said on stderr.'
  const answer = failed({ code: 'failed', message: `The command failed: ${said}.`, fix }, isJson)
  const stack = !isOfSystem && cause instanceof Error ? cause.stack : undefined
  return { ...answer, error: [answer.error, stack ?? ''].filter((text) => text !== '').join('\n') }
}

const noSettings: Settings = { variables: {}, file: undefined, from: () => environment }

const refusal = ({ code, message, fix }: Problem): Answer => ({
  exitCode: exitCodes[code],
  out: JSON.stringify({ ok: false, error: { code, message, fix } }),
  error: '',
})

/** What the words of a call say. */
type Given = Omit<Call, 'readFile' | 'readVariables' | keyof Settings>

type Parsed =
  | {
      readonly kind: 'call'
      readonly verb: Verb
      readonly call: Given
      readonly configFile: string | undefined
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'misuse'; readonly message: string; readonly usage: string }

const parse = (words: readonly string[]): Parsed => {
  let called: Parsed | undefined
  const written: string[] = []
  const program = programOf(
    (verb, given, values) => {
      const { config } = program.opts<{ readonly config?: string }>()
      called = { kind: 'call', verb, call: callOf(given, values), configFile: config }
    },
    (text) => written.push(text),
  )
  try {
    program.parse([...words], { from: 'user' })
  } catch (cause) {
    if (!(cause instanceof Exit)) throw cause
    const { code } = cause.error
    if (code === 'commander.helpDisplayed' || code === 'commander.version')
      return { kind: 'help', text: written.join('').trimEnd() }
    return misuseOf(cause)
  }
  if (called === undefined) throw new Error('a command without a verb')
  return called
}

const callOf = (given: readonly string[], values: Readonly<Record<string, unknown>>): Given => {
  const option = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const options = (name: string) => {
    const value = values[name]
    return Array.isArray(value) ? value.map(String) : undefined
  }
  return { given, option, options, flag: (name) => values[name] === true, reason: option('reason') }
}

/** Thrown where commander would end the process. */
class Exit extends Error {
  readonly path: string
  readonly command: Command
  readonly error: CommanderError

  constructor(path: string, command: Command, error: CommanderError) {
    super(error.message)
    this.path = path
    this.command = command
    this.error = error
  }
}

type OnCall = (verb: Verb, given: readonly string[], values: Readonly<Record<string, unknown>>) => void

const programOf = (onCall: OnCall, write: (text: string) => void): Command => {
  const program = new Command('tandem')
    .addOption(new Option('--json', 'the answer as JSON'))
    .addOption(
      new Option(
        '--config <FILE>',
        'settings, a line NAME=value each; without it those of TANDEM_CONFIG; the environment comes before them',
      ),
    )
    .version(version(), '--version', 'the version of Tandem')
    .configureOutput({ writeOut: write, writeErr: () => undefined })
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (command, helper) =>
        helpOf(command, (one) => helper.visibleOptions(one).concat(helper.visibleGlobalOptions(one).filter(isOfEach))),
    })
  prepare(program, '')
  const groups = new Map([['', program]])
  const groupOf = (path: string): Command => {
    const known = groups.get(path)
    if (known !== undefined) return known
    const made = prepare(groupOf(parentOf(path)).command(lastOf(path)), path)
    groups.set(path, made)
    return made
  }
  for (const verb of verbs) {
    const command = prepare(groupOf(parentOf(verb.name)).command(lastOf(verb.name)), verb.name)
    for (const name of verb.takes) command.addArgument(new Argument(`<${name.replace('…', '...')}>`))
    for (const option of verb.options?.() ?? []) command.addOption(option)
    if (verb.changes === true) command.addOption(new Option('--reason <TEXT>', 'why, for the audit; PROD asks for it'))
    if (verb.asks !== undefined) command.addOption(new Option('--yes', 'does it without a question'))
    command.action(() => onCall(verb, command.args, command.opts()))
  }
  return program
}

/** That of the repository, also for the code compiled into dist/. */
const version = (): string => {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '../../..'
  const own = JSON.parse(readFileSync(new URL(`${root}/package.json`, import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return own.version
}

/** Options of `tandem` that its verbs take, too. */
const isOfEach = ({ long }: Option): boolean => long !== '--version'

const parentOf = (path: string): string => path.split(' ').slice(0, -1).join(' ')
const lastOf = (path: string): string => path.split(' ').at(-1) ?? ''

const prepare = (command: Command, path: string): Command =>
  command.helpCommand(false).exitOverride((error) => {
    throw new Exit(path, command, error)
  })

/** What was wrong, in a sentence, and the help of the verb, or the verbs near it. */
const misuseOf = ({ path, command, error }: Exit): Parsed => {
  const verb = verbs.find(({ name }) => name === path)
  const usage = verb === undefined ? usageOf(path) : command.helpInformation().trimEnd()
  const misuse = (message: string): Parsed => ({ kind: 'misuse', message, usage })
  const [, hint = ''] = /\n\((Did you mean [^)]*)\)/.exec(error.message) ?? []
  switch (error.code) {
    // A group is called without one of its verbs.
    case 'commander.help':
      return misuse(`There is no command ${path === '' ? 'without a name' : path}.`)
    case 'commander.unknownCommand': {
      const [, word = ''] = /'(.*?)'/.exec(error.message) ?? []
      return misuse([`There is no command ${`${path} ${word}`.trim()}.`, hint].join(' ').trim())
    }
    case 'commander.missingArgument':
    case 'commander.excessArguments':
      return misuse(
        `${path} takes ${verb === undefined || verb.takes.length === 0 ? 'no arguments' : verb.takes.join(' ')}.`,
      )
    default:
      return misuse(sentence(error.message))
  }
}

/** Commander's own words for an option. */
const sentence = (message: string): string => {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1')
  const whole = /[.?!]$/.test(text) ? text : `${text}.`
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}

/** A line for each verb under these words. */
const usageOf = (path: string): string => {
  const shown = verbs.filter(({ name }) => path === '' || `${name} `.startsWith(`${path} `))
  const calls = shown.map(({ name, takes, options }) => {
    const needed = (options?.() ?? []).filter(({ mandatory }) => mandatory)
    return ['tandem', name, ...takes, ...needed.map(({ flags }) => flags)].join(' ')
  })
  const width = Math.max(...calls.map((call) => call.length))
  return shown.map(({ says }, index) => `${(calls[index] ?? '').padEnd(width)}  ${says}`).join('\n')
}

const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim()

const helpOf = (command: Command, optionsOf: (command: Command) => readonly Option[]): string => {
  const options = optionsOf(command).map(({ flags, description }) => [flags, description] as const)
  const width = Math.max(...options.map(([flags]) => flags.length))
  const lines = options.map(([flags, description]) => `${flags.padEnd(width)}  ${description}`)
  return [usageOf(pathOf(command)), lines.join('\n'), exits].join('\n\n')
}
