/** Applies a policy on the deployment's own database and folder, beside its processes or before they start. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { applyPolicyByOperator } from '../../domain/service/policies.ts'
import type { Configuration } from './config.ts'
import { databaseAt } from './database/open.ts'
import { operatorLayers } from './operatorLayers.ts'
import { StartRefusal } from './StartRefusal.ts'

/**
 * Answers the version. Fails with `PolicyRefused`, `NotFound` or `ReasonRequired`, and with a `StartRefusal` where the deployment cannot be
 * written from here: another process has its PGlite, or this folder is not that of its co-signers.
 */
export const applyPolicyAt = (
  configuration: Configuration,
  partnerId: string,
  json: unknown,
  reason: string | undefined,
) =>
  Effect.suspend(() => {
    const { cosignerFolder } = configuration
    if (!existsSync(join(cosignerFolder, 'incarnation'))) {
      const message =
        `COSIGNER_FOLDER is '${cosignerFolder}', where no co-signer has run. ` +
        'The version of a policy is kept there: give the folder of the co-signers, or start one first.'
      return Effect.fail(new StartRefusal({ message }))
    }
    return Effect.provide(applyPolicyByOperator(partnerId, json, reason), layersOf(configuration))
  })

const layersOf = (configuration: Configuration) => {
  const { database, environment } = configuration
  return operatorLayers(configuration, { asCosigner: true }).pipe(
    Layer.provideMerge(databaseAt(database, { migrates: environment === 'DEV' })),
  )
}
