import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Delegations } from '../../../domain/service/ports/Delegations.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { readDelegation } from './sessionRow.ts'

export const DelegationsDatabase = Layer.effect(
  Delegations,
  Effect.gen(function* () {
    const database = yield* Database

    return Delegations.of({
      create: Effect.fnUntraced(function* (session, tokenMac) {
        yield* database.query((db) =>
          db
            .insertInto('sessions')
            .values({
              id: session.id,
              lookup_id: session.lookupId,
              partner_id: session.partnerId,
              origin: null,
              state: 'AUTHENTICATED',
              user_id: session.userId,
              user_proven: true,
              identity: null,
              login_public_key: null,
              login_key_thumbprint: null,
              device_public_key: session.devicePublicKey,
              device_key_thumb: session.deviceKeyThumb,
              device_signs_requests: true,
              // The delegation has that of the delegating device. A version that does not know delegations finds none here.
              device_certificate: null,
              recovery_public_key: null,
              opening_result: null,
              current_wallet_ids: json(session.currentWalletIds),
              needs_wallet: false,
              created_at: session.now,
              authenticated_at: session.now,
              last_used_at: session.now,
              retires_at: null,
              parent_id: session.delegation.parentId,
              delegation: json(session.delegation),
            })
            .execute(),
        )
        yield* database.query((db) =>
          db
            .insertInto('session_tokens')
            .values({ mac: tokenMac, session_id: session.id, retires_at: null, created_at: session.now })
            .execute(),
        )
      }),
      idsOf: (parentId) =>
        database
          .query((db) =>
            db
              .selectFrom('sessions')
              .select('id')
              .where('parent_id', '=', parentId)
              .where('state', '!=', 'CLOSED')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(({ id }) => id))),
      ofUser: (userId, partnerId) =>
        database
          .query((db) =>
            db
              .selectFrom('sessions')
              .select(['id', 'delegation', 'created_at', 'last_used_at'])
              .where('user_id', '=', userId)
              .where('partner_id', '=', partnerId)
              .where('parent_id', 'is not', null)
              .where('state', '!=', 'CLOSED')
              .orderBy('created_at')
              .execute(),
          )
          .pipe(
            Effect.map((rows) =>
              rows.flatMap((row) => {
                const delegation = readDelegation(row.delegation)
                if (delegation === null) return []
                const { parentId, scope, expiresAt } = delegation
                return [
                  { id: row.id, parentId, scope, expiresAt, createdAt: row.created_at, lastUsedAt: row.last_used_at },
                ]
              }),
            ),
          ),
    })
  }),
)
