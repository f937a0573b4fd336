/**
 * The places whose secrets are sealed, each with its key ring (adapters/service/vault/README.md#two-rings). A file of its
 * own, because the co-signer's threads load it without Effect's runtime.
 */

/**
 * `cosigner`: what opens a share, or says what may be signed. Only processes with the role of the co-signer have its keys.
 * `service`: everything else.
 */
export type Ring = 'service' | 'cosigner'

export const ringOf = {
  provider_shares: 'cosigner',
  ot_records: 'cosigner',
  runs: 'cosigner',
  rounds: 'cosigner',
  capsules: 'cosigner',
  cosigner_keys: 'cosigner',
  policies: 'cosigner',
  'policies.copy': 'service',
  'passwords.pepper': 'service',
  'passwords.verifier': 'service',
  openings: 'service',
  replays: 'service',
  signing_keys: 'service',
  webhook_endpoints: 'service',
  user_messages: 'service',
  mac_key: 'service',
} as const satisfies Readonly<Record<string, Ring>>

export type SealedTable = keyof typeof ringOf
