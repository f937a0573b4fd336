import type { Selectable } from 'kysely'
import type { Round, RunRecord } from '../../../domain/service/Run.ts'
import type { Columns } from './joinedColumns.ts'
import type { WalletTables } from './WalletTables.ts'

export const runColumns: Columns<WalletTables['runs']> = {
  wallet_id: true,
  protocol_id: true,
  kind: true,
  scheme: true,
  session_id: true,
  user_id: true,
  partner_id: true,
  device_key_thumb: true,
  epoch: true,
  share_id: true,
  ot_id: true,
  attempt: true,
  root_public_key: true,
  payload_class: true,
  digest: true,
  send_transaction: true,
  send_chain_id: true,
  broadcast_at: true,
  state: true,
  incarnation: true,
  protocol_version: true,
  policy_version: true,
  pending_transaction_id: true,
  sealed_seed: true,
  final_body: true,
  reason: true,
  transfers_void: true,
  created_at: true,
  expires_at: true,
}

type RoundRow = Omit<WalletTables['rounds'], 'wallet_id' | 'protocol_id'>

export const roundColumns: Columns<RoundRow> = {
  step: true,
  request_hash: true,
  message_hash: true,
  response_hash: true,
  sealed_state: true,
}

export const toRun = (row: Selectable<WalletTables['runs']>): RunRecord => ({
  walletId: row.wallet_id,
  protocolId: row.protocol_id,
  kind: row.kind,
  scheme: row.scheme,
  sessionId: row.session_id,
  userId: row.user_id,
  partnerId: row.partner_id,
  deviceKeyThumb: row.device_key_thumb,
  epoch: row.epoch,
  shareId: row.share_id,
  otId: row.ot_id,
  attempt: row.attempt,
  rootPublicKey: row.root_public_key,
  payloadClass: row.payload_class,
  digest: row.digest,
  sending:
    row.send_transaction === null || row.send_chain_id === null
      ? null
      : { transaction: row.send_transaction, chainId: row.send_chain_id, broadcastAt: row.broadcast_at },
  state: row.state,
  generation: row.incarnation,
  protocolVersion: row.protocol_version,
  policyVersion: row.policy_version,
  pendingTransactionId: row.pending_transaction_id,
  sealedSeed: row.sealed_seed,
  finalBody: row.final_body,
  reason: row.reason,
  areTransfersVoid: row.transfers_void,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

export const toRound = (row: RoundRow): Round => ({
  step: row.step,
  requestHash: row.request_hash,
  messageHash: row.message_hash,
  responseHash: row.response_hash,
  sealedState: row.sealed_state,
})
