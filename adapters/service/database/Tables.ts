/** Every table, typed. Those of identities and of wallets are typed beside the repositories that own them. */
import type { IdentityTables } from './IdentityTables.ts'
import type { WalletTables } from './WalletTables.ts'

/** What the house itself keeps. */
type HouseTables = {
  /** Token buckets (security 2, rate classes). */
  rate_limits: {
    key: string
    bucket: string
    tokens: number
    updated_at: number
  }
  /** One row: which life of the database this is (mpc-review 2). */
  incarnation: {
    one: boolean
    id: string
    fence: number
    timeline: string
  }
  /** Processes with the role of the co-signer, each since one of its starts. */
  boots: { boot: string; beat_at: number }
  /** `seer` was alive after `seen` had started. */
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
  /** Encrypted messages, each for whoever has its id (security 1.2 O). */
  temporary_transmissions: {
    mac: string
    partner_id: string
    message: string
    expires_at: number
  }
}

export interface Tables extends HouseTables, IdentityTables, WalletTables {}
