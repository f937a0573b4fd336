/**
 * The user's share as text: the form in transmissions, backups, exports and the share store. JSON in ASCII, of the
 * share record alone: OT records never leave their device. domain/mpc/README.md#share-text
 *
 * The hybrid envelope around it has no integrity, so the text authenticates itself: an HMAC under a key derived from
 * the share covers every field, and opening it checks x·G = X_C and the halves against the wallet's key. Version 1
 * stays readable.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { ascii, base64, utf8 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import { encode, u32 } from '../crypto/Transcript.ts'
import type { Scheme } from './Protocol.ts'
import type { ShareRecord } from './ShareRecord.ts'

export type UserShare = {
  readonly share: ShareRecord
  /** The user, or the partner while a pregenerated wallet has no user. */
  readonly userId: string
  readonly partnerId: string
  /** The co-signer whose answers this share's client accepts: its name, and its 65-byte key. */
  readonly cosignerName: string
  readonly cosignerKey: Uint8Array
}

/** Ids and names must be ASCII; anything else throws. */
export const write = (userShare: UserShare): Redacted.Redacted => {
  if (userShare.share.role !== 'USER') throw new RangeError("only the user's share is written as text")
  const text = JSON.stringify({ ...fieldsOf(userShare), mac: bytesToHex(macOf(userShare)) })
  ascii.decode(text)
  return Redacted.make(text, { label: 'key share' })
}

/** Fails where form, MAC or the equations of the share do not hold. */
export const open = (text: Redacted.Redacted): Result.Result<UserShare, ShareTextRefused> => {
  const parsed = parse(Redacted.value(text))
  if (parsed === undefined) return Result.fail(new ShareTextRefused({ reason: 'malformed' }))
  const { userShare, mac } = parsed
  if (!equal(macOf(userShare), mac)) return Result.fail(new ShareTextRefused({ reason: 'changed' }))
  return isShareOfKey(userShare.share)
    ? Result.succeed(userShare)
    : Result.fail(new ShareTextRefused({ reason: 'not a share of its key' }))
}

/** SHA-256 of the text, 32 bytes: the sealed result of a portal page names a share by it. */
export const shareHash = (text: Redacted.Redacted): Uint8Array => sha256(utf8ToBytes(Redacted.value(text)))

/** Several wallets as one text, as clients of the public API export them: base64 of each JSON, joined with `-`. */
export const joinExport = (texts: readonly string[]): string =>
  texts.map((text) => base64.encode(utf8ToBytes(text))).join('-')

export const splitExport = (text: string): readonly string[] | undefined => {
  try {
    return text.split('-').map((part) => utf8.encode(base64.decode(part)))
  } catch {
    return undefined
  }
}

const version = 1

/** The JSON's fields, in the order in which they are written. */
const fieldsOf = ({ share, userId, partnerId, cosignerName, cosignerKey }: UserShare) => ({
  v: version,
  scheme: share.scheme,
  role: share.role,
  walletId: share.walletId,
  userId,
  partnerId,
  epoch: share.epoch,
  shareId: bytesToHex(share.shareId),
  secret: bytesToHex(share.secret),
  clientPublic: bytesToHex(share.clientPublic),
  serverPublic: bytesToHex(share.serverPublic),
  publicKey: bytesToHex(share.publicKey),
  chainCode: bytesToHex(share.chainCode),
  rootPublicKey: bytesToHex(share.rootPublicKey),
  cosignerName,
  cosignerKey: bytesToHex(cosignerKey),
})

const macOf = ({ share, userId, partnerId, cosignerName, cosignerKey }: UserShare): Uint8Array =>
  hmac(
    sha256,
    hkdf(sha256, share.secret, share.shareId, utf8ToBytes('tandem/share-text/v1'), 32),
    encode('tandem/share-text/v1', [
      u32(version),
      share.scheme,
      share.role,
      share.walletId,
      userId,
      partnerId,
      u32(share.epoch),
      share.shareId,
      share.clientPublic,
      share.serverPublic,
      share.publicKey,
      share.chainCode,
      share.rootPublicKey,
      cosignerName,
      cosignerKey,
    ]),
  )

const parse = (text: string): { readonly userShare: UserShare; readonly mac: Uint8Array } | undefined => {
  const value = parseJson(text)
  if (value === undefined) return undefined
  const { scheme, walletId, userId, partnerId, epoch, cosignerName, disableWebSockets } = value
  if (value.v !== version || (scheme !== 'DKLS' && scheme !== 'ED25519')) return undefined
  if (!isText(walletId) || !isText(userId) || !isText(partnerId) || !isText(cosignerName)) return undefined
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch) || epoch < 0 || epoch > 0xffffffff) return undefined
  const pointLength = scheme === 'DKLS' ? 33 : 32
  const shareId = readHex(value.shareId, 32)
  const secret = readHex(value.secret, 32)
  const clientPublic = readHex(value.clientPublic, pointLength)
  const serverPublic = readHex(value.serverPublic, pointLength)
  const publicKey = readHex(value.publicKey, pointLength)
  const chainCode = readHex(value.chainCode, 32)
  const rootPublicKey = value.rootPublicKey === '' ? new Uint8Array(0) : readHex(value.rootPublicKey, 32)
  const cosignerKey = readHex(value.cosignerKey, 65)
  const mac = readHex(value.mac, 32)
  if (shareId === undefined || secret === undefined || chainCode === undefined) return undefined
  if (clientPublic === undefined || serverPublic === undefined || publicKey === undefined) return undefined
  if (rootPublicKey === undefined || cosignerKey === undefined || mac === undefined) return undefined
  const share: ShareRecord = {
    scheme,
    role: 'USER',
    walletId,
    epoch,
    shareId,
    secret,
    clientPublic,
    serverPublic,
    publicKey,
    chainCode,
    rootPublicKey,
  }
  const userShare: UserShare = { share, userId, partnerId, cosignerName, cosignerKey }
  // One share has one text, but for a field that clients of the public API add to it.
  const written = { ...fieldsOf(userShare), mac: bytesToHex(mac) }
  const isExact =
    JSON.stringify(written) === text ||
    (typeof disableWebSockets === 'boolean' && JSON.stringify({ ...written, disableWebSockets }) === text)
  return isExact ? { userShare, mac } : undefined
}

const parseJson = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Printable ASCII. */
const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)

const readHex = (value: unknown, length: number): Uint8Array | undefined =>
  typeof value === 'string' ? fromHex(value, length) : undefined

/** x·G = X_C; DKLS: X_C + X_S = PK; ED25519, by Lagrange at 0 for the ids 1 and 2: 2·X_C − X_S = PK. */
const isShareOfKey = (share: ShareRecord): boolean => {
  try {
    return isOf[share.scheme](share)
  } catch {
    return false
  }
}

const isOf: { readonly [S in Scheme]: (share: ShareRecord) => boolean } = {
  DKLS: (share) => {
    const { Point } = secp256k1
    const client = Point.fromBytes(share.clientPublic)
    return (
      Point.BASE.multiply(Point.Fn.fromBytes(share.secret)).equals(client) &&
      client.add(Point.fromBytes(share.serverPublic)).equals(Point.fromBytes(share.publicKey))
    )
  },
  ED25519: (share) => {
    const { Point } = ed25519
    const client = Point.fromBytes(share.clientPublic)
    const server = Point.fromBytes(share.serverPublic)
    const publicKey = Point.fromBytes(share.publicKey)
    return (
      [client, server, publicKey].every((point) => point.isTorsionFree() && !point.is0()) &&
      Point.BASE.multiply(Point.Fn.fromBytes(share.secret)).equals(client) &&
      client.double().subtract(server).equals(publicKey)
    )
  },
}

/** `reason` is for logs. */
export class ShareTextRefused extends Data.TaggedError('ShareTextRefused')<{
  readonly reason: 'malformed' | 'changed' | 'not a share of its key'
}> {}
