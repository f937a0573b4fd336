/**
 * The columns in which each sealed table's records lie, and the associated data of a row: what a rotation seals anew and
 * a retirement counts. A sealed table that is missing here does not compile.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Kind } from '../../../domain/mpc/Protocol.ts'
import { pepperAssociatedData, verifierAssociatedData } from '../../../domain/service/Credential.ts'
import { commitAssociatedData } from '../../../domain/service/commits.ts'
import { replayAssociatedData } from '../../../domain/service/idempotency.ts'
import { copyAssociatedData, policyAssociatedData } from '../../../domain/service/policies.ts'
import type { SealedTable } from '../../../domain/service/ports/SealedTables.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import {
  cosignerKeyAssociatedData,
  keptAnswer,
  keptAnswerAssociatedData,
  otAssociatedData,
  shareAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { signingKeyAssociatedData } from '../../../domain/service/signingKeys.ts'
import { userMessageAssociatedData } from '../../../domain/service/userMessages.ts'
import { webhookSecretAssociatedData } from '../../../domain/service/webhooks.ts'
import type { Tables } from '../database/Tables.ts'
import { macKeyAssociatedData } from './macKey.ts'
import { ringRunVersion } from './sealing.ts'

export type SealedColumn = {
  readonly table: keyof Tables
  readonly column: string
  /** The primary key, of text columns; empty for a table of one row. */
  readonly id: readonly string[]
  /** How many bytes of the column stand before the sealed record; none without it. */
  readonly sealAt?: number
  /** Whether the associated data is of a sharing: the record is dead once its share key is destroyed. */
  readonly isOfSharing?: true
  readonly where?: RawBuilder<boolean> | undefined
  /** Absent for what is never sealed anew, because it is deleted within a day. */
  readonly associatedDataOf?: ((row: SealedRow) => AssociatedData) | undefined
}

/** A row of the table, by the names of the columns; its types are those of `Tables`. */
export type SealedRow = Readonly<Record<string, unknown>>

export const sealedColumns: { readonly [T in SealedTable]: readonly SealedColumn[] } = {
  cosigner_keys: [
    {
      table: 'cosigner_keys',
      column: 'sealed',
      id: ['name'],
      associatedDataOf: ({ name }) => cosignerKeyAssociatedData(String(name)),
    },
    {
      table: 'cosigner_successors',
      column: 'sealed',
      id: ['name', 'public_key'],
      associatedDataOf: ({ name, public_key }) => cosignerKeyAssociatedData(String(name), String(public_key)),
    },
  ],
  provider_shares: [
    {
      table: 'provider_shares',
      column: 'sealed',
      id: ['wallet_id', 'share_id'],
      isOfSharing: true,
      associatedDataOf: (row) => shareAssociatedData(sharingOf(row)),
    },
  ],
  ot_records: [
    {
      table: 'ot_records',
      column: 'sealed',
      id: ['wallet_id', 'ot_id'],
      isOfSharing: true,
      associatedDataOf: (row) => otAssociatedData(sharingOf(row), String(row['ot_id'])),
    },
  ],
  runs: [
    {
      table: 'runs',
      column: 'final_body',
      id: ['wallet_id', 'protocol_id'],
      sealAt: keptAnswer.sealAt,
      where: sql<boolean>`kind in ('keygen', 'refresh') and substring(final_body from 1 for 1) = ${Uint8Array.of(keptAnswer.form)}`,
      isOfSharing: true,
      associatedDataOf: (row) => keptAnswerAssociatedData(runOf(row), bytesOf(row['final_body']).subarray(1, 33)),
    },
    {
      table: 'runs',
      column: 'sealed_seed',
      id: ['wallet_id', 'protocol_id'],
      where: isOfRing('sealed_seed'),
    },
  ],
  rounds: [
    {
      table: 'rounds',
      column: 'sealed_state',
      id: ['wallet_id', 'protocol_id', 'step'],
      where: isOfRing('sealed_state'),
    },
  ],
  // In clients' hands; `provider_shares.capsule_key_id` says under which key.
  capsules: [],
  policies: [
    {
      table: 'policies',
      column: 'sealed',
      id: ['partner_id'],
      associatedDataOf: (row) => policyAssociatedData(policyOf(row)),
    },
    {
      table: 'policies',
      column: 'before_sealed',
      id: ['partner_id'],
      associatedDataOf: (row) => policyAssociatedData(policyOf({ ...row, version: row['before_version'] })),
    },
  ],
  'policies.copy': [
    {
      table: 'policies',
      column: 'service_copy',
      id: ['partner_id'],
      associatedDataOf: (row) => copyAssociatedData(policyOf(row)),
    },
  ],
  'passwords.pepper': [
    {
      table: 'passwords',
      column: 'sealed_pepper',
      id: ['id'],
      associatedDataOf: ({ id }) => pepperAssociatedData(String(id)),
    },
  ],
  'passwords.verifier': [
    {
      table: 'passwords',
      column: 'sealed_verifier',
      id: ['id'],
      associatedDataOf: ({ id }) => verifierAssociatedData(String(id)),
    },
  ],
  openings: [
    {
      table: 'openings',
      column: 'deferred_commit',
      id: ['id'],
      associatedDataOf: ({ id }) => commitAssociatedData(String(id)),
    },
  ],
  replays: [
    {
      table: 'replays',
      column: 'sealed_answer',
      id: ['scope', 'operation', 'key'],
      associatedDataOf: ({ scope, operation, key }) =>
        replayAssociatedData({ scope: String(scope), operation: String(operation), key: String(key) }),
    },
  ],
  signing_keys: [
    {
      table: 'signing_keys',
      column: 'sealed_private_key',
      id: ['kid'],
      associatedDataOf: ({ kid, x, y }) => signingKeyAssociatedData({ kid: String(kid), x: String(x), y: String(y) }),
    },
  ],
  webhook_endpoints: [
    {
      table: 'webhook_endpoints',
      column: 'sealed_secret',
      id: ['id'],
      associatedDataOf: (row) => webhookSecretOf(row, Number(row['secret_number'])),
    },
    {
      table: 'webhook_endpoints',
      column: 'sealed_old_secret',
      id: ['id'],
      associatedDataOf: (row) => webhookSecretOf(row, Number(row['secret_number']) - 1),
    },
  ],
  user_messages: [
    {
      table: 'user_messages',
      column: 'sealed',
      id: ['id'],
      associatedDataOf: ({ id }) => userMessageAssociatedData(String(id)),
    },
  ],
  mac_key: [{ table: 'mac_key', column: 'sealed', id: [], associatedDataOf: () => macKeyAssociatedData }],
}

export const bytesOf = (held: unknown): Uint8Array => (held instanceof Uint8Array ? held : new Uint8Array(0))

const sharingOf = ({ wallet_id, epoch, share_id }: SealedRow) => ({
  walletId: String(wallet_id),
  epoch: Number(epoch),
  shareId: String(share_id),
})

const runOf = ({ wallet_id, protocol_id, kind, epoch }: SealedRow) => ({
  walletId: String(wallet_id),
  protocolId: String(protocol_id),
  kind: kind as Kind,
  epoch: Number(epoch),
})

const webhookSecretOf = ({ id, partner_id }: SealedRow, number: number) =>
  webhookSecretAssociatedData({ id: String(id), partnerId: String(partner_id) }, number)

const policyOf = ({ partner_id, version }: SealedRow) => ({ partnerId: String(partner_id), version: Number(version) })

/** Version 2 names no key of a ring. */
function isOfRing(column: 'sealed_seed' | 'sealed_state'): RawBuilder<boolean> {
  return sql<boolean>`substring(${sql.ref(column)} from 1 for 1) = ${Uint8Array.of(ringRunVersion)}`
}
