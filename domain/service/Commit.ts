/**
 * What an opening does when it is committed (flows 3.8, 4.8, 6.9): all of it, or nothing. In the redirect variant it
 * waits, sealed, until the registered page redeems it; this is its form at rest.
 */
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import type { PasskeyCompletion, PasswordCompletion } from './Credential.ts'
import type { CurrentWalletIds } from '../model/CurrentWalletIds.ts'

export type CredentialCommit = (
  | { readonly kind: 'PASSWORD'; readonly id: string; readonly completion: PasswordCompletion }
  | { readonly kind: 'BIOMETRICS'; readonly id: string; readonly completion: PasskeyCompletion }
) & {
  /** hex(64): the new root key's, over the recovery key that the session registered. */
  readonly recoverySignature: string | null
}

export type Commit = {
  readonly userId: string
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  /** hex; for sessions whose device key signs requests, and for no other. */
  readonly deviceCertificate: string | null
  readonly sealedResult: string | null
  readonly credential: CredentialCommit | null
}

/** Bytes stand in JSON as an object that no other field has the form of. */
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
