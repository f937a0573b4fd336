/** `tandem backup`, `verify backup` and `restore`: copies of a deployment, encrypted to a key of the operator's. */
import { existsSync, statSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { recordChange, requireReason, ReasonRequired } from '../../domain/service/operator.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import { BackupRefused, readBackup, writeBackup, type Header, type Part } from '../service/backup/BackupFile.ts'
import { partsOf, requireOwnSchema, restoreInto, verifyBackup, type Counts } from '../service/backup/copying.ts'
import { rightsIn, type Rights } from '../service/backup/rights.ts'
import { backupEvent } from '../service/backup/tables.ts'
import { readConfiguration, type Configuration } from '../service/config.ts'
import { migrationNames } from '../service/database/migrations/index.ts'
import { migrateAt, onConnection } from '../service/database/open.ts'
import { deploymentOf } from '../service/deploymentOf.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { fenceFileAt } from '../service/vault/fenceFile.ts'
import { isOfDatabase, notOfDatabase } from '../service/vault/folderOfCosigners.ts'
import { createFile } from '../service/vault/keyFile.ts'
import { fenceFileOf, ringFilesOf } from '../service/vault/vaultOf.ts'
import { counted } from '../service/counted.ts'
import { needsReason, onAudit, requireCosignerFolder, unreachable, wrongConfiguration } from './deployment.ts'
import type { Call, Ended, Problem } from './Verb.ts'

export const makeBackupKey = async ({ given: [file = ''] }: Call): Ended => {
  if (existsSync(file)) return refused(`${file} exists, and is not overwritten.`, 'Give another path.')
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  createFile(file, `# public key: ${recipient}\n${identity}\n`)
  const text = `Wrote ${file}. Keep it apart from this machine: it alone opens backups.\nBackups are made for ${recipient}`
  return Result.succeed({ exitCode: 0, text, data: { file, recipient } })
}

const requireFolder = requireCosignerFolder('Its marks belong to the backup: give the folder of the co-signers.')

export const backup = ({ variables, given: [file = ''], options }: Call): Ended =>
  withConfiguration(variables, async (configuration) => {
    const kept = requireFolder(configuration)
    if (kept !== undefined) return Result.fail(kept)
    if (existsSync(file)) return refused(`${file} exists, and is not overwritten.`, 'Give another path.')
    const { database, environment, cosignerName, cosignerFolder } = configuration
    const header: Header = { environment, cosignerName, madeAt: Date.now(), migrations: migrationNames() }
    const copying = onConnection(database, 'copied', (kysely) =>
      refusals(async () => {
        await requireOwnSchema(kysely)
        const row = await kysely.selectFrom('incarnation').select('id').executeTakeFirst()
        if (!isOfDatabase(configuration, row?.id)) throw new BackupRefused({ message: notOfDatabase(configuration) })
        await writeBackup(file, options('recipient') ?? [], header, partsOf(kysely, cosignerFolder))
      }),
    )
    const copied = await run(Effect.flatMap(copying, Effect.fromResult))
    if (Result.isFailure(copied)) return Result.fail(copied.failure)
    const record = Effect.flatMap(Audit, (audit) => audit.record({ event: backupEvent, detail: { actor: 'operator' } }))
    const recorded = await run(onAudit(configuration, record))
    if (Result.isFailure(recorded)) return Result.fail(recorded.failure)
    const { size } = statSync(file)
    const text = `Wrote ${file}, ${size} bytes. Check it with tandem verify backup; copy the key rings and the settings apart from it.`
    return Result.succeed({ exitCode: 0, text, data: { file, bytes: size, madeAt: header.madeAt } })
  })

export const verify = async ({ given: [file = ''], option, readFile }: Call): Ended => {
  const identity = await identityIn(readFile, option('identity') ?? '')
  if (Result.isFailure(identity)) return Result.fail(identity.failure)
  const verified = await refusals(() =>
    readBackup(file, identity.success, async (header, parts) => ({
      header,
      counts: await verifyBackup(header, parts),
    })),
  )
  if (Result.isSuccess(verified)) {
    const { header, counts } = verified.success
    const { environment, madeAt } = header
    const text = `${file} is a whole backup of ${environment}, made at ${timeOf(header)}: ${countsOf(counts)}.`
    return Result.succeed({ exitCode: 0, text, data: { environment, madeAt, ...counts } })
  }
  const { message } = verified.failure
  return Result.succeed({ exitCode: 6, text: message, data: { problems: [message] } })
}

/**
 * In this order: the rings are there, the newest folder of the co-signers is there or given up, the database is empty. What was
 * lost of the folder is said by `--fence` alone. In either case the folder's marks rise to those of the backup.
 */
export const restore = (call: Call): Ended =>
  withConfiguration(call.variables, async (configuration) => {
    const { given, option, flag, reason, readFile } = call
    const [file = ''] = given
    const isFencing = flag('fence')
    const identity = await identityIn(readFile, option('identity') ?? '')
    if (Result.isFailure(identity)) return Result.fail(identity.failure)
    const reasoned = await run(Effect.provideService(requireReason(reason), Deployment, deploymentOf(configuration)))
    if (Result.isFailure(reasoned)) return Result.fail(reasoned.failure)
    const { service, cosigner } = ringFilesOf(configuration)
    const ring = [service, cosigner].find(({ path }) => !existsSync(path))
    if (ring !== undefined)
      return refused(
        `There is no key ring at ${ring.path}: without it the backup stays sealed.`,
        'Bring it back first.',
      )
    const opened = await refusals(() =>
      readBackup(file, identity.success, (header, parts) => restoreFrom(header, parts, configuration, isFencing)),
    )
    if (Result.isFailure(opened)) return Result.fail(problemOf(opened.failure))
    if (Result.isFailure(opened.success)) return Result.fail(opened.success.failure)
    const { header, counts, rights } = opened.success.success
    const detail = { madeAt: header.madeAt, ...counts, fence: isFencing, ...rights }
    const recorded = await run(onAudit(configuration, recordChange({ event: 'database.restored', detail }, reason)))
    if (Result.isFailure(recorded)) return Result.fail(recorded.failure)
    const text = `Restored the backup of ${timeOf(header)}: ${countsOf(counts)}.\n${cameBack(header, rights)}\nThen tandem doctor, and tandem start.`
    return Result.succeed({ exitCode: 0, text, data: detail })
  })

const restoreFrom = async (
  header: Header,
  parts: AsyncIterable<Part>,
  configuration: Configuration,
  isFencing: boolean,
): Promise<Result.Result<{ readonly header: Header; readonly counts: Counts; readonly rights: Rights }, Problem>> => {
  const { environment, database, cosignerName, cosignerFolder } = configuration
  if (header.environment !== environment)
    return refused(
      `The backup is of ${header.environment}, and these settings of ${environment}.`,
      'Give the settings of the deployment that it is of.',
    )
  if (header.cosignerName !== cosignerName)
    return refused(
      `COSIGNER_NAME is '${cosignerName}', and the backup is of '${header.cosignerName}', whose name every share has in it.`,
      `COSIGNER_NAME=${header.cosignerName}`,
    )
  const fenceFile = fenceFileOf(configuration)
  const hasFolder = wasRaised(fenceFile)
  if (!hasFolder && !isFencing)
    return refused(
      `There is no whole folder of the co-signers at ${cosignerFolder}: its file \`incarnation\` is missing, as in a mirror, or no co-signer has raised it, as after a restore that failed. Locks since ${timeOf(header)} and keys of shares that are not in it would be lost.`,
      'Bring the newest folder back, or add --fence: wallets then come back from the devices that made their shares.',
    )
  const fence = isFencing ? fenceFileAt(fenceFile) : undefined
  const restoring = onConnection(database, 'restored', (kysely) =>
    refusals(async () => ({
      counts: await restoreInto(kysely, { header, parts, folder: cosignerFolder, fence }),
      rights: await rightsIn(kysely, Date.now()),
    })),
  )
  const restored = await run(Effect.flatMap(Effect.andThen(migrateAt(database), restoring), Effect.fromResult))
  return Result.map(restored, (came) => ({ header, ...came }))
}

/** Whether a co-signer has raised the fence in this file. */
const wasRaised = (fenceFile: string): boolean => {
  try {
    return (fenceFileAt(fenceFile).read()?.done ?? 0) > 0
  } catch {
    return false
  }
}

const withConfiguration = (variables: Call['variables'], use: (configuration: Configuration) => Ended): Ended => {
  const configuration = readConfiguration(variables)
  if (Result.isSuccess(configuration)) return use(configuration.success)
  return Promise.resolve(Result.fail(wrongConfiguration(configuration.failure.message)))
}

const identityIn = async (readFile: Call['readFile'], file: string): Promise<Result.Result<string, Problem>> => {
  const text = await readFile(file).catch(() => undefined)
  if (text !== undefined) return Result.succeed(text)
  return refused(`${file} cannot be read.`, 'Give the path of the file that tandem backup-key made.')
}

/** Other failures are of the database, or defects. */
const refusals = async <A>(use: () => Promise<A>): Promise<Result.Result<A, BackupRefused>> => {
  try {
    return Result.succeed(await use())
  } catch (cause) {
    if (cause instanceof BackupRefused) return Result.fail(cause)
    throw cause
  }
}

const run = async <A>(
  flow: Effect.Effect<A, BackupRefused | StartRefusal | ReasonRequired>,
): Promise<Result.Result<A, Problem>> =>
  Result.mapError(await Effect.runPromise(Effect.result(flow)), (refusal) => {
    if (refusal instanceof StartRefusal) return unreachable(refusal.message)
    return refusal instanceof ReasonRequired ? needsReason(refusal) : problemOf(refusal)
  })

const problemOf = ({ message }: BackupRefused): Problem => ({
  code: 'refused',
  message,
  fix: 'See what the sentence names; nothing was changed.',
})

const refused = (message: string, fix: string): Result.Result<never, Problem> =>
  Result.fail({ code: 'refused', message, fix })

const timeOf = ({ madeAt }: Header): string => new Date(madeAt).toISOString()

/** What the operator does again: the copy does not know what was ended since. */
const cameBack = (header: Header, { sessions, delegations, recoveries, apiKeys }: Rights): string =>
  `Valid again as the copy has them: sessions ${sessions}, delegated sessions ${delegations}, open recoveries ${recoveries}, API keys ${apiKeys}. ` +
  `What was ended, revoked, replaced or frozen after ${timeOf(header)} is as it was before. Do it again before the start: ` +
  'tandem partner keys revoke, tandem partner freeze, tandem users freeze, tandem users end-sessions.'

const countsOf = ({ rows, files }: Counts): string => `${counted(rows, 'row')} and ${counted(files, 'file')}`
