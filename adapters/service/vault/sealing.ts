/**
 * How secrets rest, as plain functions: the vault uses them, and so do the co-signer's worker threads, which open shares
 * and seeds themselves (design 8.21). What is written:
 *
 *   record   1 ‖ key id 8 ‖ sealed data key 60 ‖ sealed plaintext      data key: random, one per sealing
 *   run      2 ‖ day u32 ‖ length u8 ‖ incarnation ‖ sealed plaintext  key: of the day, see RunKeys
 *
 * Associated data is the place, with a tag that tells the two keys of a record apart.
 */
import { randomFillSync } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../../domain/crypto/Equal.ts'
import { encode, u32 } from '../../../domain/crypto/Transcript.ts'
import { offHeap, wipe } from '../../../domain/crypto/wipe.ts'
import type { Place } from '../../../domain/service/ports/Vault.ts'
import type { RunKeys } from './RunKeys.ts'
import { open, overhead, seal } from './seal.ts'

const recordVersion = 1
const runVersion = 2

const keyLength = 32
const keyIdLength = 8
const wrappedLength = keyLength + overhead

const dataKeyTag = 'tandem/vault/data-key/v1'
const recordTag = 'tandem/vault/record/v1'
const runTag = 'tandem/vault/run/v1'

export const sealRecord = (keyEncryptionKey: Uint8Array, place: Place, plaintext: Uint8Array): Uint8Array => {
  const dataKey = randomFillSync(offHeap(keyLength))
  try {
    return concatBytes(
      Uint8Array.of(recordVersion),
      keyId(keyEncryptionKey),
      seal(keyEncryptionKey, placeData(dataKeyTag, place), dataKey),
      seal(dataKey, placeData(recordTag, place), plaintext),
    )
  } finally {
    wipe(dataKey)
  }
}

export const openRecord = (keyEncryptionKey: Uint8Array, place: Place, sealed: Uint8Array): Uint8Array | undefined => {
  const dataKeyAt = 1 + keyIdLength
  if (sealed[0] !== recordVersion || !equal(sealed.subarray(1, dataKeyAt), keyId(keyEncryptionKey))) return undefined
  const plaintextAt = dataKeyAt + wrappedLength
  const dataKey = open(keyEncryptionKey, placeData(dataKeyTag, place), sealed.subarray(dataKeyAt, plaintextAt))
  if (dataKey === undefined) return undefined
  try {
    return open(dataKey, placeData(recordTag, place), sealed.subarray(plaintextAt))
  } finally {
    wipe(dataKey)
  }
}

/** The life of the database and the day that a run's state is sealed in. */
export type RunTime = { readonly incarnation: string; readonly day: number }

export const sealRun = (runKeys: RunKeys, time: RunTime, place: Place, plaintext: Uint8Array): Uint8Array => {
  const incarnation = Buffer.from(time.incarnation, 'latin1')
  const sealed = seal(runKeys.forSealing(time.incarnation, time.day), placeData(runTag, place), plaintext)
  return concatBytes(Uint8Array.of(runVersion), u32(time.day), Uint8Array.of(incarnation.length), incarnation, sealed)
}

export const openRun = (
  runKeys: RunKeys,
  incarnation: string,
  place: Place,
  sealed: Uint8Array,
): Uint8Array | undefined => {
  if (sealed[0] !== runVersion || sealed.length < runHeaderLength) return undefined
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const bodyAt = runHeaderLength + bytes.readUInt8(runHeaderLength - 1)
  if (bytes.toString('latin1', runHeaderLength, bodyAt) !== incarnation) return undefined
  const key = runKeys.forOpening(incarnation, bytes.readUInt32BE(1))
  return key && open(key, placeData(runTag, place), sealed.subarray(bodyAt))
}

const runHeaderLength = 6

const keyId = (keyEncryptionKey: Uint8Array): Uint8Array =>
  sha256(encode('tandem/vault/key-id/v1', [keyEncryptionKey])).subarray(0, keyIdLength)

const placeData = (tag: string, place: Place): Uint8Array =>
  encode(tag, [place.table, place.id, place.epoch === undefined ? '' : String(place.epoch)])
