/** `tandem migrate`: brings the deployment's schema to this version, or says what would run. */
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { ReasonRequired, recordChange, requireReason } from '../../domain/service/operator.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import { readConfiguration, type Configuration } from '../service/config.ts'
import { migrateAt, missingAt } from '../service/database/open.ts'
import { deploymentOf } from '../service/deploymentOf.ts'
import { counted } from '../service/counted.ts'
import { needsReason, onAudit, unreachable, wrongConfiguration } from './deployment.ts'
import type { Call, Ended } from './Verb.ts'

/** With `--plan` it changes nothing. */
export const migrate = async ({ variables, flag, reason }: Call): Ended => {
  const isPlan = flag('plan')
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const flow = isPlan ? missingAt(configuration.success.database) : migrated(configuration.success, reason)
  const found = await Effect.runPromise(Effect.result(flow))
  if (Result.isFailure(found)) {
    const { failure } = found
    return Result.fail(failure instanceof ReasonRequired ? needsReason(failure) : unreachable(failure.message))
  }
  const migrations = found.success
  const sentence =
    migrations.length === 0
      ? 'The schema is that of this version.'
      : `${counted(migrations.length, 'migration')} ${isPlan ? 'to run' : 'done'}.`
  return Result.succeed({ exitCode: 0, text: [...migrations, sentence].join('\n'), data: { migrations } })
}

/** Its record follows what it tells, because the table of records is migrated, too. */
const migrated = (configuration: Configuration, reason: string | undefined) =>
  Effect.gen(function* () {
    yield* requireReason(reason)
    const migrations = yield* migrateAt(configuration.database)
    if (migrations.length === 0) return migrations
    const detail = { migrations: migrations.join(', ') }
    yield* onAudit(configuration, recordChange({ event: 'schema.migrated', detail }, reason))
    return migrations
  }).pipe(Effect.provideService(Deployment, deploymentOf(configuration)))
