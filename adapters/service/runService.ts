/** Starts the service with its log on stdout, and stops it on a signal. */
import * as Result from 'effect/Result'
import { pino } from 'pino'
import { readConfiguration } from './config.ts'
import { startService, type RunningService } from './service.ts'
import type { Variables } from './settings.ts'
import { stopOnSignal } from './stopOnSignal.ts'
import { protectionOf } from './vault/vaultOf.ts'

/** `arguments_`: `--role`, which comes before TANDEM_ROLES. Throws a `StartRefusal` where it cannot start. */
export const runService = async (
  variables: Variables,
  arguments_: readonly string[],
): Promise<RunningService['addresses']> => {
  const configuration = Result.getOrThrow(readConfiguration(variables, arguments_))
  const log = pino({ level: configuration.logLevel, base: null })
  const service = await startService(configuration, log)
  stopOnSignal(service.stop)
  const { environment } = configuration
  const keys = protectionOf(configuration, configuration.roles.includes('cosigner'))
  log.info({ environment, addresses: service.addresses, keys }, 'listening')
  return service.addresses
}
