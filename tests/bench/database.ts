/** A claim as the co-signer's repositories ask for it, ten statements with begin and commit, on rows in memory. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { kyselyOn } from '../simulation/rows/kyselyOn.ts'
import { shapes } from '../simulation/rows/memoryDatabase.ts'
import { Rows } from '../simulation/rows/Rows.ts'
import type { Figures } from './rows.ts'

const wallets = 1_000
const claims = 5_000

export const database = async (): Promise<readonly Figures[]> => {
  const rows = new Rows(shapes)
  const kysely = kyselyOn(rows)
  for (let at = 0; at < wallets; at++) await kysely.insertInto('wallets').values(walletOf(at)).execute()
  await kysely.insertInto('incarnation').values({ one: true, id: 'i', fence: 1, timeline: '' }).execute()
  for (let at = 0; at < claims / 5; at++) await claim(kysely, at)
  const cpu = process.cpuUsage()
  const begun = performance.now()
  for (let at = 0; at < claims; at++) await claim(kysely, claims + at)
  const wallMs = (performance.now() - begun) / claims
  const { user, system } = process.cpuUsage(cpu)
  const copied = performance.now()
  rows.restore(rows.snapshot())
  const copy = performance.now() - copied
  return [
    {
      suite: 'database',
      case: 'claim',
      backend: 'rows',
      runs: claims,
      cpuMs: (user + system) / 1_000 / claims,
      wallMs,
    },
    { suite: 'database', case: 'copy', backend: 'rows', runs: 1, wallMs: copy },
  ]
}

const claim = async (kysely: Kysely<Tables>, at: number): Promise<void> => {
  const [walletId, protocolId] = [`w${at % wallets}`, `p${at}`]
  const transaction = await kysely.startTransaction().execute()
  const run = transaction.selectFrom('runs').selectAll().where('wallet_id', '=', walletId)
  await transaction.selectFrom('wallets').selectAll().where('id', '=', walletId).forUpdate().executeTakeFirst()
  await run.where('protocol_id', '=', protocolId).executeTakeFirst()
  await run.where('state', 'in', ['RUNNING', 'CONSUMED']).execute()
  await transaction.selectFrom('incarnation').select(['id', 'fence']).executeTakeFirst()
  await transaction
    .insertInto('runs')
    .values(runOf(walletId, protocolId, at))
    .execute()
  await transaction
    .insertInto('rounds')
    .values({
      wallet_id: walletId,
      protocol_id: protocolId,
      step: 1,
      request_hash: 'h',
      message_hash: 'm',
      response_hash: null,
      sealed_state: null,
    })
    .execute()
  await transaction
    .updateTable('runs')
    .set({ state: 'DONE', final_body: new Uint8Array(65), sealed_seed: null })
    .where('wallet_id', '=', walletId)
    .where('protocol_id', '=', protocolId)
    .execute()
  await transaction.commit().execute()
}

const walletOf = (at: number) =>
  ({
    id: `w${at}`,
    partner_id: 'p',
    user_id: `u${at}`,
    type: 'EVM',
    slot: 0,
    scheme: 'DKLS',
    state: 'ACTIVE',
    epoch: 1,
    share_id: 'a',
    address: '0x',
    public_key: 'k',
    root_public_key: 'r',
    created_at: 1,
    updated_at: 1,
  }) as const

const runOf = (walletId: string, protocolId: string, at: number) =>
  ({
    wallet_id: walletId,
    protocol_id: protocolId,
    kind: 'sign',
    scheme: 'DKLS',
    session_id: 's',
    user_id: 'u',
    partner_id: 'p',
    device_key_thumb: 'd',
    epoch: 1,
    share_id: 'a',
    ot_id: 'o',
    attempt: '',
    root_public_key: 'r',
    payload_class: 'text',
    digest: 'x',
    send_transaction: null,
    send_chain_id: null,
    broadcast_at: null,
    state: 'RUNNING',
    incarnation: 'i',
    protocol_version: 1,
    sealed_seed: new Uint8Array(32),
    final_body: null,
    reason: null,
    transfers_void: false,
    created_at: at,
    expires_at: at + 90,
  }) as const
