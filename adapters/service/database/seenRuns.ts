/**
 * A run together with what a round of it is decided by, read by one statement: so it is of one moment, and a statement
 * costs more than a few rows more.
 */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { Kysely } from 'kysely'
import type { GenerationRow } from '../../../domain/service/ports/DatabaseGeneration.ts'
import type { RunId, Runs, Seen, SeenToClaim } from '../../../domain/service/ports/Runs.ts'
import { unfinished, type RunRecord } from '../../../domain/service/Run.ts'
import type { Database } from './Database.ts'
import { intentColumns, toIntent } from './Intents.ts'
import { columnsOf, partOf, type Columns } from './joinedColumns.ts'
import { prepare } from './prepare.ts'
import { otColumns, shareColumns, toOt, toShare } from './ProviderShares.ts'
import { roundColumns, runColumns, toRound, toRun } from './runRow.ts'
import type { Tables } from './Tables.ts'
import { timelineIn } from './timeline.ts'
import { toWallet, walletColumns } from './Wallets.ts'

export const seeingRuns = Effect.fnUntraced(function* (database: Database['Service']) {
  const timeline = yield* timelineIn(database)

  const seen = (db: Kysely<Tables>, { walletId, protocolId }: RunId) =>
    db
      .selectFrom('wallets')
      .leftJoin('incarnation', (join) => join.onTrue())
      .leftJoin('runs', (join) =>
        join.onRef('runs.wallet_id', '=', 'wallets.id').on('runs.protocol_id', '=', protocolId),
      )
      .leftJoin('rounds', (join) =>
        join.onRef('rounds.wallet_id', '=', 'runs.wallet_id').onRef('rounds.protocol_id', '=', 'runs.protocol_id'),
      )
      .select(columnsOf('incarnation', 'generation_', generationColumns))
      .leftJoin('users', 'users.id', 'wallets.user_id')
      .select(timeline.as('generation_timelineNow'))
      .select('users.frozen_at as user_frozen_at')
      .select(columnsOf('runs', 'run_', runColumns))
      .select(columnsOf('rounds', 'round_', roundColumns))
      .where('wallets.id', '=', walletId)
      .orderBy('rounds.step')

  const rowsToSee = prepare(database, (db, id: RunId) =>
    seen(db, id).select(columnsOf('wallets', 'wallet_', walletColumns)),
  )

  const rowsToClaim = prepare(database, (db, { walletId, protocolId, shareId, otId }: ToClaim) =>
    seen(db, { walletId, protocolId })
      .leftJoin('runs as others', (join) =>
        join.onRef('others.wallet_id', '=', 'wallets.id').on('others.state', 'in', unfinished),
      )
      .leftJoin('intents', (join) =>
        join.onRef('intents.wallet_id', '=', 'wallets.id').on('intents.protocol_id', '=', protocolId),
      )
      .leftJoin('provider_shares', (join) =>
        join.onRef('provider_shares.wallet_id', '=', 'wallets.id').on('provider_shares.share_id', '=', shareId),
      )
      .leftJoin('ot_records', (join) =>
        join.onRef('ot_records.wallet_id', '=', 'wallets.id').on('ot_records.ot_id', '=', otId),
      )
      .select(columnsOf('others', 'other_', runColumns))
      .select(columnsOf('intents', 'intent_', intentColumns))
      .select(columnsOf('provider_shares', 'share_', shareColumns))
      .select(columnsOf('ot_records', 'ot_', otColumns)),
  )

  return {
    see: ({ walletId, protocolId }) =>
      Effect.map(rowsToSee({ walletId, protocolId }), (rows) =>
        Option.map(Option.fromUndefinedOr(partOf(rows[0], 'wallet_', walletColumns, 'id')), (wallet) => ({
          ...seenIn(rows),
          wallet: toWallet(wallet),
        })),
      ),
    seeToClaim: ({ walletId, protocolId, shareId, otId }) =>
      Effect.map(rowsToClaim({ walletId, protocolId, shareId, otId }), (rows): SeenToClaim => {
        const [row] = rows
        const intent = partOf(row, 'intent_', intentColumns, 'wallet_id')
        const share = partOf(row, 'share_', shareColumns, 'wallet_id')
        const ot = partOf(row, 'ot_', otColumns, 'wallet_id')
        return {
          ...seenIn(rows),
          unfinished: partsOf(rows, 'other_', runColumns, 'protocol_id').map(toRun),
          intent: intent === undefined ? undefined : toIntent(intent),
          share: share === undefined ? undefined : toShare(share),
          ot: ot === undefined ? undefined : toOt(ot),
        }
      }),
  } satisfies Partial<Runs['Service']>
})

type ToClaim = RunId & Pick<RunRecord, 'shareId' | 'otId'>

const generationColumns: Columns<Omit<GenerationRow, 'timelineNow'>> = { id: true, fence: true, timeline: true }
const readGenerationColumns: Columns<GenerationRow> = { ...generationColumns, timelineNow: true }

type Rows = readonly Readonly<Record<string, unknown>>[]

const seenIn = (rows: Rows): Seen => {
  const run = partOf(rows[0], 'run_', runColumns, 'wallet_id')
  return {
    run: run === undefined ? undefined : toRun(run),
    rounds: partsOf(rows, 'round_', roundColumns, 'step').map(toRound),
    isUserFrozen: typeof rows[0]?.['user_frozen_at'] === 'number',
    generation: partOf<GenerationRow>(rows[0], 'generation_', readGenerationColumns, 'id'),
  }
}

/** The table's own rows: a join of two tables repeats each row of one for each row of the other. */
const partsOf = <Row>(rows: Rows, prefix: string, columns: Columns<Row>, key: keyof Row & string): readonly Row[] => {
  const parts = rows.flatMap((row) => partOf(row, prefix, columns, key) ?? [])
  return [...new Map(parts.map((part) => [part[key], part])).values()]
}
