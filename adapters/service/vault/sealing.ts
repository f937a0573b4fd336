/**
 * Formats of sealed secrets, as plain functions: the vault uses them, and so do the co-signer's worker threads, which
 * open shares and seeds themselves.
 *
 *   record          1 ‖ key id 8 ‖ sealed data key 60 ‖ sealed plaintext      data key: random, one per sealing
 *   run             2 ‖ day u32 ‖ length u8 ‖ generation ‖ sealed plaintext  key: of the day, see RunKeys
 *   sharing's record  3 ‖ key id 8 ‖ sealed plaintext                         key: of both keys, see `sharingKey`
 *
 * Associated data is the row's table, id and epoch, with a tag for each kind of key. Records of a sharing are written
 * in version 3 and read in versions 1 and 3.
 */
import { randomFillSync } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../../domain/crypto/Equal.ts'
import { encode, hash, u32 } from '../../../domain/crypto/Transcript.ts'
import { offHeap, wipe } from '../../../domain/crypto/wipe.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import type { RunKeys } from './RunKeys.ts'
import { open, overhead, seal } from './seal.ts'
import type { ShareKeyFiles } from './ShareKeys.ts'

const recordVersion = 1
const runVersion = 2
const sharingVersion = 3

const keyLength = 32
const keyIdLength = 8
const headerLength = 1 + keyIdLength
const wrappedLength = keyLength + overhead

const dataKeyTag = 'tandem/vault/data-key/v1'
const recordTag = 'tandem/vault/record/v1'
const runTag = 'tandem/vault/run/v1'
const sharingKeyTag = 'tandem/vault/sharing-key/v1'
const sharingTag = 'tandem/vault/sharing/v1'

export type RecordKeys = {
  readonly keyEncryptionKey: Uint8Array
  readonly shareKeys: Pick<ShareKeyFiles, 'find' | 'findOrCreate'>
}

export const sealRecord = (keys: RecordKeys, associatedData: AssociatedData, plaintext: Uint8Array): Uint8Array => {
  const { keyEncryptionKey, shareKeys } = keys
  if (associatedData.sharing !== undefined) {
    const key = sharingKey(keyEncryptionKey, shareKeys.findOrCreate(associatedData.sharing))
    const sealed = using(key, () => seal(key, encodeAssociatedData(sharingTag, associatedData), plaintext))
    return concatBytes(Uint8Array.of(sharingVersion), keyId(keyEncryptionKey), sealed)
  }
  const dataKey = randomFillSync(offHeap(keyLength))
  return using(dataKey, () =>
    concatBytes(
      Uint8Array.of(recordVersion),
      keyId(keyEncryptionKey),
      seal(keyEncryptionKey, encodeAssociatedData(dataKeyTag, associatedData), dataKey),
      seal(dataKey, encodeAssociatedData(recordTag, associatedData), plaintext),
    ),
  )
}

export const openRecord = (
  keys: RecordKeys,
  associatedData: AssociatedData,
  sealed: Uint8Array,
): Uint8Array | undefined => {
  const { keyEncryptionKey, shareKeys } = keys
  if (!equal(sealed.subarray(1, headerLength), keyId(keyEncryptionKey))) return undefined
  const body = sealed.subarray(headerLength)
  if (sealed[0] === sharingVersion) {
    const shareKey = associatedData.sharing && shareKeys.find(associatedData.sharing)
    const key = shareKey && sharingKey(keyEncryptionKey, shareKey)
    return key && using(key, () => open(key, encodeAssociatedData(sharingTag, associatedData), body))
  }
  if (sealed[0] !== recordVersion) return undefined
  const dataKey = open(
    keyEncryptionKey,
    encodeAssociatedData(dataKeyTag, associatedData),
    body.subarray(0, wrappedLength),
  )
  return (
    dataKey &&
    using(dataKey, () => open(dataKey, encodeAssociatedData(recordTag, associatedData), body.subarray(wrappedLength)))
  )
}

/** Derives one key from both, so that neither opens anything alone. Wipes the share key. */
const sharingKey = (keyEncryptionKey: Uint8Array, shareKey: Uint8Array): Uint8Array => {
  const derived = hash(sharingKeyTag, [keyEncryptionKey, shareKey])
  const key = offHeap(keyLength)
  key.set(derived)
  wipe(derived, shareKey)
  return key
}

const using = <A>(key: Uint8Array, use: () => A): A => {
  try {
    return use()
  } finally {
    wipe(key)
  }
}

/** The generation and the day whose run key seals. */
export type RunTime = { readonly generation: string; readonly day: number }

export const sealRun = (
  runKeys: RunKeys,
  time: RunTime,
  associatedData: AssociatedData,
  plaintext: Uint8Array,
): Uint8Array => {
  const generation = Buffer.from(time.generation, 'latin1')
  const sealed = seal(
    runKeys.toSeal(time.generation, time.day),
    encodeAssociatedData(runTag, associatedData),
    plaintext,
  )
  return concatBytes(Uint8Array.of(runVersion), u32(time.day), Uint8Array.of(generation.length), generation, sealed)
}

export const openRun = (
  runKeys: RunKeys,
  generation: string,
  associatedData: AssociatedData,
  sealed: Uint8Array,
): Uint8Array | undefined => {
  if (sealed[0] !== runVersion || sealed.length < runHeaderLength) return undefined
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const bodyAt = runHeaderLength + bytes.readUInt8(runHeaderLength - 1)
  if (bytes.toString('latin1', runHeaderLength, bodyAt) !== generation) return undefined
  const key = runKeys.toOpen(generation, bytes.readUInt32BE(1))
  return key && open(key, encodeAssociatedData(runTag, associatedData), sealed.subarray(bodyAt))
}

const runHeaderLength = 6

const keyId = (keyEncryptionKey: Uint8Array): Uint8Array =>
  sha256(encode('tandem/vault/key-id/v1', [keyEncryptionKey])).subarray(0, keyIdLength)

const encodeAssociatedData = (tag: string, { table, id, epoch, sharing }: AssociatedData): Uint8Array => {
  const row = [table, id, epoch === undefined ? '' : String(epoch)]
  const isOfSharing = tag === sharingTag && sharing !== undefined
  return encode(tag, isOfSharing ? [...row, sharing.walletId, String(sharing.epoch), sharing.shareId] : row)
}
