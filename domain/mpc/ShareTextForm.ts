/**
 * The share text as bytes and MAC, without the curves that ShareText.ts checks its equations on: what a page needs for a
 * signature. domain/mpc/README.md#share-text
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import { encode, u32 } from '../crypto/Transcript.ts'
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
  if (!isText(text)) throw new RangeError('a share is written in ASCII')
  return Redacted.make(text, { label: 'key share' })
}

/**
 * Fails where form or MAC do not hold. Enough for a share that is in this device's store, where it was opened or made before: each
 * run checks the equations again.
 */
export const read = (text: Redacted.Redacted): Result.Result<UserShare, ShareTextRefused> => {
  const parsed = parse(Redacted.value(text))
  if (parsed === undefined) return Result.fail(new ShareTextRefused({ reason: 'malformed' }))
  const { userShare, mac } = parsed
  return equal(macOf(userShare), mac)
    ? Result.succeed(userShare)
    : Result.fail(new ShareTextRefused({ reason: 'changed' }))
}

/** SHA-256 of the text, 32 bytes: the sealed result of a portal page names a share by it. */
export const shareHash = (text: Redacted.Redacted): Uint8Array => sha256(utf8ToBytes(Redacted.value(text)))

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

/** `reason` is for logs. */
export class ShareTextRefused extends Data.TaggedError('ShareTextRefused')<{
  readonly reason: 'malformed' | 'changed' | 'not a share of its key'
}> {}
