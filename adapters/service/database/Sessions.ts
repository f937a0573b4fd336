import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import * as CurrentWalletIds from '../../../domain/model/CurrentWalletIds.ts'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { sessionLimits, type SessionRecord } from '../../../domain/service/Session.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import { prepare } from './prepare.ts'
import { computed, toSession } from './sessionRow.ts'

export const SessionsDatabase = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    /** Told of what a waiting call answers (`sessions.ts`, `newsOf`). */
    const tell = (id: string) => () => publish(topicOf.session(id))

    const rowsOf = prepare(database, (db, { id }: { readonly id: string }) =>
      db.selectFrom('sessions').selectAll().select(computed).where('id', '=', id),
    )

    const find = (id: string) => Effect.map(rowsOf({ id }), ([row]) => toSession(row))

    const rowsOfToken = prepare(database, (db, { mac }: { readonly mac: string }) =>
      db
        .selectFrom('sessions')
        .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.id')
        .selectAll('sessions')
        .select(computed)
        .select(sql<number | null>`least(sessions.retires_at, session_tokens.retires_at)`.as('retires_at'))
        .where('session_tokens.mac', '=', mac),
    )

    const lock = Effect.fnUntraced(function* (id: string) {
      const row = yield* database.query((db) =>
        db.selectFrom('sessions').select('id').where('id', '=', id).forUpdate().executeTakeFirst(),
      )
      return row === undefined ? Option.none<SessionRecord>() : yield* find(id)
    })

    const setWallets: Sessions['Service']['setWallets'] = (id, { currentWalletIds, needsWallet }) =>
      database
        .query((db) =>
          db
            .updateTable('sessions')
            .set({ current_wallet_ids: json(currentWalletIds), needs_wallet: needsWallet })
            .where('id', '=', id)
            .execute(),
        )
        .pipe(Effect.tap(tell(id)), Effect.asVoid)

    return Sessions.of({
      find,
      lock,
      setWallets,
      create: (session, tokenMac) =>
        database.query(async (db) => {
          const created = db.insertInto('sessions').values({
            id: session.id,
            lookup_id: session.lookupId,
            partner_id: session.partnerId,
            origin: session.origin,
            state: session.state,
            user_id: session.userId,
            user_proven: session.userProven,
            identity: session.identity === null ? null : json(session.identity),
            login_public_key: null,
            login_key_thumbprint: null,
            ...noDeviceKey,
            opening_result: null,
            current_wallet_ids: json({}),
            needs_wallet: false,
            created_at: session.now,
            authenticated_at: null,
            last_used_at: session.now,
            retires_at: null,
          })
          const named = db
            .insertInto('session_tokens')
            .values({ mac: tokenMac, session_id: session.id, retires_at: null, created_at: session.now })
          // One statement: a session has its token, or is not there.
          await db
            .with('created', () => created)
            .with('named', () => named)
            .selectNoFrom(sql.lit(1).as('done'))
            .execute()
        }),
      findByToken: (mac) => Effect.map(rowsOfToken({ mac }), ([row]) => toSession(row)),
      findByLookupId: (lookupId) =>
        database
          .query((db) =>
            db.selectFrom('sessions').selectAll().select(computed).where('lookup_id', '=', lookupId).executeTakeFirst(),
          )
          .pipe(Effect.map(toSession)),
      use: (id, now) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ last_used_at: now })
              .where('id', '=', id)
              .where('last_used_at', '<', now)
              .execute(),
          )
          .pipe(Effect.asVoid),
      supersede: (id, retiresAt) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ retires_at: retiresAt })
              .where('id', '=', id)
              .where('retires_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
      replaceToken: Effect.fnUntraced(function* ({ sessionId, oldTokenMac, tokenMac, retiresAt, now }) {
        yield* database.query((db) =>
          db
            .updateTable('session_tokens')
            .set({ retires_at: retiresAt })
            .where('mac', '=', oldTokenMac)
            .where('retires_at', 'is', null)
            .execute(),
        )
        yield* database.query((db) =>
          db
            .insertInto('session_tokens')
            .values({ mac: tokenMac, session_id: sessionId, retires_at: null, created_at: now })
            .execute(),
        )
      }),
      setUser: (id, userId, identity) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ state: 'IDENTIFIED', user_id: userId, user_proven: false, identity: json(identity) })
              .where('id', '=', id)
              .execute(),
          )
          .pipe(Effect.tap(tell(id)), Effect.asVoid),
      verify: (id, userId) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ state: 'VERIFIED', user_proven: true })
              .where('id', '=', id)
              .where('state', '=', 'IDENTIFIED')
              .where('user_id', '=', userId)
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened), Effect.tap(tell(id))),
      registerKeys: (id, keys) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({
                login_public_key: keys.loginPublicKey,
                login_key_thumbprint: keys.loginKeyThumbprint,
                device_public_key: keys.devicePublicKey,
                device_key_thumb: keys.deviceKeyThumb,
                device_signs_requests: keys.deviceSignsRequests,
                recovery_public_key: keys.recoveryPublicKey,
              })
              .where('id', '=', id)
              .where('state', '!=', 'CLOSED')
              .where((is) =>
                is.or([is('device_public_key', 'is', null), is('device_public_key', '=', keys.devicePublicKey)]),
              )
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      bindLoginKey: (id, publicKey, thumbprint) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ login_public_key: publicKey, login_key_thumbprint: thumbprint })
              .where('id', '=', id)
              .where((is) => is.or([is('login_public_key', 'is', null), is('login_public_key', '=', publicKey)]))
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      authenticate: (id, authentication, now) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({
                state: 'AUTHENTICATED',
                user_id: authentication.userId,
                user_proven: true,
                device_certificate: authentication.deviceCertificate,
                opening_result: authentication.openingResult === null ? null : json(authentication.openingResult),
                current_wallet_ids: json(authentication.currentWalletIds),
                needs_wallet: authentication.needsWallet,
                authenticated_at: authentication.authenticatedAt,
                authenticated_by: authentication.authMethod,
                last_used_at: now,
                retires_at: null,
              })
              .where('id', '=', id)
              .where('state', '!=', 'CLOSED')
              .where((is) => is.or([is('user_proven', '=', false), is('user_id', '=', authentication.userId)]))
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened), Effect.tap(tell(id))),
      certify: (id, deviceCertificate) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({ device_certificate: deviceCertificate })
              .where('id', '=', id)
              .where('state', 'in', ['VERIFIED', 'AUTHENTICATED'])
              .where((is) =>
                is.or([is('device_certificate', 'is', null), is('device_certificate', '=', deviceCertificate)]),
              )
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      setCertificate: (id, { deviceCertificate, openingResult }) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({
                device_certificate: deviceCertificate,
                opening_result: openingResult === null ? null : json(openingResult),
              })
              .where('id', '=', id)
              .where('state', '=', 'VERIFIED')
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened), Effect.tap(tell(id))),
      idsOfUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('sessions')
              .select(['id', 'parent_id'])
              .where('user_id', '=', userId)
              .where('state', '!=', 'CLOSED')
              .orderBy('id')
              .execute(),
          )
          .pipe(
            Effect.map((rows) => [
              ...rows.filter(({ parent_id }) => parent_id === null),
              ...rows.filter(({ parent_id }) => parent_id !== null),
            ]),
            Effect.map((rows) => rows.map(({ id }) => id)),
          ),
      addWallet: Effect.fnUntraced(function* (id, type, walletId) {
        const session = yield* lock(id)
        if (Option.isNone(session)) return
        yield* setWallets(id, {
          currentWalletIds: CurrentWalletIds.add(session.value.currentWalletIds, type, walletId),
          needsWallet: false,
        })
      }),
      close: (id, now) =>
        database
          .query((db) =>
            db
              .updateTable('sessions')
              .set({
                state: 'CLOSED',
                login_public_key: null,
                login_key_thumbprint: null,
                ...noDeviceKey,
                opening_result: null,
                last_used_at: now,
              })
              .where('id', '=', id)
              .execute(),
          )
          .pipe(Effect.tap(tell(id)), Effect.asVoid),
      sweep: Effect.fnUntraced(function* (now) {
        const beforeAuthentication = now - sessionLimits.beforeAuthentication
        yield* database.query((db) =>
          db
            .deleteFrom('sessions')
            .where((is) =>
              is.or([
                is.and([
                  is('state', 'in', ['NEW', 'IDENTIFIED', 'VERIFIED', 'CLOSED']),
                  is('created_at', '<', beforeAuthentication),
                  is('last_used_at', '<', beforeAuthentication),
                  is.not(
                    is.exists(
                      is
                        .selectFrom('openings')
                        .select('openings.id')
                        .whereRef('openings.session_id', '=', 'sessions.id')
                        .where('openings.expires_at', '>=', now),
                    ),
                  ),
                  is.not(
                    is.exists(
                      is
                        .selectFrom('recoveries')
                        .select('recoveries.session_id')
                        .whereRef('recoveries.session_id', '=', 'sessions.id')
                        .where('recoveries.expires_at', '>=', now),
                    ),
                  ),
                ]),
                is('last_used_at', '<', now - sessionLimits.absolute),
              ]),
            )
            .execute(),
        )
        yield* database.query((db) => db.deleteFrom('session_tokens').where('retires_at', '<', now).execute())
        yield* database.query((db) => db.deleteFrom('challenges').where('expires_at', '<', now).execute())
        yield* database.query((db) => db.deleteFrom('codes').where('expires_at', '<', now).execute())
        yield* database.query((db) =>
          db.deleteFrom('passwords').where('status', '=', 'PENDING').where('expires_at', '<', now).execute(),
        )
        yield* database.query((db) =>
          db.deleteFrom('passkeys').where('status', '=', 'PENDING').where('expires_at', '<', now).execute(),
        )
      }),
    })
  }),
)

const noDeviceKey = {
  device_public_key: null,
  device_key_thumb: null,
  device_signs_requests: false,
  device_certificate: null,
  recovery_public_key: null,
}
