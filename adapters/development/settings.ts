/** The settings that only a development stack has, beside the configuration of its service. */
import * as Config from 'effect/Config'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { logLevels } from '../service/config.ts'
import {
  listener,
  oneOf,
  optional,
  origin,
  readSettings,
  setting,
  type Read,
  type Variables,
} from '../service/settings.ts'
import type { StartRefusal } from '../service/StartRefusal.ts'

const readPort: Read<number> = (text) =>
  /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535
    ? Result.succeed(Number(text))
    : Result.fail(`is '${text}', which is not a port`)

const settings = Config.all({
  exampleListener: listener('EXAMPLE_LISTEN', 3010),
  /** Where the example app is reached: a host of its own, so that it shares no cookie with the portal. */
  exampleOrigin: optional(origin('EXAMPLE_URL')),
  chainPort: Config.withDefault(setting('CHAIN_PORT', readPort), 8545),
  /** Pages in a folder that was named are taken as they are. */
  hasPages: Config.withDefault(
    Config.map(Config.String('PAGES_FOLDER'), () => true),
    false,
  ),
  /** A policy for the example app's partner, applied at each start (domain/service/policy/README.md). */
  policyFile: optional(setting('POLICY_FILE', Result.succeed)),
  logLevel: Config.withDefault(setting('LOG_LEVEL', oneOf(logLevels)), 'warn'),
})

export const readDevelopmentSettings = (variables: Variables): Effect.Effect<DevelopmentSettings, StartRefusal> =>
  Effect.map(readSettings(settings, variables), ({ exampleOrigin, ...own }) => ({
    ...own,
    exampleOrigin: exampleOrigin ?? `http://shop.localhost:${own.exampleListener.port}`,
  }))

type DevelopmentSettings = Config.Success<typeof settings> & { readonly exampleOrigin: string }
