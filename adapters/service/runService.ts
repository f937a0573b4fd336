/** Starts the service with its log on stdout; SIGHUP reloads its settings, other signals stop it. */
import * as Result from 'effect/Result'
import { pino, type Logger } from 'pino'
import { addressOf } from './addressOf.ts'
import type { Configuration } from './config.ts'
import { reloadOf } from './reload.ts'
import { startService, type RunningService } from './service.ts'
import type { Variables } from './settings.ts'
import { StartRefusal } from './StartRefusal.ts'
import { stopOnSignal } from './stopOnSignal.ts'
import { protectionOf } from './vault/vaultOf.ts'

/** Where the configuration is from. */
export type Source = {
  /** The texts of secrets' files in it. */
  readonly variables: Variables
  readonly arguments_: readonly string[]
  /** The variables as they are now; fails with a sentence. */
  readonly readVariables: () => Promise<Result.Result<Variables, { readonly message: string }>>
}

/** Throws a `StartRefusal` where it cannot start. */
export const runService = async (
  configuration: Configuration,
  source: Source,
): Promise<RunningService['addresses']> => {
  const log = pino({ level: configuration.logLevel, base: null })
  const listening = startService(configuration, log).then((service) => {
    const { environment } = configuration
    const keys = protectionOf(configuration, configuration.roles.includes('cosigner'))
    log.info({ environment, addresses: listeningAt(configuration, service.addresses), keys }, 'listening')
    return service
  })
  // Before it listens: a start may wait for other processes, and a signal without a handler ends this one at once.
  const stop = () =>
    listening.then(
      (service) => service.stop(),
      () => endsByItself,
    )
  stopOnSignal(stop, reloading(listening, log, source))
  return (await listening).addresses
}

/** The addresses that it listens on; those of `service` are the names that a browser on this machine uses. */
const listeningAt = ({ listeners, roles }: Configuration, addresses: RunningService['addresses']) =>
  Object.fromEntries(
    roles.map((role) => {
      const { host, port } = listeners[role]
      // 0 where the system chooses it.
      return [role, addressOf({ host, port: port || Number(new URL(addresses[role] ?? '').port) })] as const
    }),
  )

/** A process that cannot start says why, and has nothing to stop. */
const endsByItself = new Promise<never>(() => undefined)

/** What reloads the settings once the service listens; each call waits for the one before. */
const reloading = (
  listening: Promise<RunningService>,
  log: Logger,
  { variables, arguments_, readVariables }: Source,
): (() => void) => {
  let running = variables
  let last: Promise<unknown> = listening
  const reload = async () => {
    const given = await readVariables()
    const next = Result.flatMap(given, (now) => reloadOf(running, now, arguments_))
    if (Result.isFailure(next)) throw new StartRefusal({ message: next.failure.message })
    const { configuration, reloaded, waiting } = next.success
    const { hasOtherLogo } = (await listening).reload(configuration)
    running = next.success.variables
    const names = hasOtherLogo && !reloaded.includes(logoName) ? [...reloaded, logoName] : reloaded
    const say = () => {
      log.info(names.length === 0 ? 'No setting that reloads has changed.' : `Reloaded: ${names.join(', ')}.`)
      if (waiting.length > 0) log.warn(`Changed, and need a restart: ${waiting.join(', ')}.`)
    }
    // At either level, where one shows it.
    const isShown = log.isLevelEnabled('info')
    if (isShown) say()
    log.level = configuration.logLevel
    if (!isShown) say()
  }
  return () => {
    last = last.then(reload).catch((cause: unknown) => {
      if (cause instanceof StartRefusal) log.error(`Nothing was reloaded: ${cause.message}`)
      else log.error(cause)
    })
  }
}

/** A file of the same name may hold another image. */
const logoName = 'OPERATOR_LOGO_FILE'
