/** `tandem migrate`: brings the deployment's schema to this version, or says what would run. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import { migrateAt, missingAt } from '../service/database/open.ts'
import { unreachable, wrongConfiguration } from './deployment.ts'
import type { Call, Ended } from './Verb.ts'

/** With `--plan` it changes nothing. */
export const migrate = async ({ variables, flag }: Call): Ended => {
  const isPlan = flag('plan')
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const { database } = configuration.success
  const found = await Effect.runPromise(Effect.result(isPlan ? missingAt(database) : migrateAt(database)))
  if (Result.isFailure(found)) return Result.fail(unreachable(found.failure.message))
  const migrations = found.success
  const sentence =
    migrations.length === 0
      ? 'The schema is that of this version.'
      : `${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'} ${isPlan ? 'to run' : 'done'}.`
  return Result.succeed({ exitCode: 0, text: [...migrations, sentence].join('\n'), data: { migrations } })
}
