/** The service in production: one process, with the roles that `--role` or TANDEM_ROLES name. */
import * as Result from 'effect/Result'
import { readConfigured } from './config.ts'
import { runService } from './runService.ts'
import { StartRefusal } from './StartRefusal.ts'

try {
  const arguments_ = process.argv.slice(2)
  const readVariables = () => Promise.resolve(Result.succeed(process.env))
  const { variables, configuration } = Result.getOrThrow(readConfigured(process.env, arguments_))
  await runService(configuration, { variables, arguments_, readVariables })
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
