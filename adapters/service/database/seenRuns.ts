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
import { columnsOf, partIn, type Columns } from './joinedColumns.ts'
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
      .leftJoin('users', 'users.id', 'wallets.user_id')
      .select(columnsOf('incarnation', 'generation_', generationColumns))
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
        Option.map(Option.fromUndefinedOr(walletIn(rows[0])), (wallet) => ({
          ...seenIn(rows),
          wallet: toWallet(wallet),
        })),
      ),
    seeToClaim: ({ walletId, protocolId, shareId, otId }) =>
      Effect.map(rowsToClaim({ walletId, protocolId, shareId, otId }), (rows): SeenToClaim => {
        const [row] = rows
        const intent = intentIn(row)
        const share = shareIn(row)
        const ot = otIn(row)
        return {
          ...seenIn(rows),
          unfinished: partsOf(rows, otherIn, 'protocol_id').map(toRun),
          intent: intent === undefined ? undefined : toIntent(intent),
          share: share === undefined ? undefined : toShare(share),
          ot: ot === undefined ? undefined : toOt(ot),
        }
      }),
  } satisfies Partial<Runs['Service']>
})

type ToClaim = RunId & Pick<RunRecord, 'shareId' | 'otId'>

const generationColumns: Columns<Omit<GenerationRow, 'timelineNow'>> = { id: true, fence: true, timeline: true }

const walletIn = partIn('wallet_', walletColumns, 'id')
const runIn = partIn('run_', runColumns, 'wallet_id')
const otherIn = partIn('other_', runColumns, 'protocol_id')
const roundIn = partIn('round_', roundColumns, 'step')
const intentIn = partIn('intent_', intentColumns, 'wallet_id')
const shareIn = partIn('share_', shareColumns, 'wallet_id')
const otIn = partIn('ot_', otColumns, 'wallet_id')
const generationIn = partIn<GenerationRow>('generation_', { ...generationColumns, timelineNow: true }, 'id')

type Rows = readonly Readonly<Record<string, unknown>>[]

const seenIn = (rows: Rows): Seen => {
  const run = runIn(rows[0])
  return {
    run: run === undefined ? undefined : toRun(run),
    rounds: partsOf(rows, roundIn, 'step').map(toRound),
    isUserFrozen: (rows[0]?.['user_frozen_at'] ?? null) !== null,
    generation: generationIn(rows[0]),
  }
}

/** The table's own rows: a join of two tables repeats each row of one for each row of the other. */
const partsOf = <Row>(rows: Rows, read: (row: Rows[number]) => Row | undefined, key: keyof Row): readonly Row[] => {
  const parts = rows.flatMap((row) => read(row) ?? [])
  return [...new Map(parts.map((part) => [part[key], part])).values()]
}
