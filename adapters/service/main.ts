/** The service in production: one process, with the roles that `--role` or TANDEM_ROLES name. */
import * as Result from 'effect/Result'
import { pino } from 'pino'
import { readConfiguration } from './config.ts'
import { startService } from './service.ts'
import { StartRefusal } from './StartRefusal.ts'
import { stopOnSignal } from './stopOnSignal.ts'
import { protectionOf } from './vault/vaultOf.ts'

try {
  const configuration = Result.getOrThrow(readConfiguration(process.env, process.argv.slice(2)))
  const log = pino({ level: configuration.logLevel, base: null })
  const service = await startService(configuration, log)
  stopOnSignal(service.stop)
  const { environment } = configuration
  const keys = protectionOf(configuration, configuration.roles.includes('cosigner'))
  log.info({ environment, addresses: service.addresses, keys }, 'listening')
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
