/** Runs a flow of an operator on the deployment that this environment configures, as the service's processes read it. */
import * as Effect from 'effect/Effect'
import type * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import type { NotFound } from '../../domain/service/NotFound.ts'
import type { ReasonRequired } from '../../domain/service/operator.ts'
import type { PartnerRefused } from '../../domain/service/partnerChanges.ts'
import { readConfiguration } from '../service/config.ts'
import { DatabaseUnavailable } from '../service/database/Database.ts'
import { databaseAt } from '../service/database/open.ts'
import { operatorLayers } from '../service/operatorLayers.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import type { Call, Problem } from './Verb.ts'

type Services = Layer.Success<ReturnType<typeof operatorLayers>>

type Refusal = NotFound | ReasonRequired | PartnerRefused

/** `missing`: the sentence for what does not exist. Fails with what keeps the flow from being done. */
export const onDeployment = async <A>(
  { variables }: Call,
  flow: Effect.Effect<A, Refusal, Services>,
  missing: string,
): Promise<Result.Result<A, Problem>> => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const { database, environment } = configuration.success
  return Effect.runPromise(
    flow.pipe(
      Effect.mapError((refusal) => problemOf(refusal, missing)),
      Effect.provide(operatorLayers(configuration.success, { asCosigner: false })),
      Effect.mapError((cause) => (cause instanceof StartRefusal ? wrongConfiguration(cause.message) : cause)),
      Effect.provide(databaseAt(database, { migrates: environment === 'DEV' })),
      Effect.mapError((cause) => (cause instanceof StartRefusal ? unreachable(cause.message) : cause)),
      Effect.catchDefect((defect) =>
        defect instanceof DatabaseUnavailable ? Effect.fail(unreachable(defect.message)) : Effect.die(defect),
      ),
      Effect.result,
    ),
  )
}

const problemOf = (refusal: Refusal, missing: string): Problem => {
  switch (refusal._tag) {
    case 'NotFound':
      return { code: 'failed', message: missing, fix: 'tandem partner list' }
    case 'ReasonRequired':
      return { code: 'refused', message: `${capitalised(refusal.message)}.`, fix: 'Add --reason "why it is changed".' }
    case 'PartnerRefused':
      return { code: 'failed', message: refusal.problems.join('\n'), fix: 'Correct what is named.' }
  }
}

export const wrongConfiguration = (message: string): Problem => ({
  code: 'configuration',
  message,
  fix: 'Give the command the settings of the service: the same environment variables.',
})

const unreachable = (message: string): Problem => ({
  code: 'unreachable',
  message,
  fix: message.includes('is in use by process')
    ? 'Stop that process first: PGlite belongs to one. On PostgreSQL (DATABASE_URL) commands work beside the service.'
    : 'See that the database runs, and that the settings are those of the service.',
})

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
