/** The tables of wallets, key shares and the co-signer. Times are milliseconds since 1970; digests and ids are hex. */
import type { Generated } from 'kysely'
import type { RefreshState } from '../../../domain/service/Refresh.ts'
import type { Encryptor } from '../../../domain/model/KeyShare.ts'
import type { PregenIdentifierType, Scheme as WalletScheme } from '../../../domain/model/Wallet.ts'
import type { WalletType } from '../../../domain/model/WalletTypes.ts'
import type { Kind, Scheme } from '../../../domain/mpc/Protocol.ts'
import type { PendingState, ReviewBy } from '../../../domain/service/PendingTransaction.ts'
import type { RunState } from '../../../domain/service/Run.ts'
import type { WalletState } from '../../../domain/service/Wallet.ts'

export interface WalletTables {
  wallets: {
    id: string
    partner_id: string
    user_id: string | null
    type: WalletType
    slot: number
    scheme: WalletScheme
    cosmos_prefix: string | null
    state: WalletState
    epoch: number
    share_id: string | null
    address: string | null
    public_key: string | null
    root_public_key: string | null
    name: string | null
    pregen_identifier: string | null
    pregen_identifier_type: PregenIdentifierType | null
    lease_protocol_id: string | null
    lease_session_id: string | null
    lease_until: number | null
    created_at: number
    updated_at: number
    last_used_at: number | null
    last_used_partner_id: string | null
    exported_at: number | null
  }
  keygen_attempts: { wallet_id: string; protocol_id: string; session_id: string }
  provider_shares: {
    wallet_id: string
    epoch: number
    share_id: string
    sealed: Uint8Array
    /** hex(8); null where a version before there were rings made the capsule. */
    capsule_key_id: string | null
    created_at: number
    distributed_at: number | null
  }
  ot_records: {
    wallet_id: string
    ot_id: string
    device_key_thumb: string
    database_life: string
    epoch: number
    share_id: string
    sealed: Uint8Array | null
    created_at: number
    burned_at: number | null
  }
  refreshes: {
    wallet_id: string
    protocol_id: string
    session_id: string
    base_share_id: string
    share_id: string | null
    state: RefreshState
    created_at: number
    updated_at: number
  }
  exports: {
    wallet_id: string
    opening_id: string
    recipient_public_key: string
    host_secret_hash: string
    device_signature: string
    created_at: number
    released_at: number | null
  }
  pinned_roots: { user_id: string; root_public_key: string; pinned_at: number }
  /** The first frame key of each co-signer. */
  cosigner_keys: { name: string; public_key: string; sealed: Uint8Array; created_at: number }
  /** Those that took its place, each signed by the one before. */
  cosigner_successors: {
    name: string
    public_key: string
    sealed: Uint8Array
    active_from: number
    replaces: string
    is_compromised: boolean
    signature: string
    created_at: number
  }
  runs: {
    wallet_id: string
    protocol_id: string
    kind: Kind
    scheme: Scheme
    session_id: string
    user_id: string
    partner_id: string
    device_key_thumb: string
    epoch: number
    share_id: string
    ot_id: string
    attempt: string
    root_public_key: string
    payload_class: string | null
    digest: string | null
    send_transaction: Uint8Array | null
    send_chain_id: string | null
    broadcast_at: number | null
    state: RunState
    incarnation: string
    protocol_version: number
    policy_version: number | null
    pending_transaction_id: string | null
    sealed_seed: Uint8Array | null
    final_body: Uint8Array | null
    reason: string | null
    transfers_void: boolean
    created_at: number
    expires_at: number
  }
  rounds: {
    wallet_id: string
    protocol_id: string
    step: number
    request_hash: string
    message_hash: string
    response_hash: string | null
    sealed_state: Uint8Array | null
  }
  intents: {
    wallet_id: string
    protocol_id: string
    session_id: string
    user_id: string
    body_hash: string
    digest: string
    transaction: Uint8Array | null
    chain_id: string | null
    send: boolean
    cosmos_sign_doc: string | null
    created_at: number
    expires_at: number
  }
  policies: {
    partner_id: string
    version: number
    sealed: Uint8Array
    /** Null where a version before there were rings applied the policy. */
    service_copy: Uint8Array | null
    applied_at: number
    before_version: number | null
    before_sealed: Uint8Array | null
  }
  spends: {
    wallet_id: string
    digest: string
    user_id: string
    partner_id: string
    protocol_id: string
    asset: string
    /** Decimal text. */
    amount: string
    at: number
  }
  spend_recipients: { wallet_id: string; recipient: string; digest: string; protocol_id: string }
  pending_transactions: {
    id: string
    wallet_id: string
    user_id: string
    partner_id: string
    session_id: string
    origin: string | null
    content_hash: string
    content: string
    state: PendingState
    review_by: ReviewBy
    step_up: boolean
    user_accepted: boolean
    partner_accepted: boolean
    approver: string | null
    created_at: number
    expires_at: number
    protocol_id: string | null
    done_at: number | null
    proof: string
    /** The partner has been told that it expired. */
    expiry_told: Generated<boolean>
  }
  key_shares: {
    id: string
    wallet_id: string
    user_id: string
    partner_id: string
    epoch: number
    share_id: string
    encryptor: Encryptor
    key_ref: string
    encrypted_share: string
    encrypted_key: string | null
    digest: string
    protocol_id: string | null
    device_signature: string | null
    certificate: string | null
    created_at: number
  }
  temporary_shares: {
    session_lookup_id: string
    wallet_id: string
    user_id: string
    opening_id: string
    encrypted_share: string
    encrypted_key: string | null
    expires_at: number
  }
  recovery_public_keys: {
    id: string
    user_id: string
    public_key: string
    signature: string | null
    /** The session of an unfinished recovery, to which alone the key is visible. */
    recovery_session_id: string | null
    created_at: number
  }
  encrypted_wallet_private_keys: {
    id: string
    user_id: string
    encrypted_private_key: string
    encryption_key_hash: string
    biometric_public_key: string | null
    passkey_id: string | null
    password_id: string | null
    created_at: number
  }
}
