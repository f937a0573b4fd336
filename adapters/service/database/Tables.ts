/** The types of all tables; those of identities and wallets have files of their own. */
import type { Generated } from 'kysely'
import type { IdentityTables } from './IdentityTables.ts'
import type { WalletTables } from './WalletTables.ts'

/** Tables of no single domain. */
type HouseTables = {
  /** Token buckets. */
  rate_limits: {
    key: string
    bucket: string
    tokens: number
    updated_at: number
  }
  /** One row: the database generation (domain/service/protocol/README.md#database-generations). */
  incarnation: {
    one: boolean
    id: string
    fence: number
    timeline: string
  }
  /** One row: the MAC key, sealed under the service's ring. */
  mac_key: { one: boolean; sealed: Uint8Array; created_at: number }
  /** Processes with the role of the co-signer; each start is another boot. */
  boots: { boot: string; beat_at: number }
  /** `seer` was running after `seen` had started. */
  boot_sightings: { seer: string; seen: string }
  /** Answers to requests with an idempotency key. */
  replays: {
    scope: string
    operation: string
    key: string
    attempt: string
    request_hash: string
    sealed_answer: Uint8Array | null
    expires_at: number
  }
  /** Addresses of partners' servers, which are told what happens. */
  webhook_endpoints: {
    id: string
    partner_id: string
    url: string
    secret_number: number
    sealed_secret: Uint8Array
    sealed_old_secret: Uint8Array | null
    old_secret_until: number | null
    created_at: number
    disabled_at: number | null
  }
  /** A message for an endpoint. Due at `next_at`; settled without it: failed with an error, delivered without one. */
  outbox: {
    message_id: string
    endpoint_id: string
    type: string
    body: string
    mac: string
    attempts: Generated<number>
    created_at: number
    due_from: number
    next_at: number | null
    error: string | null
  }
  /** A mail or SMS that is not delivered yet. Due at `next_at`, too old at `expires_at`. `code_of`: the session of a code. */
  user_messages: {
    id: string
    channel: 'mail' | 'sms'
    code_of: string | null
    sealed: Uint8Array
    attempts: Generated<number>
    next_at: number
    expires_at: number
  }
  /** Encrypted messages; the id, stored as a MAC, is all it takes to fetch one. */
  temporary_transmissions: {
    mac: string
    partner_id: string
    message: string
    expires_at: number
  }
}

export interface Tables extends HouseTables, IdentityTables, WalletTables {}
