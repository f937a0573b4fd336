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
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64, utf8 } from '@scure/base'
import type * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import type { Scheme } from './Protocol.ts'
import type { ShareRecord } from './ShareRecord.ts'
import { read, ShareTextRefused, type UserShare } from './ShareTextForm.ts'

export { shareHash, write, type ShareTextRefused, type UserShare } from './ShareTextForm.ts'

/** Fails where form, MAC or the equations of the share do not hold. */
export const open = (text: Redacted.Redacted): Result.Result<UserShare, ShareTextRefused> =>
  Result.flatMap(read(text), (userShare) =>
    isShareOfKey(userShare.share)
      ? Result.succeed(userShare)
      : Result.fail(new ShareTextRefused({ reason: 'not a share of its key' })),
  )

/**
 * Several wallets as one text, as clients of the public API export them: base64 of each JSON, joined with `-`. Exports
 * of shares to apps and their import are not built yet.
 * @notBuilt
 */
export const joinExport = (texts: readonly string[]): string =>
  texts.map((text) => base64.encode(utf8ToBytes(text))).join('-')

/** @notBuilt */
export const splitExport = (text: string): readonly string[] | undefined => {
  try {
    return text.split('-').map((part) => utf8.encode(base64.decode(part)))
  } catch {
    return undefined
  }
}

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
