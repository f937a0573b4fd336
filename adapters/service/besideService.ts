/** What a command needs of the deployment's own database and folder, beside its processes or before they start. */
import { join } from 'node:path'
import * as Layer from 'effect/Layer'
import type { Configuration } from './config.ts'
import { AuditDatabase } from './database/Audit.ts'
import { TransactionDatabase } from './database/Database.ts'
import { NotificationsPostgres, notificationsOfProcess } from './database/Notifications.ts'
import { databaseAt } from './database/open.ts'
import { OutboxDatabase } from './database/Outbox.ts'
import { PartnersDatabase } from './database/Partners.ts'
import { PoliciesDatabase } from './database/Policies.ts'
import { WebhookEndpointsDatabase } from './database/WebhookEndpoints.ts'
import { SecureRandomNode } from './node/SecureRandom.ts'
import { vaultOf } from './vault/vaultOf.ts'
import { WatermarksFile } from './vault/Watermarks.ts'
import { WebhookSenderNode } from './webhooks/WebhookSender.ts'

/**
 * A layer that fails with a `StartRefusal` where another process has the deployment's PGlite, or a key ring is missing.
 * `asCosigner`: with the co-signer's ring.
 */
export const besideService = (configuration: Configuration, { asCosigner }: { readonly asCosigner: boolean }) => {
  const { database, cosignerFolder, environment } = configuration
  const notifications =
    database.kind === 'pglite' ? notificationsOfProcess({ isAlone: true }) : NotificationsPostgres(undefined)
  return Layer.mergeAll(
    AuditDatabase,
    OutboxDatabase,
    PartnersDatabase,
    PoliciesDatabase,
    WebhookEndpointsDatabase,
    vaultOf(configuration, asCosigner),
  ).pipe(
    Layer.provideMerge(Layer.merge(TransactionDatabase, notifications)),
    Layer.provideMerge(
      Layer.mergeAll(
        databaseAt(database, { migrates: environment === 'DEV' }),
        SecureRandomNode,
        WatermarksFile(join(cosignerFolder, 'watermarks')),
        WebhookSenderNode({ isLenient: environment === 'DEV' }),
      ),
    ),
  )
}
