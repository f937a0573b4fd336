/** The vault of a process: the rings of its roles, and the MAC key of its database. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { usesCosignerFolder, type Configuration } from '../config.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { destroyKeyFile, readKeyFile } from './keyFile.ts'
import { orRefused } from './KeyFileRefused.ts'
import { macKeyOf } from './macKey.ts'
import { copyPolicies } from './policyCopies.ts'
import type { KeyRing, Rings, RingStore } from './KeyRing.ts'
import { createRing, ringStoreIn } from './ringFile.ts'
import type { RunKeys } from './RunKeys.ts'
import { shareKeysIn, type ShareKeyFiles } from './ShareKeys.ts'
import { splitKeys, type RingFiles } from './splitKeys.ts'
import { VaultOf } from './Vault.ts'
import { noWatermarks, WatermarksFile } from './Watermarks.ts'

export type VaultSettings = Pick<
  Configuration,
  'environment' | 'cosignerFolder' | 'serviceKeysFile' | 'cosignerKeysFile' | 'keyEncryptionKeyFile'
>

export const ringFilesOf = (configuration: VaultSettings): RingFiles => {
  const { environment, serviceKeysFile, cosignerKeysFile, keyEncryptionKeyFile: before } = configuration
  return {
    service: { ring: 'service', path: serviceKeysFile, before, environment },
    cosigner: { ring: 'cosigner', path: cosignerKeysFile, before, environment },
  }
}

export const fenceFileOf = ({ cosignerFolder }: VaultSettings): string => join(cosignerFolder, 'incarnation')

export const runKeysOf = ({ cosignerFolder }: VaultSettings): string => join(cosignerFolder, 'run-keys')

export const shareKeysOf = ({ cosignerFolder }: VaultSettings): string => join(cosignerFolder, 'share-keys')

export const watermarksOf = ({ roles, cosignerFolder }: Configuration) =>
  usesCosignerFolder(roles) ? WatermarksFile(join(cosignerFolder, 'watermarks')) : noWatermarks

type VaultParts = {
  readonly isCosigner: boolean
  readonly runKeys: RunKeys
  /** In files of the configuration, unless another place has them. */
  readonly stores?: RingStores | undefined
  readonly warn?: (message: string) => void
}

/** Where the rings of a deployment rest. */
export type RingStores = { readonly [R in Ring]: RingStore }

export const ringStoresOf = (configuration: VaultSettings): RingStores => {
  const { service, cosigner } = ringFilesOf(configuration)
  return { service: ringStoreIn(service), cosigner: ringStoreIn(cosigner) }
}

/** The rings as the vault opened them. */
export class OpenedRings extends Context.Service<OpenedRings, Rings>()('tandem/service/OpenedRings') {}

/** Fails with a `StartRefusal` if a ring that the process needs is not there, or is another deployment's. */
export const vaultOf = (
  configuration: VaultSettings,
  { isCosigner, runKeys, stores, warn = () => undefined }: VaultParts,
) => {
  const files = ringFilesOf(configuration)
  const from = stores ?? ringStoresOf(configuration)
  const shareKeys = shareKeysIn(shareKeysOf(configuration))
  const vault = Effect.gen(function* () {
    if (configuration.environment === 'DEV' && stores === undefined)
      yield* makeDevelopmentRings(files, isCosigner, shareKeys)
    const service = yield* opened(from.service)
    const cosigner = isCosigner ? yield* opened(from.cosigner) : undefined
    if (!service.isFiled()) warn(notSplit)
    const macKey = yield* macKeyOf(service)
    if (cosigner !== undefined) yield* copyPolicies({ service, cosigner })
    const rings = { service, cosigner }
    return Layer.merge(VaultOf({ rings, macKey, runKeys, shareKeys }), Layer.succeed(OpenedRings, rings))
  })
  return Layer.unwrap(vault)
}

const notSplit =
  'There are no key rings yet: KEY_ENCRYPTION_KEY_FILE opens everything in every process until `tandem kek split` has run.'

/** What protects the keys, for the log of a start. */
export const protectionOf = (
  { environment, serviceKeysFile, cosignerKeysFile, keyEncryptionKeyFile }: VaultSettings,
  isCosigner: boolean,
): string => {
  if (environment === 'DEV') return `keys made for development in ${serviceKeysFile}`
  const rings = isCosigner ? [serviceKeysFile, cosignerKeysFile] : [serviceKeysFile]
  const files = existsSync(serviceKeysFile) ? rings : [keyEncryptionKeyFile]
  return `${files.join(' and ')}, which only the user of this process can read`
}

/** In DEV nothing of another version runs beside this one, so the key of before goes at once. */
const makeDevelopmentRings = Effect.fnUntraced(function* (
  files: RingFiles,
  isCosigner: boolean,
  shareKeys: ShareKeyFiles,
) {
  const { before } = files.service
  if (readKeyFile(before) === undefined) {
    createRing(files.service)
    if (isCosigner) createRing(files.cosigner)
    return
  }
  if (!isCosigner) return
  const { waiting } = yield* Effect.mapError(
    splitKeys(files, shareKeys, { activeInMs: 0, settleMs: 0 }),
    ({ message }) => new StartRefusal({ message }),
  )
  if (waiting === undefined) destroyKeyFile(before)
})

const opened = (store: RingStore): Effect.Effect<KeyRing, StartRefusal> =>
  Effect.catch(
    Effect.tryPromise({ try: () => store.open(), catch: (cause) => cause }),
    orRefused((message) => new StartRefusal({ message, of: 'configuration' })),
  )
