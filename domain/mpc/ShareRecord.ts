/**
 * A party's share of a wallet's key as versioned bytes. Version 1 stays readable. The scalar leaves its owner encrypted
 * only; OT records are separate and never leave their device. domain/mpc/README.md#what-rests
 */
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { wipe } from '../crypto/wipe.ts'
import { codec } from './Codec.ts'
import type { Scheme } from './Scheme.ts'

export type Role = 'USER' | 'PROVIDER'

export type ShareRecord = {
  readonly scheme: Scheme
  readonly role: Role
  /** UUID, lower case. */
  readonly walletId: string
  readonly epoch: number
  /** 32 bytes. */
  readonly shareId: Uint8Array
  /** The secret scalar: 32 bytes, big-endian for DKLS, little-endian for ED25519. */
  readonly secret: Uint8Array
  /** Public share of each side and the wallet's key: 33 bytes SEC1 compressed for DKLS, 32 bytes for ED25519. */
  readonly clientPublic: Uint8Array
  readonly serverPublic: Uint8Array
  readonly publicKey: Uint8Array
  /** 32 bytes. */
  readonly chainCode: Uint8Array
  /** 32 bytes: the user's root key pinned at keygen, or empty. */
  readonly rootPublicKey: Uint8Array
}

const magic = utf8ToBytes('TDS1')
const schemes: readonly Scheme[] = ['DKLS', 'ED25519']
const roles: readonly Role[] = ['USER', 'PROVIDER']
const pointLength = (scheme: Scheme) => (scheme === 'DKLS' ? 33 : 32)

const layout = (scheme: Scheme) =>
  codec({
    walletId: 16,
    epoch: 4,
    shareId: 32,
    secret: 32,
    clientPublic: pointLength(scheme),
    serverPublic: pointLength(scheme),
    publicKey: pointLength(scheme),
    chainCode: 32,
    hasRoot: 1,
    rootPublicKey: 32,
  })

/** Length in bytes of a record of the scheme, in the version that is written. */
export const lengthOf = (scheme: Scheme): number => 6 + layout(scheme).length

/** A UUID's 16 bytes, and back. */
export const uuidBytes = (uuid: string): Uint8Array => hexToBytes(uuid.replaceAll('-', ''))
export const uuidText = (bytes: Uint8Array): string =>
  bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** 254 bytes for DKLS, 251 for ED25519. */
export const encode = (record: ShareRecord): Uint8Array => {
  const epoch = new Uint8Array(4)
  new DataView(epoch.buffer).setUint32(0, record.epoch)
  const head = new Uint8Array(6)
  head.set(magic)
  head[4] = schemes.indexOf(record.scheme)
  head[5] = roles.indexOf(record.role)
  const body = layout(record.scheme).encode({
    ...record,
    walletId: uuidBytes(record.walletId),
    epoch,
    hasRoot: new Uint8Array([record.rootPublicKey.length === 32 ? 1 : 0]),
    rootPublicKey: record.rootPublicKey.length === 32 ? record.rootPublicKey : new Uint8Array(32),
  })
  const bytes = concatBytes(head, body)
  wipe(body)
  return bytes
}

/** Reads a record of any version, or `undefined` when the bytes are none. */
export const decode = (bytes: Uint8Array): ShareRecord | undefined => {
  const scheme = schemes[bytes[4] ?? -1]
  const role = roles[bytes[5] ?? -1]
  if (scheme === undefined || role === undefined || magic.some((byte, index) => bytes[index] !== byte)) return undefined
  const fields = layout(scheme).decode(bytes.subarray(6))
  const rooted = fields?.hasRoot[0]
  if (fields === undefined) return undefined
  if (rooted !== 0 && rooted !== 1) {
    wipe(fields.secret)
    return undefined
  }
  return {
    scheme,
    role,
    walletId: uuidText(fields.walletId),
    epoch: new DataView(fields.epoch.buffer, fields.epoch.byteOffset).getUint32(0),
    shareId: fields.shareId,
    secret: fields.secret,
    clientPublic: fields.clientPublic,
    serverPublic: fields.serverPublic,
    publicKey: fields.publicKey,
    chainCode: fields.chainCode,
    rootPublicKey: rooted === 1 ? fields.rootPublicKey : new Uint8Array(0),
  }
}
