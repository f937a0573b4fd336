/**
 * Wallets, the co-signer's records, and key shares. Primary keys of hot tables begin with the wallet or user, for
 * databases that partition by it. The co-signer's tables have no foreign keys to others, so that they can have a schema
 * of their own.
 */
import type { Migration } from 'kysely/migration'
import { statements } from './statements.ts'

export const wallets: Record<string, Migration> = {
  '101 wallets': statements(
    `create table wallets (
      id text primary key,
      partner_id text not null,
      user_id text,
      type text not null check (type in ('EVM', 'SOLANA', 'COSMOS')),
      slot integer not null,
      scheme text not null check (scheme in ('DKLS', 'CGGMP', 'ED25519')),
      cosmos_prefix text,
      state text not null check (state in ('CREATED', 'ACTIVE', 'BURNED')),
      epoch integer not null,
      share_id text,
      address text,
      public_key text,
      root_public_key text,
      name text,
      pregen_identifier text,
      pregen_identifier_type text check (pregen_identifier_type in ('EMAIL', 'PHONE', 'TELEGRAM')),
      lease_protocol_id text,
      lease_session_id text,
      lease_until bigint,
      created_at bigint not null,
      updated_at bigint not null,
      last_used_at bigint,
      last_used_partner_id text,
      unique (user_id, partner_id, type, slot),
      check ((scheme = 'ED25519') = (type = 'SOLANA')),
      check ((state = 'CREATED') = (epoch = 0)),
      check ((state = 'CREATED') = (address is null)),
      check ((address is null) = (public_key is null)),
      check ((address is null) = (share_id is null)),
      check ((pregen_identifier is null) = (pregen_identifier_type is null))
    )`,
    `create table keygen_attempts (
      wallet_id text not null references wallets on delete cascade,
      protocol_id text not null,
      session_id text not null,
      primary key (wallet_id, protocol_id)
    )`,
  ),
  '102 cosigner': statements(
    `create table provider_shares (
      wallet_id text not null,
      epoch integer not null,
      share_id text not null,
      sealed bytea not null,
      capsule bytea not null,
      created_at bigint not null,
      distributed_at bigint,
      primary key (wallet_id, epoch)
    )`,
    `create table ot_records (
      wallet_id text not null,
      ot_id text not null,
      epoch integer not null,
      share_id text not null,
      sealed bytea,
      created_at bigint not null,
      burned_at bigint,
      primary key (wallet_id, ot_id),
      check ((sealed is null) = (burned_at is not null))
    )`,
    `create table pinned_roots (
      user_id text primary key,
      root_public_key text not null,
      pinned_at bigint not null
    )`,
    `create table cosigner_keys (
      name text primary key,
      public_key text not null,
      sealed bytea not null,
      created_at bigint not null
    )`,
  ),
  '103 runs': statements(
    `create table runs (
      wallet_id text not null,
      protocol_id text not null,
      kind text not null check (kind in ('keygen', 'attach', 'sign')),
      scheme text not null check (scheme in ('DKLS', 'ED25519')),
      session_id text not null,
      user_id text not null,
      partner_id text not null,
      device_key_thumb text not null,
      epoch integer not null,
      share_id text not null,
      ot_id text not null,
      attempt text not null,
      root_public_key text not null,
      payload_class text,
      digest text,
      send_transaction bytea,
      send_chain_id text,
      broadcast_at bigint,
      state text not null
        check (state in ('WAITING', 'RUNNING', 'CONSUMED', 'DONE', 'ABORTED', 'SUPERSEDED', 'BANNED')),
      incarnation text not null,
      protocol_version integer not null,
      sealed_seed bytea,
      final_body bytea,
      reason text,
      created_at bigint not null,
      expires_at bigint not null,
      primary key (wallet_id, protocol_id),
      check (sealed_seed is null or state in ('WAITING', 'RUNNING', 'CONSUMED')),
      check ((state = 'DONE') = (final_body is not null)),
      check ((send_transaction is null) = (send_chain_id is null))
    )`,
    `create index runs_of_session on runs (session_id) where state in ('WAITING', 'RUNNING', 'CONSUMED')`,
    `create index runs_by_end on runs (expires_at) where state in ('WAITING', 'RUNNING', 'CONSUMED')`,
    `create table rounds (
      wallet_id text not null,
      protocol_id text not null,
      step integer not null,
      request_hash text not null,
      message_hash text not null,
      response_hash text,
      sealed_state bytea,
      primary key (wallet_id, protocol_id, step),
      foreign key (wallet_id, protocol_id) references runs on delete cascade
    )`,
  ),
  '104 intents': statements(
    `create table intents (
      wallet_id text not null,
      protocol_id text not null,
      session_id text not null,
      user_id text not null,
      body_hash text not null,
      digest text not null,
      transaction bytea,
      chain_id text,
      send boolean not null,
      cosmos_sign_doc text,
      created_at bigint not null,
      expires_at bigint not null,
      primary key (wallet_id, protocol_id),
      check ((transaction is null) = (chain_id is null)),
      check (transaction is not null or not send)
    )`,
  ),
  '105 key shares': statements(
    `create table key_shares (
      id text not null unique,
      wallet_id text not null references wallets on delete cascade,
      user_id text not null,
      partner_id text not null,
      epoch integer not null,
      share_id text not null,
      encryptor text not null check (encryptor in ('RECOVERY', 'BIOMETRICS', 'PASSWORD')),
      key_ref text not null,
      encrypted_share text not null,
      encrypted_key text,
      digest text not null,
      protocol_id text,
      device_signature text,
      certificate text,
      created_at bigint not null,
      primary key (wallet_id, share_id, encryptor, key_ref, digest),
      check ((device_signature is null) = (certificate is null))
    )`,
    `create table temporary_shares (
      session_lookup_id text not null,
      wallet_id text not null references wallets on delete cascade,
      user_id text not null,
      opening_id text not null,
      encrypted_share text not null,
      encrypted_key text,
      expires_at bigint not null,
      primary key (session_lookup_id, wallet_id)
    )`,
    `create table recovery_public_keys (
      user_id text not null,
      public_key text not null,
      id text not null unique,
      signature text,
      created_at bigint not null,
      primary key (user_id, public_key)
    )`,
    `create table encrypted_wallet_private_keys (
      user_id text not null,
      digest text not null,
      id text not null unique,
      encrypted_private_key text not null,
      encryption_key_hash text not null,
      biometric_public_key text,
      password_id text,
      created_at bigint not null,
      primary key (user_id, digest)
    )`,
  ),
  // The share id names a sharing: one kept beside the active one may be of any epoch.
  '106 refreshes': statements(
    `alter table runs drop constraint runs_kind_check`,
    `alter table runs add constraint runs_kind_check check (kind in ('keygen', 'attach', 'sign', 'refresh'))`,
    `alter table provider_shares drop constraint provider_shares_pkey`,
    `alter table provider_shares add primary key (wallet_id, share_id)`,
    `create table refreshes (
      wallet_id text not null,
      protocol_id text not null,
      session_id text not null,
      base_share_id text not null,
      share_id text,
      state text not null check (state in ('LIVE', 'COMMITTED', 'ACKNOWLEDGED', 'ABORTED')),
      created_at bigint not null,
      updated_at bigint not null,
      primary key (wallet_id, protocol_id),
      check ((share_id is not null) = (state in ('COMMITTED', 'ACKNOWLEDGED')))
    )`,
  ),
  // When a page's user proved a credential; when a wallet's key was first exported, and to which key of which page.
  '107 exports': statements(
    `alter table openings add column verified_at bigint`,
    `alter table wallets add column exported_at bigint`,
    `create table exports (
      wallet_id text not null references wallets on delete cascade,
      opening_id text not null,
      recipient_public_key text not null,
      host_secret_hash text not null,
      device_signature text not null,
      created_at bigint not null,
      released_at bigint,
      primary key (wallet_id, opening_id)
    )`,
  ),
  // Until a recovery ends, what it made is STAGED, PREPARED or bound to its session; revoked credentials keep no
  // secret.
  '108 recoveries': statements(
    `create table recoveries (
      session_id text primary key,
      user_id text not null,
      state text not null check (state in ('INITIATED', 'READY', 'EXPIRED', 'FINISHED', 'CANCELLED')),
      credential jsonb,
      wallet_ids jsonb not null,
      finished_ids jsonb not null,
      created_at bigint not null,
      expires_at bigint not null,
      check (state <> 'FINISHED' or credential is not null)
    )`,
    `create index recoveries_by_user on recoveries (user_id)`,
    `create index sessions_by_user on sessions (user_id) where state <> 'CLOSED'`,
    `alter table users add column recovered_at bigint`,
    `alter table passwords drop constraint passwords_status_check`,
    `alter table passwords add constraint passwords_status_check
      check (status in ('PENDING', 'STAGED', 'COMPLETE', 'REVOKED'))`,
    `alter table passwords drop constraint passwords_check`,
    `alter table passwords add constraint passwords_check
      check ((status in ('PENDING', 'REVOKED')) = (completion is null))`,
    `alter table passkeys drop constraint passkeys_status_check`,
    `alter table passkeys add constraint passkeys_status_check
      check (status in ('PENDING', 'STAGED', 'COMPLETE', 'REVOKED'))`,
    `alter table passkeys drop constraint passkeys_check`,
    `alter table passkeys add constraint passkeys_check
      check ((status in ('PENDING', 'REVOKED')) = (completion is null))`,
    `alter table recovery_public_keys add column recovery_session_id text`,
    `alter table refreshes drop constraint refreshes_state_check`,
    `alter table refreshes add constraint refreshes_state_check
      check (state in ('LIVE', 'PREPARED', 'COMMITTED', 'ACKNOWLEDGED', 'ABORTED'))`,
    `alter table refreshes drop constraint refreshes_check`,
    `alter table refreshes add constraint refreshes_check
      check ((share_id is not null) = (state in ('PREPARED', 'COMMITTED', 'ACKNOWLEDGED')))`,
  ),
  // One wrapped key per credential record, deleted with it. Those without a record, and older duplicates, are deleted
  // now.
  '109 wrapped keys of records': statements(
    `alter table encrypted_wallet_private_keys add column passkey_id text`,
    `update encrypted_wallet_private_keys set passkey_id = passkeys.id from passkeys
      where passkeys.user_id = encrypted_wallet_private_keys.user_id
      and passkeys.completion ->> 'sigDerivedPublicKey' = biometric_public_key`,
    `delete from encrypted_wallet_private_keys where
      (passkey_id is null and not exists (select from passwords where passwords.id = password_id))
      or exists (
        select from encrypted_wallet_private_keys as newer
        where coalesce(newer.passkey_id, newer.password_id) =
          coalesce(encrypted_wallet_private_keys.passkey_id, encrypted_wallet_private_keys.password_id)
        and (newer.created_at, newer.id) >
          (encrypted_wallet_private_keys.created_at, encrypted_wallet_private_keys.id)
      )`,
    `alter table encrypted_wallet_private_keys drop column digest`,
    `alter table encrypted_wallet_private_keys add primary key (user_id, id)`,
    `alter table encrypted_wallet_private_keys add unique (passkey_id)`,
    `alter table encrypted_wallet_private_keys add unique (password_id)`,
    `alter table encrypted_wallet_private_keys
      add foreign key (passkey_id) references passkeys on delete cascade`,
    `alter table encrypted_wallet_private_keys
      add foreign key (password_id) references passwords on delete cascade`,
    `alter table encrypted_wallet_private_keys add check ((passkey_id is null) <> (password_id is null))`,
    `alter table encrypted_wallet_private_keys add check ((passkey_id is null) = (biometric_public_key is null))`,
  ),
  // Earlier records lack device and database generation, so they are deleted and the devices enrol anew; locked wallets
  // stay locked.
  '110 devices of OT records': statements(
    `delete from ot_records`,
    `alter table ot_records add column device_key_thumb text not null`,
    `alter table ot_records add column database_life text not null`,
  ),
  // A capsule opens without a share key, so a dump with one would still open after the share key is destroyed.
  '111 no capsules': statements(`alter table provider_shares drop column capsule`),
  // A signature counts what it moves of each asset, and one `count`.
  '112 policies': statements(
    `create table policies (
      partner_id text primary key,
      version integer not null,
      sealed bytea not null,
      applied_at bigint not null
    )`,
    `create table spends (
      wallet_id text not null,
      digest text not null,
      user_id text not null,
      partner_id text not null,
      protocol_id text not null,
      asset text not null,
      amount numeric not null,
      at bigint not null,
      primary key (wallet_id, digest, asset)
    )`,
    `create index spends_of_user on spends (user_id, asset, at)`,
    `create index spends_of_partner on spends (partner_id, asset, at)`,
    `create table spend_recipients (
      wallet_id text not null,
      recipient text not null,
      digest text not null,
      protocol_id text not null,
      primary key (wallet_id, recipient, digest)
    )`,
    `create table pending_transactions (
      id text primary key,
      wallet_id text not null,
      user_id text not null,
      partner_id text not null,
      session_id text not null,
      origin text,
      content_hash text not null,
      content text not null,
      state text not null check (state in ('PENDING', 'ACCEPTED', 'DENIED', 'DONE')),
      review_by text not null check (review_by in ('user', 'partner', 'both')),
      step_up boolean not null,
      user_accepted boolean not null,
      partner_accepted boolean not null,
      created_at bigint not null,
      expires_at bigint not null,
      protocol_id text,
      done_at bigint,
      proof text not null,
      check ((state = 'DONE') = (done_at is not null))
    )`,
    `create index pending_transactions_of_wallet on pending_transactions (wallet_id, expires_at)`,
    `alter table runs add column policy_version integer`,
    `alter table runs add column pending_transaction_id text`,
  ),
  '113 expired reviews': statements(
    `alter table pending_transactions add column expiry_told boolean not null default false`,
  ),
  // A table of its own: the version before reads the first key, and knows no other.
  '114 successors of the co-signer’s key': statements(
    `create table cosigner_successors (
      name text not null references cosigner_keys,
      public_key text not null,
      sealed bytea not null,
      active_from bigint not null,
      replaces text not null,
      is_compromised boolean not null,
      signature text not null,
      created_at bigint not null,
      primary key (name, public_key),
      unique (name, replaces)
    )`,
  ),
  // Null where none was applied before, or by a version that did not keep it.
  '115 policies before': statements(
    `alter table policies add column before_version integer`,
    `alter table policies add column before_sealed bytea`,
  ),
  // For upkeep, which deletes them by their age.
  '116 old OT records and spends': statements(
    `create index ot_records_by_time on ot_records (created_at)`,
    `create index spends_by_time on spends (at)`,
  ),
  // Null where no key accepted for the partner, or a version did that did not keep which.
  '117 approvers of reviews': statements(`alter table pending_transactions add column approver text`),
  '118 setups of older databases': statements(
    `alter table runs add column transfers_void boolean not null default false`,
  ),
}
