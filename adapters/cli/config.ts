/** `tandem config`: the settings of the service, what they mean and which count. */
import * as Result from 'effect/Result'
import { readConfiguration, settingNames } from '../service/config.ts'
import { rateText } from '../service/rateSettings.ts'
import { settingOf, type Setting } from '../service/settingsReference.ts'
import { wrongConfiguration } from './deployment.ts'
import type { Call, Finding, Problem } from './Verb.ts'

const reference = (): readonly (readonly [string, Setting])[] =>
  settingNames().flatMap((name) => {
    const setting = settingOf(name)
    return setting === undefined ? [] : [[name, setting] as const]
  })

export const print = ({ variables, from }: Call): Result.Result<Finding, Problem> => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  // Some are wider in DEV than the reference says.
  const rates = new Map(
    Object.entries(configuration.success.rates).map(([name, limit]) => [`RATE_${name}`, rateText(limit)]),
  )
  const settings = reference().map(([name, { usual, isSecret = false }]) => {
    const given = variables[name]?.trim() ?? ''
    const file = variables[`${name}_FILE`]?.trim() ?? ''
    if (isSecret && file !== '') return { name, value: '(secret)', from: `the file ${file}` }
    if (given === '') return { name, value: rates.get(name) ?? usual, from: 'default' }
    return { name, value: isSecret ? '(secret)' : given, from: from(name) }
  })
  const width = (of: (row: (typeof settings)[number]) => string) => Math.max(...settings.map((row) => of(row).length))
  const [names, values] = [width(({ name }) => name), width(({ value }) => value)]
  const text = settings
    .map(({ name, value, from }) => `${name.padEnd(names)}  ${value.padEnd(values)}  ${from}`)
    .join('\n')
  return Result.succeed({ exitCode: 0, text, data: { settings } })
}

/** Of an object of texts; a secret may be named by its file. */
export const schema = (): Result.Result<Finding, Problem> => {
  const properties: Record<string, object> = {}
  for (const [name, { meaning, form, usual, example, isSecret }] of reference()) {
    const own = { type: 'string', description: `${meaning} (${form})`, examples: [example] }
    properties[name] = { ...own, ...(usual.startsWith('(') ? {} : { default: usual }) }
    if (isSecret !== true) continue
    properties[name] = { ...properties[name], writeOnly: true }
    properties[`${name}_FILE`] = { type: 'string', description: `the path of a file with ${name}` }
  }
  const data = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of the service',
    type: 'object',
    properties,
    additionalProperties: false,
  }
  return Result.succeed({ exitCode: 0, text: JSON.stringify(data, null, 2), data })
}

export const docs = (): Result.Result<Finding, Problem> => {
  const settings = reference().map(([name, setting]) => ({ name, ...setting }))
  const rows = settings.map(({ name, meaning, form, usual, roles = [], isSecret, reloads }) => {
    const secret = isSecret === true ? `yes: \`${name}_FILE\`` : ''
    return [
      '',
      `\`${name}\``,
      meaning,
      form,
      codeOf(usual),
      roles.join(', '),
      secret,
      reloads === true ? 'yes' : '',
      '',
    ]
      .join(' | ')
      .trim()
  })
  const text = [
    '# Settings of the service',
    '',
    'They come from the environment and are checked at start: a wrong one stops the process with a sentence that names it. `tandem config print`',
    'shows which count. A blank one counts as missing. A secret may be given by a file: `<NAME>_FILE` is its path, and `<NAME>` is missing then.',
    '',
    '`--config FILE` has them as lines `NAME=value`, each name once. A value with `#`, or with blanks around it, is quoted: `OPERATOR_NAME="Shop #1"`; a comment is',
    'a line that begins with `#`, or comes after a value, a blank, `#` and a blank.',
    '',
    'A running service takes those that reload anew [at SIGHUP](../../README.md#processes-and-settings); the others count from its next start on.',
    '',
    'Where *roles* are named, processes of these alone use the setting: give a process what its roles use, and no secret beside. `tandem doctor` looks at the',
    'roles of `TANDEM_ROLES` and has no other way to know them, so set it in a file that is for some roles. Other commands take the settings of all roles.',
    '',
    'This page is the output of `tandem config docs`.',
    '',
    '| setting | meaning | form | without it | roles | secret | reloads |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
  return Result.succeed({ exitCode: 0, text, data: { settings } })
}

/** Words are in parentheses; what could be given as it is, is code. */
const codeOf = (usual: string): string => (usual.startsWith('(') ? usual.slice(1, -1) : `\`${usual}\``)
