/** Starts the service with its log on stdout, and stops it on a signal. */
import { pino } from 'pino'
import type { Configuration } from './config.ts'
import { startService, type RunningService } from './service.ts'
import { stopOnSignal } from './stopOnSignal.ts'
import { protectionOf } from './vault/vaultOf.ts'

/** Throws a `StartRefusal` where it cannot start. */
export const runService = async (configuration: Configuration): Promise<RunningService['addresses']> => {
  const log = pino({ level: configuration.logLevel, base: null })
  const service = await startService(configuration, log)
  stopOnSignal(service.stop)
  const { environment } = configuration
  const keys = protectionOf(configuration, configuration.roles.includes('cosigner'))
  log.info({ environment, addresses: service.addresses, keys }, 'listening')
  return service.addresses
}
