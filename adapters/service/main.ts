/** The service in production: one process, with the roles that `--role` or TANDEM_ROLES name. */
import * as Result from 'effect/Result'
import { readConfiguration } from './config.ts'
import { runService } from './runService.ts'
import { withSecretFiles } from './settings.ts'
import { secretNames } from './settingsReference.ts'
import { StartRefusal } from './StartRefusal.ts'

try {
  const arguments_ = process.argv.slice(2)
  const readVariables = () => Promise.resolve(Result.succeed(process.env))
  // Once: the file of a secret may be a pipe.
  const variables = Result.getOrThrow(withSecretFiles(process.env, secretNames))
  const configuration = Result.getOrThrow(readConfiguration(variables, arguments_))
  await runService(configuration, { variables, arguments_, readVariables })
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
