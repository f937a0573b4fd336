/** The service in production: one process, with the roles that `--role` or TANDEM_ROLES name. */
import * as Result from 'effect/Result'
import { readConfiguration } from './config.ts'
import { runService } from './runService.ts'
import { StartRefusal } from './StartRefusal.ts'

try {
  await runService(Result.getOrThrow(readConfiguration(process.env, process.argv.slice(2))))
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
