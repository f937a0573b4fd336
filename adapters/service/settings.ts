/**
 * How a setting is read: from an environment variable, by a function that says what the text means or what is wrong
 * with it. A wrong text is refused with one sentence that names the variable, and that quotes the text only where it is
 * not a secret.
 */
import { readFileSync } from 'node:fs'
import * as Config from 'effect/Config'
import * as ConfigProvider from 'effect/ConfigProvider'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import * as SchemaIssue from 'effect/SchemaIssue'
import { StartRefusal } from './StartRefusal.ts'

/** Environment variables in the form of `process.env`. */
export type Variables = { readonly [name: string]: string | undefined }

export type Listener = { readonly host: string; readonly port: number }

/** The failure is the rest of a sentence that begins with the variable's name. */
export type Read<A> = (text: string) => Result.Result<A, string>

/** Texts are trimmed, and a variable without text counts as missing. */
export const readSettings = <A>(settings: Config.Config<A>, variables: Variables): Effect.Effect<A, StartRefusal> => {
  const env = Object.fromEntries(Object.entries(variables).map(([name, text = '']) => [name, text.trim()]))
  return Effect.mapError(
    settings.parse(ConfigProvider.fromEnv({ env })),
    ({ cause }) => new StartRefusal({ message: cause.message }),
  )
}

/** The names that are read where none is given. */
export const namesOf = (settings: Config.Config<unknown>): readonly string[] => {
  const names = new Set<string>()
  const provider = ConfigProvider.make((path) => Effect.sync(() => void names.add(path.join('_'))))
  Effect.runSync(Effect.ignore(settings.parse(provider)))
  return [...names]
}

/**
 * With the text of each file in the place of `<NAME>_FILE`, for secrets that a platform hands over as files. Refused where
 * a secret is given in both ways, or its file cannot be read or is blank.
 */
export const withSecretFiles = (
  variables: Variables,
  secrets: readonly string[],
): Result.Result<Variables, StartRefusal> => {
  const found: Record<string, string | undefined> = {}
  for (const name of secrets) {
    const file = variables[`${name}_FILE`]?.trim() ?? ''
    if (file === '') continue
    const refuse = (what: string) => Result.fail(new StartRefusal({ message: `${name}_FILE is '${file}', ${what}.` }))
    if ((variables[name]?.trim() ?? '') !== '') return refuse(`and ${name} is given, too`)
    const text = readText(file)?.trim()
    if (text === undefined) return refuse('which cannot be read')
    if (text === '') return refuse('which is blank')
    found[name] = text
    found[`${name}_FILE`] = undefined
  }
  return Result.succeed({ ...variables, ...found })
}

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

export const setting = <A>(name: string, read: Read<A>): Config.Config<A> => reading(Config.String(name), name, read)

/** `name`: what the sentence of a refusal begins with. */
export const reading = <A>(text: Config.Config<string>, name: string, read: Read<A>): Config.Config<A> =>
  Config.mapEffect(text, (given) => Effect.mapError(Effect.fromResult(read(given)), (what) => wrong(name, what)))

const wrong = (name: string, what: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: `${name} ${what}.` })))

export const optional = <A>(config: Config.Config<A>): Config.Config<A | undefined> =>
  Config.withDefault(config, undefined)

export const oneOf =
  <const T extends string>(values: readonly T[]): Read<T> =>
  (text) =>
    Result.fromNullishOr(
      values.find((value) => value === text),
      () => `is '${text}', which is none of ${values.join(', ')}`,
    )

/** `host:port`, or a port of this machine. */
export const listener = (name: string, usual: number): Config.Config<Listener> =>
  Config.withDefault(setting(name, readListener), { host: localhost, port: usual })

const localhost = '127.0.0.1'

const readListener: Read<Listener> = (text) => {
  const [, host = '', portText = ''] = /^(?:(.+):)?([0-9]{1,5})$/.exec(text) ?? []
  const port = Number(portText)
  if (portText === '' || port > 65_535) return Result.fail(`is '${text}', which is not host:port`)
  return Result.succeed({ host: host.replace(/^\[(.*)\]$/, '$1') || localhost, port })
}

/** The public address of a role: an origin without a path. */
export const origin = (name: string): Config.Config<string> =>
  setting(name, (text) =>
    Result.flatMap(readUrl(['http:', 'https:'])(text), (address) => {
      const url = new URL(address)
      return url.pathname === '/' ? Result.succeed(url.origin) : Result.fail(`is '${text}', which has a path`)
    }),
  )

/** An address that has a password in it. */
export const secretUrl = (name: string, schemes: readonly string[]): Config.Config<Redacted.Redacted> =>
  secret(name, readUrl(schemes))

/** `read` quotes nothing of it. */
export const secret = (name: string, read: Read<string>): Config.Config<Redacted.Redacted> =>
  Config.map(setting(name, read), (text) => Redacted.make(text, { label: name }))

export const readUrl =
  (schemes: readonly string[]): Read<string> =>
  (text) => {
    if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return Result.succeed(text)
    if (text.includes('@') && schemes.some((scheme) => text.startsWith(`${scheme}//`)))
      return Result.fail(
        'is not an address as it stands: in its user and password / is written %2F, ? is %3F and # is %23',
      )
    return Result.fail(`is not an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
  }
