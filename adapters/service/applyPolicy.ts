/** Applies a policy on the deployment's own database and folder, beside its processes or before they start. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { applyPolicy } from '../../domain/service/policies.ts'
import type { Configuration } from './config.ts'
import { AuditDatabase } from './database/Audit.ts'
import { TransactionDatabase } from './database/Database.ts'
import { NotificationsPostgres, notificationsOfProcess } from './database/Notifications.ts'
import { databaseAt } from './database/open.ts'
import { PartnersDatabase } from './database/Partners.ts'
import { PoliciesDatabase } from './database/Policies.ts'
import { SecureRandomNode } from './node/SecureRandom.ts'
import { StartRefusal } from './StartRefusal.ts'
import { vaultOf } from './vault/vaultOf.ts'
import { WatermarksFile } from './vault/Watermarks.ts'

/**
 * Answers the version. Fails with `PolicyRefused` or `NotFound`, and with a `StartRefusal` where the deployment cannot be
 * written from here: another process has its PGlite, or this folder is not that of its co-signers.
 */
export const applyPolicyAt = (configuration: Configuration, partnerId: string, json: unknown) =>
  Effect.suspend(() => {
    const { cosignerFolder } = configuration
    if (!existsSync(join(cosignerFolder, 'incarnation'))) {
      const message =
        `COSIGNER_FOLDER is '${cosignerFolder}', where no co-signer has run. ` +
        'The version of a policy is kept there: give the folder of the co-signers, or start one first.'
      return Effect.fail(new StartRefusal({ message }))
    }
    return Effect.provide(applyPolicy(partnerId, json), layersOf(configuration))
  })

const layersOf = (configuration: Configuration) => {
  const { database, cosignerFolder, environment } = configuration
  const notifications =
    database.kind === 'pglite' ? notificationsOfProcess({ isAlone: true }) : NotificationsPostgres(undefined)
  return Layer.mergeAll(AuditDatabase, PartnersDatabase, PoliciesDatabase, vaultOf(configuration, true)).pipe(
    Layer.provideMerge(Layer.merge(TransactionDatabase, notifications)),
    Layer.provideMerge(
      Layer.mergeAll(
        databaseAt(database, { migrates: environment === 'DEV' }),
        SecureRandomNode,
        WatermarksFile(join(cosignerFolder, 'watermarks')),
      ),
    ),
  )
}
