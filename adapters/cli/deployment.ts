/** Runs a flow of an operator on the deployment that this environment configures, as the service's processes read it. */
import { existsSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { ReasonRequired } from '../../domain/service/operator.ts'
import type { Audit } from '../../domain/service/ports/Audit.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import { readConfiguration, usesCosignerFolder, type Configuration } from '../service/config.ts'
import { AuditDatabase } from '../service/database/Audit.ts'
import { DatabaseUnavailable, type Database } from '../service/database/Database.ts'
import { databaseAt } from '../service/database/open.ts'
import { databaseOf, deploymentOf } from '../service/deploymentOf.ts'
import { SecureRandomNode } from '../service/node/SecureRandom.ts'
import { operatorLayers } from '../service/operatorLayers.ts'
import type { Variables } from '../service/settings.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { requireFolderOfCosigners } from '../service/vault/folderOfCosigners.ts'
import { fenceFileOf } from '../service/vault/vaultOf.ts'
import { environment, type Problem } from './Verb.ts'

type Services = Layer.Success<ReturnType<typeof operatorLayers>>

/** What keeps a verb from beginning; the database is not opened then. A verb that has one needs the folder of its co-signers. */
export type Require = (configuration: Configuration) => Problem | undefined

type Options = {
  /** With the co-signer's ring. */
  readonly asCosigner?: boolean
  readonly require?: Require
}

/** Fails with what keeps the flow from being done: of its own refusals `problemOf` says what they are. */
export const onDeployment = <A, E>(
  given: { readonly variables: Variables },
  flow: Effect.Effect<A, E | ReasonRequired, Services>,
  problemOf: (refusal: E) => Problem,
  { asCosigner = false, require }: Options = {},
): Promise<Result.Result<A, Problem>> =>
  onDatabase(
    given,
    (configuration) => Effect.provide(flow, operatorLayers(configuration, { asCosigner })),
    problemOf,
    require,
  )

/** The same for a flow that makes its own layers over the database. */
export const onDatabase = async <A, E>(
  { variables }: { readonly variables: Variables },
  flow: (configuration: Configuration) => Effect.Effect<A, E | ReasonRequired | StartRefusal, Database>,
  problemOf: (refusal: E) => Problem,
  require?: Require,
): Promise<Result.Result<A, Problem>> => {
  const read = readConfiguration(variables)
  if (Result.isFailure(read)) return Result.fail(wrongConfiguration(read.failure.message))
  const configuration = read.success
  const kept = require?.(configuration)
  if (kept !== undefined) return Result.fail(kept)
  return Effect.runPromise(
    flow(configuration).pipe(
      Effect.provide(require === undefined ? Layer.empty : requireFolderOfCosigners(configuration)),
      Effect.mapError((refusal) => {
        if (refusal instanceof ReasonRequired) return needsReason(refusal)
        return refusal instanceof StartRefusal ? notOpened(refusal.message) : problemOf(refusal)
      }),
      Effect.provide(databaseOf(configuration)),
      Effect.mapError((cause) => (cause instanceof StartRefusal ? unreachable(cause.message) : cause)),
      Effect.catchDefect((defect) =>
        defect instanceof DatabaseUnavailable ? Effect.fail(unreachable(defect.message)) : Effect.die(defect),
      ),
      Effect.result,
    ),
  )
}

/** What is recorded beside a change that is no flow of the deployment's, over a database whose schema is this version's. */
export const onAudit = <A, E>(configuration: Configuration, flow: Effect.Effect<A, E, Audit | Deployment>) =>
  flow.pipe(
    Effect.provide(Layer.provide(AuditDatabase, databaseAt(configuration.database, { migrates: false }))),
    Effect.provide(SecureRandomNode),
    Effect.provideService(Deployment, deploymentOf(configuration)),
  )

/** `why`: a sentence that says what the verb has to do with the co-signers' folder. */
export const requireCosignerFolder =
  (why: string): Require =>
  (configuration) => {
    if (existsSync(fenceFileOf(configuration))) return undefined
    const message = `COSIGNER_FOLDER is '${configuration.cosignerFolder}', where no co-signer has run. ${why}`
    return { code: 'configuration', message, fix: 'Give the settings of the deployment.' }
  }

/** Of verbs that read the marks there, which a process of other roles does not open. */
export const requireRoleWithFolder: Require = ({ roles }) => {
  if (usesCosignerFolder(roles)) return undefined
  const message =
    'These settings are of a process that has neither the role api nor cosigner, and so no COSIGNER_FOLDER.'
  return { code: 'configuration', message, fix: 'Give the settings of the whole deployment.' }
}

export const wrongConfiguration = (message: string): Problem => ({
  code: 'configuration',
  message,
  fix: ({ file, variables, from }) => {
    if (message.startsWith('--role ')) return 'Give roles that the sentence names.'
    if (file === undefined)
      return 'Give the command the settings of the service: --config FILE, or the same environment variables.'
    const [name = ''] = /^[A-Z0-9_]+/.exec(message) ?? []
    const isOfEnvironment = (variables[name]?.trim() ?? '') !== '' && from(name) === environment
    const [set, may] = namesSeveral(message) ? ['Set them', 'each may'] : ['Set it', 'it may']
    return `${set} in ${isOfEnvironment ? `the environment, which comes before ${file}` : file}; \`tandem config docs\` says what ${may} be.`
  },
})

/** Whether a refusal of the configuration is about more than one setting. */
export const namesSeveral = (message: string): boolean => /^[A-Z0-9_]+, /.test(message)

/** What a setting names beside the database, as a key ring, is not there or not of this database. */
const notOpened = (message: string): Problem => ({
  code: 'configuration',
  message,
  fix: ({ file }) =>
    file === undefined
      ? 'Give the settings of the service, as --config FILE; `tandem doctor` has more.'
      : 'tandem doctor',
})

export const unreachable = (message: string): Problem => ({
  code: 'unreachable',
  message,
  fix: isOfOtherProcess(message)
    ? 'Stop that process first: PGlite belongs to one. On PostgreSQL (DATABASE_URL) commands work beside the service.'
    : 'See that the database runs, and that the settings are those of the service.',
})

/** Whether the sentence says that another process has the PGlite of the deployment. */
const isOfOtherProcess = (message: string): boolean => message.includes('is in use by process')

/** What the domain's own sentence refuses. */
export const refused = (
  message: string,
  fix = 'See what the sentence names, and that the settings are those of the service.',
): Problem => ({ code: 'refused', message, fix })

export const needsReason = ({ message }: ReasonRequired): Problem => ({
  code: 'refused',
  message: sentenceOf(message),
  fix: 'Add --reason "why it is changed".',
})

/** The message of a refusal of the domain, as a sentence. */
export const sentenceOf = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
