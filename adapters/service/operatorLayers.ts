/** What an operator's command needs of a deployment: its database and its keys, beside its processes or before they start. */
import * as Layer from 'effect/Layer'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import type { Configuration } from './config.ts'
import { AuditDatabase } from './database/Audit.ts'
import { CosignerKeysDatabase } from './database/CosignerKeys.ts'
import { TransactionDatabase } from './database/Database.ts'
import { NotificationsPostgres, notificationsOfProcess } from './database/Notifications.ts'
import { OutboxDatabase } from './database/Outbox.ts'
import { PartnersDatabase } from './database/Partners.ts'
import { PoliciesDatabase } from './database/Policies.ts'
import { WebhookEndpointsDatabase } from './database/WebhookEndpoints.ts'
import { deploymentOf } from './deploymentOf.ts'
import { SecureRandomNode } from './node/SecureRandom.ts'
import { runKeysIn } from './vault/RunKeys.ts'
import { runKeysOf, vaultOf, watermarksOf } from './vault/vaultOf.ts'
import { WebhookSenderNode } from './webhooks/WebhookSender.ts'

/**
 * Over the `Database` that `databaseAt` opens. `asCosigner`: with the co-signer's ring. Fails with a `StartRefusal` where
 * a ring cannot be read.
 */
export const operatorLayers = (configuration: Configuration, { asCosigner }: { readonly asCosigner: boolean }) => {
  const { database, environment } = configuration
  // It listens to nothing: a command reads each thing once. What it changes, the service's processes are told.
  const notifications =
    database.kind === 'pglite' ? notificationsOfProcess({ isAlone: true }) : NotificationsPostgres(undefined)
  return Layer.mergeAll(
    AuditDatabase,
    CosignerKeysDatabase,
    OutboxDatabase,
    PartnersDatabase,
    PoliciesDatabase,
    WebhookEndpointsDatabase,
    vaultOf(configuration, { isCosigner: asCosigner, runKeys: runKeysIn(runKeysOf(configuration)) }),
  ).pipe(
    Layer.provideMerge(Layer.merge(TransactionDatabase, notifications)),
    Layer.provideMerge(
      Layer.mergeAll(
        SecureRandomNode,
        watermarksOf(configuration),
        WebhookSenderNode({ isLenient: environment === 'DEV' }),
        Layer.succeed(Deployment, deploymentOf(configuration)),
      ),
    ),
  )
}
