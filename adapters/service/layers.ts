/** All ports of the service with their adapters, as one layer. */
import { join } from 'node:path'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { Logger } from 'pino'
import { Claims } from '../../domain/service/ports/Claims.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import { FailureLog } from '../../domain/service/ports/FailureLog.ts'
import type { Mail } from '../../domain/service/ports/Mail.ts'
import type { Sms } from '../../domain/service/ports/Sms.ts'
import { Rates } from '../../domain/service/rates.ts'
import { ChainRpc } from './chains/Chain.ts'
import { ChainNodesHttp } from './chains/ChainNodes.ts'
import { sendsMessages, usesCosignerFolder, type Configuration } from './config.ts'
import { CosignerEngineThreads } from './cosigner/engine.ts'
import { requireKernel } from './cosigner/kernel.ts'
import { AuditDatabase } from './database/Audit.ts'
import { ChallengesDatabase } from './database/Challenges.ts'
import { CodesDatabase } from './database/Codes.ts'
import { CosignerKeysDatabase } from './database/CosignerKeys.ts'
import { type Database, TransactionDatabase } from './database/Database.ts'
import { messageDelivery, webhookDelivery } from './deliveryWorker.ts'
import { EncryptedWalletPrivateKeysDatabase } from './database/EncryptedWalletPrivateKeys.ts'
import { ExportsDatabase } from './database/Exports.ts'
import { DatabaseGenerationFenced, DatabaseGenerationOfCosigners } from './database/DatabaseGeneration.ts'
import { IntentsDatabase } from './database/Intents.ts'
import { KeySharesDatabase } from './database/KeyShares.ts'
import { NotificationsPostgres, notificationsOfProcess } from './database/Notifications.ts'
import { PendingTransactionsDatabase } from './database/PendingTransactions.ts'
import { PoliciesDatabase } from './database/Policies.ts'
import { DelegationsDatabase } from './database/Delegations.ts'
import { PortalSessionsDatabase } from './database/PortalSessions.ts'
import { OtRecordsDatabase } from './database/OtRecords.ts'
import { OutboxDatabase } from './database/Outbox.ts'
import { PartnersDatabase } from './database/Partners.ts'
import { PasskeysDatabase } from './database/Passkeys.ts'
import { PasswordsDatabase } from './database/Passwords.ts'
import { PinnedRootsDatabase } from './database/PinnedRoots.ts'
import { ProviderSharesDatabase } from './database/ProviderShares.ts'
import { RateLimitsDatabase } from './database/RateLimits.ts'
import { RecoveriesDatabase } from './database/Recoveries.ts'
import { RecoveryPublicKeysDatabase } from './database/RecoveryPublicKeys.ts'
import { RefreshesDatabase } from './database/Refreshes.ts'
import { ReplaysDatabase } from './database/Replays.ts'
import { RunsDatabase } from './database/Runs.ts'
import { SessionsDatabase } from './database/Sessions.ts'
import { SigningKeysDatabase } from './database/SigningKeys.ts'
import { SpendsDatabase } from './database/Spends.ts'
import { TemporarySharesDatabase } from './database/TemporaryShares.ts'
import { TemporaryTransmissionsDatabase } from './database/TemporaryTransmissions.ts'
import { UserMessagesDatabase } from './database/UserMessages.ts'
import { UsersDatabase } from './database/Users.ts'
import { WalletsDatabase } from './database/Wallets.ts'
import { WebhookEndpointsDatabase } from './database/WebhookEndpoints.ts'
import { databaseOf, deploymentOf } from './deploymentOf.ts'
import { flowLog } from './flowLog.ts'
import { JwtsJose } from './jose/Jwts.ts'
import { MailSmtp, noMail } from './mail/Mail.ts'
import { FailpointsNode } from './node/Failpoints.ts'
import { ProcessLimitsMemory } from './node/ProcessLimits.ts'
import { SecureRandomNode } from './node/SecureRandom.ts'
import { SignaturesOpenssl } from './node/Signatures.ts'
import { WaitsNode } from './node/Waits.ts'
import { StaticFilesIn } from './pages/BuiltPages.ts'
import { noSms, SmsTwilio } from './sms/Twilio.ts'
import { StartRefusal } from './StartRefusal.ts'
import { keyRotation, messageRetention, upkeep } from './upkeep.ts'
import { ClaimsFile } from './vault/Claims.ts'
import { fenceFileAt } from './vault/fenceFile.ts'
import { requireFolderOfCosigners } from './vault/folderOfCosigners.ts'
import { runKeysIn } from './vault/RunKeys.ts'
import { shareKeysIn } from './vault/ShareKeys.ts'
import { ShareKeysFolder } from './vault/ShareKeysFolder.ts'
import {
  fenceFileOf,
  OpenedRings,
  runKeysOf,
  shareKeysOf,
  vaultOf,
  watermarksOf,
  type RingStores,
} from './vault/vaultOf.ts'
import { PasskeyVerifierWebAuthn } from './webauthn/PasskeyVerifier.ts'
import { WebhookSenderNode } from './webhooks/WebhookSender.ts'

/** Replacements of adapters: the outside world and the clock, and in tests the database. */
export type Stand = {
  readonly mail?: Layer.Layer<Mail> | undefined
  readonly sms?: Layer.Layer<Sms> | undefined
  readonly clock?: Clock.Clock | undefined
  readonly database?: Layer.Layer<Database, StartRefusal> | undefined
  readonly ringStores?: RingStores | undefined
}

/** What flows read of the settings at each use, so that a reload shows (`reload.ts`). */
export type ReadAtUse = { readonly rates: Rates; readonly deployment: Deployment['Service'] }

/** Throws a `StartRefusal` if the configuration or the build lacks something that an adapter needs. */
export const layersOf = (
  configuration: Configuration,
  log: Logger,
  stand: Stand,
  readAtUse: ReadAtUse = { rates: configuration.rates, deployment: deploymentOf(configuration) },
) => {
  const { cosignerFolder, environment } = configuration
  const isCosigner = configuration.roles.includes('cosigner')
  if (isCosigner) requireKernel(environment)
  const runKeysFolder = runKeysOf(configuration)
  const runKeys = runKeysIn(runKeysFolder)
  const shareKeysFolder = shareKeysOf(configuration)

  const database = stand.database ?? databaseOf(configuration, (message) => log.warn(message))
  const mail = stand.mail ?? mailOf(configuration)
  const sms = stand.sms ?? (configuration.twilio === undefined ? noSms : SmsTwilio(configuration.twilio))
  const clock = stand.clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, stand.clock)
  const databaseGeneration = isCosigner
    ? DatabaseGenerationFenced({
        fenceFile: fenceFileAt(fenceFileOf(configuration)),
        refuseOlderFolder: (databaseGeneration) => olderFolderRefusal(configuration, databaseGeneration),
        warn: (reason) => log.warn(reason),
      })
    : Layer.merge(DatabaseGenerationOfCosigners, folderOfCosigners(configuration))

  const engine = Layer.unwrap(
    Effect.map(OpenedRings, ({ cosigner }) =>
      CosignerEngineThreads({
        name: configuration.cosignerName,
        ring: cosigner,
        runKeysFolder,
        shareKeysFolder,
        log: (message) => log.error(message),
        threads: configuration.cosignerThreads,
      }),
    ),
  )

  const scheduled = Layer.mergeAll(
    upkeep(isCosigner ? runKeys : undefined, configuration.retention),
    keyRotation,
    messageRetention,
    sendsMessages(configuration.roles) ? Layer.merge(webhookDelivery, messageDelivery) : Layer.empty,
  )
  return scheduled.pipe(
    Layer.provideMerge(engine),
    Layer.provideMerge(
      vaultOf(configuration, { isCosigner, runKeys, stores: stand.ringStores, warn: (message) => log.warn(message) }),
    ),
    Layer.provideMerge(databaseGeneration),
    Layer.provideMerge(repositories),
    Layer.provideMerge(Layer.merge(TransactionDatabase, notificationsOf(configuration, log))),
    Layer.provideMerge(
      Layer.mergeAll(
        database,
        mail,
        sms,
        ChainNodesHttp(configuration.chains),
        ChainRpc(configuration.chains),
        FailpointsNode(configuration.failpoint),
        JwtsJose,
        PasskeyVerifierWebAuthn,
        ProcessLimitsMemory(),
        SecureRandomNode,
        ShareKeysFolder(shareKeysIn(shareKeysFolder)),
        SignaturesOpenssl,
        StaticFilesIn(configuration.pagesFolder, configuration),
        WaitsNode,
        WebhookSenderNode({ isLenient: environment === 'DEV' }),
        isCosigner ? ClaimsFile(join(cosignerFolder, 'claims')) : noClaims,
        watermarksOf(configuration),
        Layer.succeed(FailureLog, {
          write: (failure) => Effect.sync(() => log.warn(failure, 'an SDK reports a failure')),
        }),
        Layer.succeed(Rates, readAtUse.rates),
        Layer.succeed(Deployment, readAtUse.deployment),
      ),
    ),
    Layer.provideMerge(Layer.merge(clock, flowLog(log))),
  )
}

const notificationsOf = ({ database, databaseListen }: Configuration, log: Logger) => {
  // PGlite belongs to one process.
  if (database.kind === 'pglite') return notificationsOfProcess({ isAlone: true })
  return NotificationsPostgres(databaseListen ? { url: database.url, log: (message) => log.warn(message) } : undefined)
}

/** A process without the role of the co-signer may compute no round. */
const noClaims = Layer.succeed(Claims, {
  hold: () => Effect.succeed(false),
  latest: Effect.succeed([]),
  unsettled: () => Effect.succeed([]),
  over: () => Effect.succeed([]),
  settle: () => Effect.void,
  sweep: () => Effect.void,
})

/** The ports that need only a database, and tell others what they write. */
export const repositories = Layer.mergeAll(
  AuditDatabase,
  ChallengesDatabase,
  CodesDatabase,
  CosignerKeysDatabase,
  EncryptedWalletPrivateKeysDatabase,
  ExportsDatabase,
  IntentsDatabase,
  KeySharesDatabase,
  DelegationsDatabase,
  PortalSessionsDatabase,
  OtRecordsDatabase,
  OutboxDatabase,
  PartnersDatabase,
  PasskeysDatabase,
  PasswordsDatabase,
  PendingTransactionsDatabase,
  PinnedRootsDatabase,
  PoliciesDatabase,
  ProviderSharesDatabase,
  RateLimitsDatabase,
  RecoveriesDatabase,
  RecoveryPublicKeysDatabase,
  ReplaysDatabase,
  RefreshesDatabase,
  RunsDatabase,
  SessionsDatabase,
  SigningKeysDatabase,
  SpendsDatabase,
  TemporarySharesDatabase,
  TemporaryTransmissionsDatabase,
  UserMessagesDatabase,
  UsersDatabase,
  WalletsDatabase,
  WebhookEndpointsDatabase,
)

/** In DEV a lost folder is begun anew by the next co-signer. */
const folderOfCosigners = (configuration: Configuration) =>
  configuration.environment !== 'DEV' && usesCosignerFolder(configuration.roles)
    ? requireFolderOfCosigners(configuration)
    : Layer.empty

/** In DEV a new database generation begins; elsewhere an operator has to accept each loss explicitly. */
const olderFolderRefusal = (
  { environment, cosignerFolder, acceptOlderCosignerFolder }: Configuration,
  databaseGeneration: string,
): StartRefusal | undefined => {
  if (environment === 'DEV' || acceptOlderCosignerFolder === databaseGeneration) return undefined
  const message =
    `COSIGNER_FOLDER is '${cosignerFolder}', which is missing, older than the database, or not the folder of its other co-signers: ` +
    'bans and epochs that were written there since are lost, and with them what keeps a banned device from guessing again. ' +
    `Bring back the folder as it was, or accept the loss by ACCEPT_OLDER_COSIGNER_FOLDER=${databaseGeneration}.`
  return new StartRefusal({ message, of: 'configuration' })
}

const mailOf = ({ smtp, roles }: Configuration): Layer.Layer<Mail> => {
  if (smtp !== undefined) return MailSmtp(smtp)
  if (!sendsMessages(roles)) return noMail
  throw new StartRefusal({
    message: 'SMTP_URL is missing; the development mailbox comes with npm start.',
    of: 'configuration',
  })
}
