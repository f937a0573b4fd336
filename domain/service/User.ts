/** A user: global, whatever the partner (design 8.11). Credentials hang on it; the first of them sets the root key. */
import type { Identity } from '../model/Identity.ts'

export type User = {
  readonly id: string
  readonly identity: Identity
  /** A credential is COMPLETE: from then on a mailbox alone opens nothing (flows A13). */
  readonly hasCredential: boolean
  /** Ed25519, hex(32): the public half of the key that signs recipients and devices (design 8.23). */
  readonly rootPublicKey: string | null
  readonly createdAt: number
  /** The end of the last recovery: what was opened by an older credential ended with it (flows 10.7). */
  readonly recoveredAt: number | null
}
