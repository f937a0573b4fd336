/**
 * Formats of sealed secrets, as plain functions: the vault uses them, and so do the co-signer's worker threads, which
 * open shares and seeds themselves.
 *
 *   record            1 ‖ key id 8 ‖ sealed data key 60 ‖ sealed plaintext      data key: random, one per sealing
 *   run of before     2 ‖ period u32 ‖ length u8 ‖ generation ‖ sealed plaintext  key: of the period, see RunKeys
 *   sharing's record  3 ‖ key id 8 ‖ sealed plaintext                         key: of both keys, see `keyOfBoth`
 *   run               4 ‖ key id 8 ‖ the rest of version 2                    key: of both keys
 *
 * The key id names a key of the table's ring. Associated data is the row's table, id and epoch, with a tag for each kind
 * of key. Records of a sharing are written in version 3 and read in versions 1 and 3. Runs are of version 4; of version 2
 * only until the deployment has rings, because every process can seal in it.
 */
import { randomFillSync } from 'node:crypto'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { encode, hash, u32 } from '../../../domain/crypto/Transcript.ts'
import { offHeap, wipe } from '../../../domain/crypto/wipe.ts'
import { ringOf } from '../../../domain/service/ports/SealedTables.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { keyIdLength, keyLength, type KeyRing, type RingKey, type Rings } from './KeyRing.ts'
import type { RunKeys } from './RunKeys.ts'
import { open, overhead, seal } from './seal.ts'
import type { ShareKeyFiles } from './ShareKeys.ts'

const recordVersion = 1
const runVersion = 2
const sharingVersion = 3
/** Of runs under a key of a ring. */
export const ringRunVersion = 4

/** How long a record's version and the id of its key are. */
export const headerLength = 1 + keyIdLength
const wrappedLength = keyLength + overhead

const dataKeyTag = 'tandem/vault/data-key/v1'
const recordTag = 'tandem/vault/record/v1'
const runTag = 'tandem/vault/run/v1'
const sharingKeyTag = 'tandem/vault/sharing-key/v1'
const sharingTag = 'tandem/vault/sharing/v1'
const runKeyTag = 'tandem/vault/run-key/v1'

export type RecordKeys = {
  readonly rings: Rings
  readonly shareKeys: Pick<ShareKeyFiles, 'find' | 'findOrCreate'>
}

/** For records that are of no sharing. */
export const noShareKeys: RecordKeys['shareKeys'] = {
  find: () => undefined,
  findOrCreate: () => {
    throw new Error('this record is of no sharing')
  },
}

export const sealRecord = (
  { rings, shareKeys }: RecordKeys,
  associatedData: AssociatedData,
  plaintext: Uint8Array,
): Uint8Array => {
  const { id, key: ringKey } = ringFor(rings, associatedData).active()
  if (associatedData.sharing !== undefined) {
    const key = keyOfBoth(sharingKeyTag, ringKey, shareKeys.findOrCreate(associatedData.sharing))
    const sealed = using(key, () => seal(key, encodeAssociatedData(sharingTag, associatedData), plaintext))
    return concatBytes(Uint8Array.of(sharingVersion), hexToBytes(id), sealed)
  }
  const dataKey = randomFillSync(offHeap(keyLength))
  return using(dataKey, () =>
    concatBytes(
      Uint8Array.of(recordVersion),
      hexToBytes(id),
      seal(ringKey, encodeAssociatedData(dataKeyTag, associatedData), dataKey),
      seal(dataKey, encodeAssociatedData(recordTag, associatedData), plaintext),
    ),
  )
}

export const openRecord = (
  { rings, shareKeys }: RecordKeys,
  associatedData: AssociatedData,
  sealed: Uint8Array,
): Uint8Array | undefined => {
  if (sealed[0] !== recordVersion && sealed[0] !== sharingVersion) return undefined
  const ringKey = keyNamedBy(rings, associatedData, sealed)
  if (ringKey === undefined) return undefined
  const body = sealed.subarray(headerLength)
  if (sealed[0] === sharingVersion) {
    const shareKey = associatedData.sharing && shareKeys.find(associatedData.sharing)
    const key = shareKey && keyOfBoth(sharingKeyTag, ringKey.key, shareKey)
    return key && using(key, () => open(key, encodeAssociatedData(sharingTag, associatedData), body))
  }
  const dataKey = open(ringKey.key, encodeAssociatedData(dataKeyTag, associatedData), body.subarray(0, wrappedLength))
  return (
    dataKey &&
    using(dataKey, () => open(dataKey, encodeAssociatedData(recordTag, associatedData), body.subarray(wrappedLength)))
  )
}

/** The id of the key under which a record, or a run of version 4, is sealed: hex(8). */
export const keyIdOf = (sealed: Uint8Array): string => bytesToHex(sealed.subarray(1, headerLength))

/** A flow that seals for a ring which its process does not have is a bug. */
const ringFor = (rings: Rings, { table }: AssociatedData): KeyRing => {
  const ring = rings[ringOf[table]]
  if (ring === undefined) throw new Error(`this process does not have the key ring of ${table}`)
  return ring
}

const keyNamedBy = (rings: Rings, { table }: AssociatedData, sealed: Uint8Array): RingKey | undefined =>
  sealed.length < headerLength ? undefined : rings[ringOf[table]]?.find(keyIdOf(sealed))

/** Derives one key from both, so that neither opens anything alone. Wipes the second, which is not the ring's. */
const keyOfBoth = (tag: string, ringKey: Uint8Array, other: Uint8Array): Uint8Array => {
  const derived = hash(tag, [ringKey, other])
  const key = offHeap(keyLength)
  key.set(derived)
  wipe(derived, other)
  return key
}

const using = <A>(key: Uint8Array, use: () => A): A => {
  try {
    return use()
  } finally {
    wipe(key)
  }
}

/** The generation and the period whose run key seals. */
export type RunTime = { readonly generation: string; readonly period: number }

/** What seals runs. */
export type RunSealing = { readonly rings: Rings; readonly runKeys: RunKeys }

export const sealRun = (
  { rings, runKeys }: RunSealing,
  { generation, period }: RunTime,
  associatedData: AssociatedData,
  plaintext: Uint8Array,
): Uint8Array => {
  const ring = ringFor(rings, associatedData)
  const name = Buffer.from(generation, 'latin1')
  const time = concatBytes(u32(period), Uint8Array.of(name.length), name)
  const runKey = runKeys.toSeal(generation, period)
  const aad = encodeAssociatedData(runTag, associatedData)
  if (!ring.isFiled())
    return concatBytes(
      Uint8Array.of(runVersion),
      time,
      using(runKey, () => seal(runKey, aad, plaintext)),
    )
  const { id, key: ringKey } = ring.active()
  const key = keyOfBoth(runKeyTag, ringKey, runKey)
  const sealed = using(key, () => seal(key, aad, plaintext))
  return concatBytes(Uint8Array.of(ringRunVersion), hexToBytes(id), time, sealed)
}

/** `now` in milliseconds since 1970. */
export const openRun = (
  { rings, runKeys }: RunSealing,
  { generation, now }: { readonly generation: string; readonly now: number },
  associatedData: AssociatedData,
  sealed: Uint8Array,
): Uint8Array | undefined => {
  if (sealed[0] !== runVersion && sealed[0] !== ringRunVersion) return undefined
  const timeAt = sealed[0] === runVersion ? 1 : headerLength
  const nameAt = timeAt + timeLength
  if (sealed.length < nameAt) return undefined
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const bodyAt = nameAt + bytes.readUInt8(nameAt - 1)
  if (bytes.toString('latin1', nameAt, bodyAt) !== generation) return undefined
  const runKey = runKeys.toOpen(generation, bytes.readUInt32BE(timeAt), now)
  if (runKey === undefined) return undefined
  const [aad, body] = [encodeAssociatedData(runTag, associatedData), sealed.subarray(bodyAt)]
  if (sealed[0] === runVersion) {
    const isTaken = rings[ringOf[associatedData.table]]?.takesRunsOfBefore() === true
    return using(runKey, () => (isTaken ? open(runKey, aad, body) : undefined))
  }
  const ringKey = keyNamedBy(rings, associatedData, sealed)
  if (ringKey === undefined) {
    wipe(runKey)
    return undefined
  }
  const key = keyOfBoth(runKeyTag, ringKey.key, runKey)
  return using(key, () => open(key, aad, body))
}

/** The period and the length of the generation's name. */
const timeLength = 5

const encodeAssociatedData = (tag: string, { table, id, epoch, sharing }: AssociatedData): Uint8Array => {
  const row = [table, id, epoch === undefined ? '' : String(epoch)]
  const isOfSharing = tag === sharingTag && sharing !== undefined
  return encode(tag, isOfSharing ? [...row, sharing.walletId, String(sharing.epoch), sharing.shareId] : row)
}
