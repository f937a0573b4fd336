/**
 * What a backup keeps of the database. Every table of the schema is in one of the two lists, which
 * tests/service/backup.test.ts holds them to.
 */

/** In an order in which each comes after those that it refers to. */
export const keptTables = [
  'incarnation',
  'mac_key',
  'signing_keys',
  'partners',
  'partner_origins',
  'partner_keys',
  'policies',
  'webhook_endpoints',
  'outbox',
  'users',
  'passwords',
  'passkeys',
  'sessions',
  'session_tokens',
  'codes',
  'challenges',
  'openings',
  'user_messages',
  'temporary_transmissions',
  'replays',
  'audits',
  'pinned_roots',
  'cosigner_keys',
  'cosigner_successors',
  'wallets',
  'keygen_attempts',
  'provider_shares',
  'ot_records',
  'key_shares',
  'temporary_shares',
  'recovery_public_keys',
  'encrypted_wallet_private_keys',
  'refreshes',
  'exports',
  'recoveries',
  'intents',
  'runs',
  'rounds',
  'spends',
  'spend_recipients',
  'pending_transactions',
] as const

/** Of a table whose rows refer to others of it: the column that does. Rows without a value in it come first. */
export const parentColumns: { readonly [Table in (typeof keptTables)[number]]?: string } = { sessions: 'parent_id' }

/** Begun anew by a restored service: counts of the last minutes, and signs of life of processes that are gone. */
export const leftTables = ['rate_limits', 'boots', 'boot_sightings'] as const

/** The event of a backup's record, by which `tandem doctor` tells how old the last one is. */
export const backupEvent = 'database.copied'
