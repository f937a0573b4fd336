/**
 * A key ring in a file (adapters/service/vault/README.md#two-rings), readable by the service's user alone and replaced
 * atomically. In DEV the first start makes one with a mark that other environments refuse; elsewhere the operator has it
 * made.
 *
 *   { "tandem": "ring/1", "ring": "service", "keys": [{ "id": hex(8), "key": hex(32), "activeFrom": ms }] }
 *
 * `rewrappedAt` of a key says when everything was sealed anew under it; `development` is the mark. Each process reads
 * the file again when it changes.
 */
import { randomBytes } from 'node:crypto'
import { statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import type { Environment } from '../../../domain/model/Environment.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { runLimits } from '../../../domain/service/Run.ts'
import { notPrivate, readKeyEncryptionKey } from './keyEncryptionKey.ts'
import { createFile, isPrivate, readKeyFile, replaceDurably, syncFolder } from './keyFile.ts'
import { KeyFileRefused } from './KeyFileRefused.ts'
import {
  activeOf,
  keyLength,
  lookEveryMs,
  ringKey,
  type FiledKey,
  type KeyRing,
  type RingKey,
  type RingStore,
} from './KeyRing.ts'

/** Where a ring is. */
export type RingFile = {
  readonly ring: Ring
  readonly path: string
  /** The one key of a deployment that has no rings yet, from `KEY_ENCRYPTION_KEY_FILE`; read while there is no file at `path`. */
  readonly before: string
  readonly environment: Environment
}

const settingOf = { service: 'SERVICE_KEYS_FILE', cosigner: 'COSIGNER_KEYS_FILE' } as const satisfies Readonly<
  Record<Ring, string>
>

/** The port filled by a file. */
export const ringStoreIn = (ringFile: RingFile): RingStore => ({
  ring: ringFile.ring,
  at: ringFile.path,
  open: () => settled(() => ringAt(ringFile)),
  read: () => settled(() => readRing(ringFile)),
  replace: (keys) => settled(() => replaceRing(ringFile, keys)),
})

/** What is thrown rejects. */
const settled = <A>(use: () => A): Promise<A> => new Promise((resolve) => resolve(use()))

/**
 * The ring, read now and again whenever the file is another one. A file that becomes unreadable while the process runs
 * changes nothing: the keys that it had last stay. Throws `KeyFileRefused` if it cannot be read now.
 */
export const ringAt = (ringFile: RingFile): KeyRing => {
  let seen = versionOf(ringFile)
  let filed = readRing(ringFile)
  let keys: readonly RingKey[] = filed ?? readBefore(ringFile)
  let lookedAt = performance.now()
  let takesRunsOfBeforeUntil = filed === undefined ? Infinity : -Infinity

  const look = () => {
    lookedAt = performance.now()
    const version = versionOf(ringFile)
    // Once there was a ring, the key of before is none.
    if (version === seen || version === undefined) return
    try {
      const read = readRing(ringFile)
      // Another process may see it later, and seals without it until then.
      if (filed === undefined && read !== undefined) takesRunsOfBeforeUntil = lookedAt + lookEveryMs + runLimits.life
      filed = read ?? filed
      keys = filed ?? keys
      seen = version
    } catch (cause) {
      if (!(cause instanceof KeyFileRefused)) throw cause
    }
  }
  const current = () => {
    if (performance.now() - lookedAt >= lookEveryMs) look()
    return keys
  }
  const among = (id: string) => current().find((key) => key.id === id)
  const active = () => {
    const key = activeOf(current(), Date.now())
    if (key === undefined) throw new Error(`${ringFile.path} has no keys`)
    return key
  }
  return {
    keys: current,
    isFiled: () => {
      current()
      return filed !== undefined
    },
    takesRunsOfBefore: () => {
      current()
      return performance.now() < takesRunsOfBeforeUntil
    },
    active,
    find: (id) => {
      const known = among(id)
      if (known !== undefined) return known
      look()
      return among(id)
    },
  }
}

/** The keys in the file; `undefined` if there is no file. Throws `KeyFileRefused` if it is not one for here. */
export const readRing = (ringFile: RingFile): readonly [FiledKey, ...FiledKey[]] | undefined => {
  const { path, ring, environment } = ringFile
  const refuse = (what: string) => new KeyFileRefused(settingOf[ring], path, what)
  const text = textIn(path, refuse)
  if (text === undefined) return undefined
  const read = parse(text)
  if (read === undefined) throw refuse('is not a key ring of this version')
  if (read.ring !== ring) throw refuse(`is the ring '${String(read.ring)}', not '${ring}'`)
  if (read.isDevelopment && environment !== 'DEV')
    throw refuse(`holds development keys, which ${environment} does not accept`)
  if (environment !== 'DEV' && !isPrivate(path)) throw refuse(notPrivate)
  return read.keys
}

/** The file of another user or machine is no bug. */
const textIn = (path: string, refuse: (what: string) => KeyFileRefused): string | undefined => {
  try {
    return readKeyFile(path)
  } catch (cause) {
    throw refuse(`cannot be read: ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}`)
  }
}

const readBefore = (ringFile: RingFile): readonly RingKey[] => {
  const { ring, path, before, environment } = ringFile
  const key = readKeyEncryptionKey(before, environment)
  if (key !== undefined) return [ringKey(key, 0)]
  const what = 'does not exist: bring it back from its copy, or, for a new deployment, run `tandem kek create`'
  throw new KeyFileRefused(settingOf[ring], path, what)
}

/** Makes a ring of one new key, unless there is a file. Processes that do so at once all get the same one. */
export const createRing = (ringFile: RingFile, key: Uint8Array = randomBytes(keyLength)): void => {
  createFile(ringFile.path, textOf(ringFile, [ringKey(key, 0)]))
  syncFolder(dirname(ringFile.path))
}

/** In the place of the one that is there. */
export const replaceRing = (ringFile: RingFile, keys: readonly FiledKey[]): void =>
  replaceDurably(ringFile.path, textOf(ringFile, keys))

const textOf = ({ ring, environment }: RingFile, keys: readonly FiledKey[]): string => {
  const held = keys.map(({ id, key, ...times }) => ({ id, key: bytesToHex(key), ...times }))
  const mark = environment === 'DEV' ? { development: true } : {}
  return `${JSON.stringify({ tandem: 'ring/1', ring, ...mark, keys: held }, undefined, 2)}\n`
}

/** What tells one file from another at the same path; `undefined` if there is none. */
const versionOf = ({ path }: RingFile): string | undefined => {
  const stats: Stats | undefined = statSync(path, { throwIfNoEntry: false })
  return stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join('/')
}

type ReadFile = {
  readonly ring: unknown
  readonly isDevelopment: boolean
  readonly keys: readonly [FiledKey, ...FiledKey[]]
}

const parse = (text: string): ReadFile | undefined => {
  const json = parsed(text)
  if (!isRecord(json) || json['tandem'] !== 'ring/1' || !Array.isArray(json['keys'])) return undefined
  const listed: readonly unknown[] = json['keys']
  const keys = listed.map(parseKey)
  const [first, ...rest] = keys.filter((key) => key !== undefined)
  if (first === undefined || rest.length + 1 !== keys.length) return undefined
  const isInOrder = rest.every(({ activeFrom }, index) => activeFrom > ([first, ...rest][index]?.activeFrom ?? 0))
  if (!isInOrder) return undefined
  return { ring: json['ring'], isDevelopment: json['development'] === true, keys: [first, ...rest] }
}

const parseKey = (json: unknown): FiledKey | undefined => {
  if (!isRecord(json) || typeof json['key'] !== 'string') return undefined
  const key = fromHex(json['key'], keyLength)
  const { activeFrom, rewrappedAt } = json
  if (key === undefined || !isTime(activeFrom) || !(rewrappedAt === undefined || isTime(rewrappedAt))) return undefined
  const read = ringKey(key, activeFrom)
  if (read.id !== json['id']) return undefined
  return rewrappedAt === undefined ? read : { ...read, rewrappedAt }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> => typeof json === 'object' && json !== null

const isTime = (json: unknown): json is number => Number.isSafeInteger(json) && Number(json) >= 0
