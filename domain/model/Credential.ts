/** Passkeys and passwords: the records, their states and platforms, and their names on the wire. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { toAuthObject, type AuthObject, type Identity } from './Identity.ts'
import { displayName } from './Provider.ts'

export const authMethods = ['PASSWORD', 'PASSKEY'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The names in the answer of supported-auth-methods, where a passkey is BIOMETRIC (openapi/README.md#names). */
export const wireAuthMethods = ['PASSWORD', 'BIOMETRIC'] as const
export type WireAuthMethod = (typeof wireAuthMethods)[number]

export const toWire = (method: AuthMethod): WireAuthMethod => (method === 'PASSKEY' ? 'BIOMETRIC' : 'PASSWORD')

export const fromWire = (method: WireAuthMethod): AuthMethod => (method === 'BIOMETRIC' ? 'PASSKEY' : 'PASSWORD')

export const statuses = ['PENDING', 'COMPLETE'] as const
export type Status = (typeof statuses)[number]

export const platforms = ['MOBILE', 'WEB'] as const
export type Platform = (typeof platforms)[number]

type Record = {
  readonly id: string
  readonly status: Status
  /** Hex of the PKCS#1 PEM to which shares are encrypted. Absent while the record is PENDING. */
  readonly sigDerivedPublicKey?: string | null
  readonly partnerId?: string | null
}

export type Passkey = Record & { readonly type: Platform; readonly publicKey?: string | null }
export type Password = Record & { readonly salt?: string | null }

/** A new passkey record starts PENDING with platform WEB. */
export const newPasskey = { status: 'PENDING', type: 'WEB' } as const satisfies Pick<Passkey, 'status' | 'type'>

export const newPassword = { status: 'PENDING' } as const satisfies Pick<Password, 'status'>

/** Location hints are asked for exactly one identity. */
export const identityForHints = (
  identity: Identity | undefined,
): Result.Result<AuthObject, LocationHintsNeedIdentity> =>
  identity === undefined || identity.kind === 'userId'
    ? Result.fail(new LocationHintsNeedIdentity())
    : Result.succeed(toAuthObject(identity))

export class LocationHintsNeedIdentity extends Data.TaggedError('LocationHintsNeedIdentity') {
  override readonly message =
    `one of email, phone, farcaster username, telegram user id or external wallet with ${displayName} auth ` +
    'are required to get biometric location hints'
}
