/** Which settings a running service takes anew at SIGHUP, and which wait for its next start (README.md#processes-and-settings). */
import * as Result from 'effect/Result'
import { readConfiguration, readConfigured, settingNames, type Configuration } from './config.ts'
import type { Variables } from './settings.ts'
import { settingOf } from './settingsReference.ts'
import type { StartRefusal } from './StartRefusal.ts'

export type Reload = {
  /** The running settings with those that reload as they are given now. */
  readonly variables: Variables
  /** Read from them. */
  readonly configuration: Configuration
  /** Settings whose text differs and counts from now on. */
  readonly reloaded: readonly string[]
  /** Settings whose text differs and counts from the next start on. */
  readonly waiting: readonly string[]
}

/**
 * `running`: what the service runs with, the texts of secrets' files in it. Refused where the service would not start with
 * `given`, or where what reloads of it does not fit to what does not.
 */
export const reloadOf = (
  running: Variables,
  given: Variables,
  arguments_: readonly string[],
): Result.Result<Reload, StartRefusal> =>
  Result.gen(function* () {
    const { variables: read } = yield* readConfigured(given, arguments_)
    const changed = settingNames().filter((name) => textOf(read, name) !== textOf(running, name))
    const reloaded = changed.filter(reloads)
    const variables = { ...running, ...Object.fromEntries(reloaded.map((name) => [name, read[name]])) }
    const configuration = yield* readConfiguration(variables, arguments_)
    return { variables, configuration, reloaded, waiting: changed.filter((name) => !reloads(name)) }
  })

const textOf = (variables: Variables, name: string): string => variables[name]?.trim() ?? ''

const reloads = (name: string): boolean => settingOf(name)?.reloads === true
