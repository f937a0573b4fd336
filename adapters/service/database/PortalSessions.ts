import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { type PortalSessionRecord, type PortalSessionState } from '../../../domain/service/PortalSession.ts'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { PortalSessions } from '../../../domain/service/ports/PortalSessions.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { IdentityTables } from './IdentityTables.ts'

export const PortalSessionsDatabase = Layer.effect(
  PortalSessions,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    const tellAll = (ids: readonly { readonly id: string }[]) =>
      Effect.forEach(ids, ({ id }) => publish(topicOf.portalSession(id)), { discard: true })

    /** A commit releases what the page left for the user's devices. */
    const tellOfMove =
      (to: PortalSessionState) => (row: { readonly id: string; readonly user_id: string | null } | undefined) => {
        if (row === undefined) return Effect.void
        const own = tellAll([row])
        const isCommitted = to === 'COMMITTED' || to === 'REDEEMED'
        return isCommitted && row.user_id !== null ? Effect.andThen(own, publish(topicOf.user(row.user_id))) : own
      }

    /** Compare-and-set of the state; other columns change in the same statement. */
    const move = (
      id: string,
      from: readonly PortalSessionState[],
      to: PortalSessionState,
      values: Partial<
        Pick<IdentityTables['openings'], 'variant' | 'redeem_hash' | 'token_mac' | 'commit_mac' | 'deferred_commit'>
      > = {},
    ) =>
      database
        .query((db) =>
          db
            .updateTable('openings')
            .set({ state: to, ...values })
            .where('id', '=', id)
            .where('state', 'in', from)
            .returning(['id', 'user_id'])
            .executeTakeFirst(),
        )
        .pipe(Effect.tap(tellOfMove(to)), Effect.map(happened))

    /** All of that session or user that are not over, but this one. */
    const close = (column: 'session_id' | 'user_id', of: string, but = '') =>
      database
        .query((db) =>
          db
            .updateTable('openings')
            .set(closed)
            .where(column, '=', of)
            .where('id', '!=', but)
            .where('state', 'in', unfinished)
            .returning('id')
            .execute(),
        )
        .pipe(Effect.flatMap(tellAll))

    return PortalSessions.of({
      create: (portalSession) =>
        database
          .query((db) =>
            db
              .insertInto('openings')
              .values({
                id: portalSession.id,
                session_id: portalSession.sessionId,
                partner_id: portalSession.partnerId,
                page: portalSession.page,
                record_id: portalSession.recordId,
                portal_origin: portalSession.portalOrigin,
                state: 'OPEN',
                variant: 'opener',
                user_id: portalSession.userId,
                secret_hash: portalSession.secretHash,
                token_mac: null,
                redeem_hash: null,
                commit_mac: null,
                deferred_commit: null,
                ticketed_at: null,
                verified_at: null,
                created_at: portalSession.now,
                expires_at: portalSession.expiresAt,
                last_beat_at: portalSession.now,
                close_asked_at: null,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      find: (id) =>
        database
          .query((db) => db.selectFrom('openings').selectAll().where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map(toPortalSession)),
      findByToken: (mac) =>
        database
          .query((db) => db.selectFrom('openings').selectAll().where('token_mac', '=', mac).executeTakeFirst())
          .pipe(Effect.map(toPortalSession)),
      lock: (id) =>
        database
          .query((db) => db.selectFrom('openings').selectAll().where('id', '=', id).forUpdate().executeTakeFirst())
          .pipe(Effect.map(toPortalSession)),
      ofSession: (sessionId, now) =>
        database
          .query((db) =>
            db
              .selectFrom('openings')
              .selectAll()
              .where('session_id', '=', sessionId)
              .where('state', 'in', unfinished)
              .where('expires_at', '>=', now)
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(fromRow))),
      ticket: Effect.fnUntraced(function* (id, sessionId, now) {
        const ticketed = yield* database.query((db) =>
          db
            .updateTable('openings')
            .set({ state: 'TICKETED', ticketed_at: now })
            .where('id', '=', id)
            .where('session_id', '=', sessionId)
            .where('state', '=', 'OPEN')
            .returning('id')
            .executeTakeFirst(),
        )
        if (ticketed === undefined) return false
        yield* close('session_id', sessionId, id)
        return true
      }),
      enter: (id, entrance, tokenMac) =>
        move(id, [entrance.variant === 'opener' ? 'TICKETED' : 'OPEN'], 'TOKEN', {
          variant: entrance.variant,
          redeem_hash: entrance.variant === 'redirect' ? entrance.redeemHash : null,
          token_mac: tokenMac,
        }),
      verify: (id, userId, now) =>
        database
          .query((db) =>
            db
              .updateTable('openings')
              .set({ state: 'VERIFIED', user_id: userId, verified_at: now })
              .where('id', '=', id)
              .where((is) =>
                is.or([is('state', '=', 'TOKEN'), is.and([is('state', '=', 'VERIFIED'), is('user_id', '=', userId)])]),
              )
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      commit: (id, commitMac) => move(id, ['TOKEN', 'VERIFIED'], 'COMMITTED', { commit_mac: commitMac }),
      defer: (id, commitMac, sealedCommit) =>
        move(id, ['TOKEN', 'VERIFIED'], 'DEFERRED', { commit_mac: commitMac, deferred_commit: sealedCommit }),
      deferredCommit: (id) =>
        database
          .query((db) => db.selectFrom('openings').select('deferred_commit').where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map((row) => Option.fromNullishOr(row?.deferred_commit))),
      redeem: (id) => move(id, ['DEFERRED'], 'REDEEMED', { deferred_commit: null }),
      heartbeat: (id, now) =>
        database
          .query((db) =>
            db.updateTable('openings').set({ last_beat_at: now, close_asked_at: null }).where('id', '=', id).execute(),
          )
          .pipe(Effect.asVoid),
      askClose: (id, now) =>
        database
          .query((db) => db.updateTable('openings').set({ close_asked_at: now }).where('id', '=', id).execute())
          .pipe(Effect.andThen(tellAll([{ id }]))),
      end: (id) => move(id, ['OPEN', 'TICKETED'], 'CLOSED', {}),
      closeOfSession: (sessionId) => close('session_id', sessionId),
      closeOfUser: (userId) => close('user_id', userId),
      sweep: (before) =>
        database
          .query((db) => db.deleteFrom('openings').where('expires_at', '<', before).execute())
          .pipe(Effect.asVoid),
    })
  }),
)

const unfinished: readonly PortalSessionState[] = ['OPEN', 'TICKETED', 'TOKEN', 'VERIFIED', 'DEFERRED']

/** A deferred commit is deleted with it. */
const closed = { state: 'CLOSED', deferred_commit: null } as const

const fromRow = (row: Selectable<IdentityTables['openings']>): PortalSessionRecord => ({
  id: row.id,
  sessionId: row.session_id,
  partnerId: row.partner_id,
  page: row.page,
  recordId: row.record_id,
  portalOrigin: row.portal_origin,
  state: row.state,
  variant: row.variant,
  userId: row.user_id,
  secretHash: row.secret_hash,
  redeemHash: row.redeem_hash,
  commitMac: row.commit_mac,
  ticketedAt: row.ticketed_at,
  verifiedAt: row.verified_at,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastHeartbeatAt: row.last_beat_at,
  closeAskedAt: row.close_asked_at,
})

const toPortalSession = (row: Selectable<IdentityTables['openings']> | undefined): Option.Option<PortalSessionRecord> =>
  Option.map(Option.fromUndefinedOr(row), fromRow)
