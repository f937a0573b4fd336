/** A user: one record for an identity, whatever the partner. The first complete credential sets the root key. */
import * as Data from 'effect/Data'
import * as Schema from 'effect/Schema'
import type { Identity } from '../model/Identity.ts'

/** An identity as it is stored. */
export const StoredIdentity: Schema.Codec<Identity> = Schema.Union([
  Schema.Struct({ kind: Schema.Literal('email'), email: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('phone'), phone: Schema.String, countryCode: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('farcasterUsername'), farcasterUsername: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('telegramUserId'), telegramUserId: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('externalWalletAddress'), externalWalletAddress: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('userId'), userId: Schema.String }),
])

export type UserRecord = {
  readonly id: string
  readonly identity: Identity
  /** A credential is COMPLETE: from then on the mailbox alone opens nothing (domain/service/README.md#users). */
  readonly hasCredential: boolean
  /** Ed25519, hex(32): the public half of the key that signs recipients of backups and devices. */
  readonly rootPublicKey: string | null
  readonly createdAt: number
  /** The end of the last recovery: commits of portal sessions that are older are refused. */
  readonly recoveredAt: number | null
  /** By an operator: nobody signs in as this user, and nothing is signed for it. */
  readonly isFrozen: boolean
}

/** An operator has frozen the user (domain/service/README.md#operators). */
export class UserFrozen extends Data.TaggedError('UserFrozen') {
  override readonly message = 'user is frozen'
}
