/**
 * `tandem kek`: the key rings of the deployment that this environment configures, beside its processes or before they
 * start (adapters/service/vault/README.md#rotation).
 */
import { existsSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { recordChange, type ReasonRequired } from '../../domain/service/operator.ts'
import type { AuditEntry } from '../../domain/service/ports/Audit.ts'
import { Deployment } from '../../domain/service/ports/Deployment.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { readConfiguration, type Configuration } from '../service/config.ts'
import { AuditDatabase } from '../service/database/Audit.ts'
import type { Database } from '../service/database/Database.ts'
import { deploymentOf } from '../service/deploymentOf.ts'
import { SecureRandomNode } from '../service/node/SecureRandom.ts'
import type { Variables } from '../service/settings.ts'
import type { StartRefusal } from '../service/StartRefusal.ts'
import { KeyFileRefused } from '../service/vault/KeyFileRefused.ts'
import { createRing, readRing, ringStoreIn } from '../service/vault/ringFile.ts'
import {
  hasNoKey,
  retireKey,
  ringStatus,
  rotateRing,
  usualWaits,
  type KeyStatus,
  type RotationRefused,
  type Waits,
} from '../service/vault/rotation.ts'
import { shareKeysIn } from '../service/vault/ShareKeys.ts'
import { splitKeys } from '../service/vault/splitKeys.ts'
import { ringFilesOf, shareKeysOf } from '../service/vault/vaultOf.ts'
import { counted } from '../service/counted.ts'
import { onDatabase, refused, requireCosignerFolder, wrongConfiguration } from './deployment.ts'
import type { Ended, Finding, Problem } from './Verb.ts'

/** `reason`: for the audit. */
type Given = { readonly variables: Variables; readonly reason: string | undefined }

type Retired = { readonly ring: Ring; readonly id: string; readonly abandoned: number }

/** Each key of both rings, and what needs it. */
export const kekStatus = (variables: Variables): Ended =>
  onRings(variables, (configuration) =>
    Effect.gen(function* () {
      const service = yield* ringStatus(ofRing(configuration, 'service'))
      const cosigner = yield* ringStatus(ofRing(configuration, 'cosigner'))
      const text = [...linesOf('service', service), ...linesOf('cosigner', cosigner)].join('\n')
      return { exitCode: 0, text, data: { service, cosigner } }
    }),
  )

/** `progress`: how many records are sealed anew so far, after each batch. */
export const rotateKek = (
  given: Given,
  ring: Ring,
  progress?: (rewrapped: number) => void,
  waits: Waits = usualWaits,
): Ended =>
  changing(given, { event: 'ring.rotation', subject: ring }, (configuration) =>
    Effect.map(rotateRing(ofRing(configuration, ring), waits, progress), (rotated) => {
      const { id, rewrapped, left, capsules } = rotated
      const lines = [
        `Key ${id} of the ring '${ring}' is active. Sealed anew: ${counted(rewrapped, 'record')}.`,
        ...(left > 0 ? [`Under their old keys, because they could not be opened: ${counted(left, 'record')}.`] : []),
        ...(capsules > 0 ? [`Under older keys until their devices sign: ${counted(capsules, 'capsule')}.`] : []),
      ]
      return { exitCode: 0, text: lines.join('\n'), data: rotated }
    }),
  )

/** `abandoned`: how many capsules of devices may be given up with the key. */
export const retireKek = (given: Given, { ring, id, abandoned }: Retired, waits: Waits = usualWaits): Ended =>
  changing(given, { event: 'ring.retirement', subject: ring, detail: { key: id, abandoned } }, (configuration) =>
    Effect.as(retireKey(ofRing(configuration, ring), id, waits, abandoned), {
      exitCode: 0,
      text: `Key ${id} is no longer in the ring '${ring}'. ${keepCopy}`,
      data: { ring, id },
    }),
  )

const keepCopy =
  'Keep a copy of the ring that has it for as long as a backup from before the rotation, apart from that backup; then destroy it.'

/** Why a key cannot be retired whatever the answer is; undefined also where only the verb finds out. */
export const knownNotRetirable = (variables: Variables, ring: Ring, id: string): Problem | undefined => {
  const configuration = Result.getOrUndefined(readConfiguration(variables))
  if (configuration === undefined) return undefined
  try {
    const keys = readRing(ringFilesOf(configuration)[ring])
    return keys === undefined || keys.some((key) => key.id === id) ? undefined : refusedRotation(hasNoKey(ring, id))
  } catch (cause) {
    if (cause instanceof KeyFileRefused) return undefined
    throw cause
  }
}

/** Makes both rings from the one key of an earlier version. Called again until nothing is waited for. */
export const splitKek = (given: Given, progress?: (rewrapped: number) => void, waits: Waits = usualWaits): Ended =>
  changing(given, { event: 'ring.split' }, (configuration) => {
    const files = ringFilesOf(configuration)
    const shareKeys = shareKeysIn(shareKeysOf(configuration))
    return Effect.map(splitKeys(files, shareKeys, waits, progress), (split) => {
      const text =
        split.waiting === undefined
          ? `Key ${split.id} is in the ring of the co-signer alone. Remove KEY_ENCRYPTION_KEY_FILE from every machine, then rotate the ring 'cosigner'.`
          : `Both rings are in use, and key ${split.id} is still in that of the service; call this again. ${split.waiting}`
      return { exitCode: 0, text, data: split }
    })
  })

/** Makes the rings of a deployment that is new. Refused where there is a ring, or a key of an earlier version. */
export const createKek = (variables: Variables): Result.Result<Finding, Problem> =>
  Result.flatMap(
    Result.mapError(readConfiguration(variables), ({ message }) => wrongConfiguration(message)),
    (configuration): Result.Result<Finding, Problem> => {
      const { service, cosigner } = ringFilesOf(configuration)
      const found = [service.path, cosigner.path, service.before].find((path) => existsSync(path))
      if (found !== undefined) return Result.fail(refused(`${found} exists; new keys beside it would open nothing.`))
      createRing(service)
      createRing(cosigner)
      const ids = { service: readRing(service)?.[0].id, cosigner: readRing(cosigner)?.[0].id }
      const text = `Made ${service.path} and ${cosigner.path}. Back both up, apart from the database and from each other.`
      return Result.succeed({ exitCode: 0, text, data: ids })
    },
  )

const ofRing = (configuration: Configuration, ring: Ring) => ({
  store: ringStoreIn(ringFilesOf(configuration)[ring]),
  shareKeys: shareKeysIn(shareKeysOf(configuration)),
})

/** Its record comes first: a change of a ring is under way from then on, however it ends. */
const changing = (
  { variables, reason }: Given,
  entry: AuditEntry,
  flow: (configuration: Configuration) => Effect.Effect<Finding, RotationRefused | StartRefusal, Database>,
): Ended =>
  onRings(variables, (configuration) =>
    Effect.andThen(
      recordChange(entry, reason).pipe(
        Effect.provide(Layer.merge(AuditDatabase, Layer.succeed(Deployment, deploymentOf(configuration)))),
        Effect.provide(SecureRandomNode),
      ),
      flow(configuration),
    ),
  )

/** Without the layers of other verbs: in DEV their vault would split the key by itself. */
const onRings = (
  variables: Variables,
  flow: (
    configuration: Configuration,
  ) => Effect.Effect<Finding, RotationRefused | StartRefusal | ReasonRequired, Database>,
): Ended => onDatabase({ variables }, flow, refusedRotation, requireFolder)

const refusedRotation = ({ message, fix }: RotationRefused): Problem => refused(message, fix)

const requireFolder = requireCosignerFolder('Share keys are kept there: give the folder of the co-signers.')

const linesOf = (ring: Ring, keys: readonly KeyStatus[]): readonly string[] =>
  keys.map(({ id, activeFrom, isActive, needs }) => {
    const since = activeFrom === 0 ? 'the first' : `from ${new Date(activeFrom).toISOString()}`
    const counts = needs
      .map(({ of, count }) => (of === 'capsules' ? counted(count, 'capsule') : `${count} ${of}`))
      .join(', ')
    return `${ring.padEnd(8)}  ${id}  ${since}${isActive ? ', active' : ''}  ${counts || 'needed by nothing'}`
  })
