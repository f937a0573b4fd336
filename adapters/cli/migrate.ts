/** `tandem migrate`: brings the deployment's schema to this version, or says what would run. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import { migrateAt, missingAt } from '../service/database/open.ts'
import type { Variables } from '../service/settings.ts'
import type { Finding } from './Verb.ts'

/** `isPlan`: changes nothing. Fails with the sentence that says why nothing was done. */
export const migrate = async (variables: Variables, isPlan: boolean): Promise<Result.Result<Finding, string>> => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(configuration.failure.message)
  const { database } = configuration.success
  const found = await Effect.runPromise(Effect.result(isPlan ? missingAt(database) : migrateAt(database)))
  if (Result.isFailure(found)) return Result.fail(found.failure.message)
  const migrations = found.success
  const sentence =
    migrations.length === 0
      ? 'The schema is that of this version.'
      : `${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'} ${isPlan ? 'to run' : 'done'}.`
  return Result.succeed({ exitCode: 0, text: [...migrations, sentence].join('\n'), data: { migrations } })
}
