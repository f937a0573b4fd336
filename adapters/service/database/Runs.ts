import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { QueryCreator, Updateable } from 'kysely'
import { keyOfRound, type ClaimedRound } from '../../../domain/service/ports/Claims.ts'
import { Runs, type End, type RunId } from '../../../domain/service/ports/Runs.ts'
import { failedCheck, tellingStep, unfinished, type Round, type RunRecord } from '../../../domain/service/Run.ts'
import { Database } from './Database.ts'
import { prepare } from './prepare.ts'
import { toRound, toRun } from './runRow.ts'
import { seeingRuns } from './seenRuns.ts'
import type { Tables } from './Tables.ts'
import type { WalletTables } from './WalletTables.ts'
import { prepareWrite } from './writes.ts'

export const RunsDatabase = Layer.effect(
  Runs,
  Effect.gen(function* () {
    const database = yield* Database

    const unfinishedRows = prepare(database, (db, { walletId }: Pick<RunId, 'walletId'>) =>
      db.selectFrom('runs').selectAll().where('wallet_id', '=', walletId).where('state', 'in', unfinished),
    )

    const insertRun = prepareWrite(database, 'runs', (db, row: ReturnType<typeof toRow>) =>
      db.insertInto('runs').values(row),
    )

    const insertRound = prepareWrite(database, 'rounds', (db, row: WalletTables['rounds']) =>
      db.insertInto('rounds').values(row),
    )

    const storeAnswer = prepareWrite(
      database,
      'rounds',
      (db, { walletId, protocolId, step, ...answer }: AnsweredRound) =>
        db
          .updateTable('rounds')
          .set({ response_hash: answer.responseHash, sealed_state: answer.sealedState })
          .where('wallet_id', '=', walletId)
          .where('protocol_id', '=', protocolId)
          .where('step', '=', step)
          .where('response_hash', 'is', null),
    )

    const setState = prepareWrite(database, 'runs', (db, values: RunId & Pick<Row, 'state'>) =>
      updateUnfinished(db, values),
    )
    const setEnd = prepareWrite(database, 'runs', (db, values: RunId & Pick<Row, 'expires_at'>) =>
      updateUnfinished(db, values),
    )
    const setResult = prepareWrite(
      database,
      'runs',
      (db, values: RunId & Pick<Row, 'state' | 'sealed_seed' | 'final_body'>) => updateUnfinished(db, values),
    )

    const forget = prepareWrite(database, 'rounds', (db, { walletId, protocolId }: RunId) =>
      db
        .updateTable('rounds')
        .set({ sealed_state: null })
        .where('wallet_id', '=', walletId)
        .where('protocol_id', '=', protocolId),
    )

    /** The last round alone has no answer yet. */
    const finishRounds = prepareWrite(database, 'rounds', (db, { walletId, protocolId, responseHash }: LastAnswer) =>
      db
        .updateTable('rounds')
        .set((is) => ({ response_hash: is.fn.coalesce('response_hash', is.val(responseHash)), sealed_state: null }))
        .where('wallet_id', '=', walletId)
        .where('protocol_id', '=', protocolId),
    )

    return Runs.of({
      find: ({ walletId, protocolId }) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toRun))),
      ...(yield* seeingRuns(database)),
      rounds: ({ walletId, protocolId }) =>
        database
          .query((db) =>
            db
              .selectFrom('rounds')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .orderBy('step')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRound))),
      forgotten: (held) => forgottenRounds(database, held),
      unfinished: (walletId) => Effect.map(unfinishedRows({ walletId }), (rows) => rows.map(toRun)),
      unfinishedOfSession: (sessionId) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .select(['wallet_id', 'protocol_id'])
              .where('session_id', '=', sessionId)
              .where('state', 'in', unfinished)
              .orderBy('wallet_id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toId))),
      expired: (now) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .select(['wallet_id', 'protocol_id'])
              .where('expires_at', '<=', now)
              .where('state', 'in', unfinished)
              .orderBy('wallet_id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toId))),
      begin: (run) => insertRun(toRow(run)),
      claim: ({ walletId, protocolId }, { step, requestHash, messageHash }) =>
        insertRound({
          wallet_id: walletId,
          protocol_id: protocolId,
          step,
          request_hash: requestHash,
          message_hash: messageHash,
          response_hash: null,
          sealed_state: null,
        }),
      answer: ({ walletId, protocolId }, { step, responseHash, sealedState }) =>
        storeAnswer({ walletId, protocolId, step, responseHash, sealedState }),
      start: (run) =>
        database
          .query((db) =>
            db
              .updateTable('runs')
              .set({ state: 'RUNNING', ...beginningOf(run) })
              .where('wallet_id', '=', run.walletId)
              .where('protocol_id', '=', run.protocolId)
              .where('state', '=', 'WAITING')
              .execute(),
          )
          .pipe(Effect.asVoid),
      move: ({ walletId, protocolId }, state) => setState({ walletId, protocolId, state }),
      extend: ({ walletId, protocolId }, expiresAt) => setEnd({ walletId, protocolId, expires_at: expiresAt }),
      finish: Effect.fnUntraced(function* ({ walletId, protocolId }, responseHash, finalBody) {
        yield* finishRounds({ walletId, protocolId, responseHash })
        yield* setResult({ walletId, protocolId, state: 'DONE', sealed_seed: null, final_body: finalBody })
      }),
      end: Effect.fnUntraced(function* (id, end) {
        yield* database.query((db) =>
          db
            .updateTable('runs')
            .set(ended(end))
            .where('wallet_id', '=', id.walletId)
            .where('protocol_id', '=', id.protocolId)
            .where('state', 'in', unfinished)
            .execute(),
        )
        yield* forget({ walletId: id.walletId, protocolId: id.protocolId })
      }),
      unclaim: ({ walletId, protocolId }) =>
        database
          .query((db) =>
            db.deleteFrom('rounds').where('wallet_id', '=', walletId).where('protocol_id', '=', protocolId).execute(),
          )
          .pipe(Effect.asVoid),
      voidTransfers: (walletId) =>
        database
          .query((db) =>
            db
              .updateTable('runs')
              .set({ transfers_void: true })
              .where('wallet_id', '=', walletId)
              .where('state', 'in', unfinished)
              .execute(),
          )
          .pipe(Effect.asVoid),
      sendingTheSame: ({ walletId, protocolId, digest }) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '!=', protocolId)
              .where('digest', '=', digest)
              .where('state', '=', 'DONE')
              .where('send_transaction', 'is not', null)
              .orderBy('created_at')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRun))),
      markBroadcast: ({ walletId, protocolId }, now) =>
        database
          .query((db) =>
            db
              .updateTable('runs')
              .set({ broadcast_at: now })
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .where('broadcast_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
      failedSetups: (walletId, since, sessionId) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .select((select) => select.fn.countAll<number>().as('failed'))
              .where('wallet_id', '=', walletId)
              .where('kind', 'in', ['keygen', 'attach', 'refresh'])
              .where('state', '!=', 'DONE')
              .where('created_at', '>', since)
              .$if(sessionId !== undefined, (of) => of.where('session_id', '=', sessionId ?? ''))
              .where((is) =>
                is.exists(
                  is
                    .selectFrom('rounds')
                    .select('rounds.step')
                    .whereRef('rounds.wallet_id', '=', 'runs.wallet_id')
                    .whereRef('rounds.protocol_id', '=', 'runs.protocol_id')
                    .where('rounds.step', '>=', tellingStep)
                    .where((told) =>
                      told.or([
                        told('runs.reason', 'like', `${failedCheck}%`),
                        told('rounds.response_hash', 'is not', null),
                      ]),
                    ),
                ),
              )
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ failed }) => failed)),
      setupsThatTold: (walletId, { from, until }) =>
        database
          .query((db) =>
            db
              .selectFrom('runs')
              .innerJoin('rounds', (join) =>
                join
                  .onRef('rounds.wallet_id', '=', 'runs.wallet_id')
                  .onRef('rounds.protocol_id', '=', 'runs.protocol_id'),
              )
              .select((select) => select.fn.countAll<number>().as('told'))
              .where('runs.wallet_id', '=', walletId)
              .where('runs.kind', 'in', ['keygen', 'attach', 'refresh'])
              .where('runs.created_at', '>=', from)
              .where('runs.created_at', '<', until)
              .where('rounds.step', '=', tellingStep)
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ told }) => told)),
      forgetEpochsBefore: (walletId, epoch, time) =>
        database
          .query((db) =>
            db
              .deleteFrom('runs')
              .where('wallet_id', '=', walletId)
              .where('epoch', '<', epoch)
              .where('created_at', '<', time)
              .where('state', 'not in', unfinished)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

type Row = WalletTables['runs']

const updateUnfinished = (db: QueryCreator<Tables>, { walletId, protocolId, ...row }: RunId & Updateable<Row>) =>
  db
    .updateTable('runs')
    .set(row)
    .where('wallet_id', '=', walletId)
    .where('protocol_id', '=', protocolId)
    .where('state', 'in', unfinished)

/** The held rounds that the database does not have, or has for another request. */
export const forgottenRounds = Effect.fnUntraced(function* (
  database: Database['Service'],
  held: readonly ClaimedRound[],
) {
  if (held.length === 0) return []
  const rounds = yield* database.query((db) =>
    db
      .selectFrom('rounds')
      .innerJoin('runs', (join) =>
        join.onRef('runs.wallet_id', '=', 'rounds.wallet_id').onRef('runs.protocol_id', '=', 'rounds.protocol_id'),
      )
      .select([
        'rounds.wallet_id as walletId',
        'rounds.protocol_id as protocolId',
        'rounds.step',
        'rounds.request_hash as requestHash',
      ])
      .where(
        'rounds.protocol_id',
        'in',
        held.map(({ protocolId }) => protocolId),
      )
      // What waits for its call has computed nothing, and claimed nothing outside.
      .where('runs.state', '!=', 'WAITING')
      .execute(),
  )
  const known = new Map(rounds.map((round) => [keyOfRound(round), round.requestHash]))
  return held.filter((round) => known.get(keyOfRound(round)) !== round.requestHash)
})

type LastAnswer = RunId & { readonly responseHash: string }

type AnsweredRound = RunId & Pick<Round, 'step' | 'responseHash' | 'sealedState'>

const ended = ({ state, reason }: End) => ({ state, reason, sealed_seed: null })

const toId = (row: { readonly wallet_id: string; readonly protocol_id: string }): RunId => ({
  walletId: row.wallet_id,
  protocolId: row.protocol_id,
})

const toRow = (run: RunRecord) => ({
  wallet_id: run.walletId,
  protocol_id: run.protocolId,
  kind: run.kind,
  scheme: run.scheme,
  session_id: run.sessionId,
  user_id: run.userId,
  partner_id: run.partnerId,
  device_key_thumb: run.deviceKeyThumb,
  epoch: run.epoch,
  share_id: run.shareId,
  ot_id: run.otId,
  attempt: run.attempt,
  root_public_key: run.rootPublicKey,
  payload_class: run.payloadClass,
  digest: run.digest,
  broadcast_at: run.sending?.broadcastAt ?? null,
  state: run.state,
  incarnation: run.generation,
  protocol_version: run.protocolVersion,
  final_body: null,
  reason: null,
  transfers_void: run.areTransfersVoid,
  created_at: run.createdAt,
  ...beginningOf(run),
})

/** What a run has once it is no longer WAITING. */
const beginningOf = ({ sealedSeed, sending, policyVersion, pendingTransactionId, expiresAt }: RunRecord) => ({
  sealed_seed: sealedSeed,
  send_transaction: sending?.transaction ?? null,
  send_chain_id: sending?.chainId ?? null,
  policy_version: policyVersion,
  pending_transaction_id: pendingTransactionId,
  expires_at: expiresAt,
})
