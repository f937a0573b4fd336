/**
 * What a portal session does when it is committed: all of it, or nothing. In the variant `redirect` it waits, sealed,
 * until the registered page redeems it; this is its stored form.
 */
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import type { PasskeyCompletion, PasswordCompletion } from './Credential.ts'
import type { CurrentWalletIds } from '../model/CurrentWalletIds.ts'

export type CredentialCommit = (
  | { readonly kind: 'PASSWORD'; readonly id: string; readonly completion: PasswordCompletion }
  | { readonly kind: 'BIOMETRICS'; readonly id: string; readonly completion: PasskeyCompletion }
) & {
  /** hex(64): the new root key's signature over the recovery key that the session registered. */
  readonly recoverySignature: string | null
}

export type Commit = {
  readonly userId: string
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  /** hex; only for sessions whose device key signs requests. */
  readonly deviceCertificate: string | null
  readonly sealedResult: string | null
  readonly credential: CredentialCommit | null
}

/** Bytes in JSON: an object of a form that no other field has. */
type Bytes = { readonly $bytes: string }

export const encode = (commit: Commit): Uint8Array =>
  utf8ToBytes(
    JSON.stringify(commit, (_, value: unknown): unknown =>
      value instanceof Uint8Array ? ({ $bytes: bytesToHex(value) } satisfies Bytes) : value,
    ),
  )

export const decode = (bytes: Uint8Array): Commit =>
  JSON.parse(utf8.encode(bytes), (_, value: unknown): unknown =>
    isBytes(value) ? hexToBytes(value.$bytes) : value,
  ) as Commit

const isBytes = (value: unknown): value is Bytes =>
  typeof value === 'object' && value !== null && '$bytes' in value && typeof value.$bytes === 'string'
