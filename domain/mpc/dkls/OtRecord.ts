/**
 * A party's OT state for one device as versioned bytes. Keygen, attach and refresh make it; a ban erases it. It never
 * leaves the device that made it, because a copy elsewhere would survive the ban. Version 1 stays readable.
 * domain/mpc/README.md#dkls-attach
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { hash, u32 } from '../../crypto/Transcript.ts'
import { codec } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import { uuidBytes, uuidText, type Role, type ShareRecord } from '../ShareRecord.ts'
import { demand, present } from '../Stop.ts'
import { deltaLength, keysLength, tags } from './Parameters.ts'

export type OtRecord = {
  readonly role: Role
  /** The share that it belongs to. */
  readonly walletId: string
  readonly epoch: number
  readonly shareId: Uint8Array
  /** 32 bytes; frames name the record by it. */
  readonly otId: Uint8Array
  /** T of the run that made it, which neither party chooses: the gadget vectors are derived from it. */
  readonly transcript: Uint8Array
  /** Extension sender: Δ and the κ seeds of its bits. */
  readonly delta: Uint8Array
  readonly chosenSeeds: Uint8Array
  /** Extension receiver: both seeds of each of the κ transfers. */
  readonly zeroSeeds: Uint8Array
  readonly oneSeeds: Uint8Array
}

const magic = utf8ToBytes('TDO1')
const roles: readonly Role[] = ['USER', 'PROVIDER']

const layout = codec({
  magic: 4,
  role: 1,
  walletId: 16,
  epoch: 4,
  shareId: 32,
  otId: 32,
  transcript: 32,
  delta: deltaLength,
  chosenSeeds: keysLength,
  zeroSeeds: keysLength,
  oneSeeds: keysLength,
})

export const otRecordLength = layout.length

/** otId = H("ot-id", T, walletId, epoch, shareId): the same on both sides, and none for another share. */
export const otIdOf = (record: Pick<OtRecord, 'transcript' | 'walletId' | 'epoch' | 'shareId'>): Uint8Array =>
  hash(tags.otId, [record.transcript, record.walletId, u32(record.epoch), record.shareId])

/** 12,425 bytes. domain/mpc/README.md#what-rests */
export const encode = (record: OtRecord): Uint8Array =>
  layout.encode({
    ...record,
    magic,
    role: new Uint8Array([roles.indexOf(record.role)]),
    walletId: uuidBytes(record.walletId),
    epoch: u32(record.epoch),
  })

/** Reads a record of any version, or `undefined` when the bytes are none or the otId is not that of the fields. */
export const decode = (bytes: Uint8Array): OtRecord | undefined => {
  const fields = layout.decode(bytes)
  const role = roles[fields?.role[0] ?? -1]
  if (fields === undefined || role === undefined || !equal(fields.magic, magic)) return undefined
  const record: OtRecord = {
    role,
    walletId: uuidText(fields.walletId),
    epoch: new DataView(fields.epoch.buffer, fields.epoch.byteOffset).getUint32(0),
    shareId: fields.shareId,
    otId: fields.otId,
    transcript: fields.transcript,
    delta: fields.delta,
    chosenSeeds: fields.chosenSeeds,
    zeroSeeds: fields.zeroSeeds,
    oneSeeds: fields.oneSeeds,
  }
  return equal(otIdOf(record), record.otId) ? record : undefined
}

/** The record for a run with this share under this otId; aborts for one of another wallet, epoch or sharing. */
export const open = (bytes: Uint8Array | undefined, share: ShareRecord, otId: Uint8Array): OtRecord => {
  const record = present(decode(present(bytes, 'no OT record')), 'OT record is damaged')
  demand(record.role === share.role, 'OT record of the other role')
  demand(record.walletId === share.walletId, 'OT record of another wallet')
  demand(record.epoch === share.epoch && equal(record.shareId, share.shareId), 'OT record of another sharing')
  demand(equal(record.otId, otId), 'another OT record')
  return record
}

/** A new record's bytes. */
export const make = (record: Omit<OtRecord, 'otId'>): { readonly ot: Uint8Array; readonly otId: Uint8Array } => {
  const otId = otIdOf(record)
  return { ot: encode({ ...record, otId }), otId }
}
