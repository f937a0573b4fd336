import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Spends } from '../../../domain/service/ports/Spends.ts'
import { Database } from './Database.ts'

const columnOf = { wallet: 'wallet_id', user: 'user_id', partner: 'partner_id' } as const

export const SpendsDatabase = Layer.effect(
  Spends,
  Effect.gen(function* () {
    const database = yield* Database

    return Spends.of({
      add: Effect.fnUntraced(function* ({ walletId, digest, userId, partnerId, protocolId, amounts, recipients, at }) {
        const run = { wallet_id: walletId, digest, protocol_id: protocolId }
        yield* database.query((db) =>
          db
            .insertInto('spends')
            .values(
              amounts.map(({ asset, amount }) => ({
                ...run,
                user_id: userId,
                partner_id: partnerId,
                asset,
                amount: String(amount),
                at,
              })),
            )
            .onConflict((conflict) => conflict.columns(['wallet_id', 'digest', 'asset']).doNothing())
            .execute(),
        )
        if (recipients.length === 0) return
        yield* database.query((db) =>
          db
            .insertInto('spend_recipients')
            .values(recipients.map((recipient) => ({ ...run, recipient })))
            .onConflict((conflict) => conflict.columns(['wallet_id', 'recipient', 'digest']).doNothing())
            .execute(),
        )
      }),
      takeBack: Effect.fnUntraced(function* ({ walletId, protocolId, createdAt }) {
        const taken = yield* database.query((db) =>
          db
            .deleteFrom('spends')
            .where('wallet_id', '=', walletId)
            .where('protocol_id', '=', protocolId)
            .where('at', '>=', createdAt)
            .returning('digest')
            .execute(),
        )
        if (taken.length === 0) return
        yield* database.query((db) =>
          db
            .deleteFrom('spend_recipients')
            .where('wallet_id', '=', walletId)
            .where('protocol_id', '=', protocolId)
            .where(
              'digest',
              'in',
              taken.map(({ digest }) => digest),
            )
            .execute(),
        )
      }),
      sum: ({ holder, asset, since, without }) =>
        database
          .query((db) =>
            db
              .selectFrom('spends')
              .select((is) => is.fn.sum<string | null>('amount').as('spent'))
              .where(columnOf[holder.of], '=', holder.id)
              .where('partner_id', '=', holder.partnerId)
              .where('asset', '=', asset)
              .where('at', '>', since)
              .where((is) => is.or([is('wallet_id', '!=', without.walletId), is('digest', '!=', without.digest)]))
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ spent }) => BigInt(spent ?? 0))),
      paid: Effect.fnUntraced(function* (walletId, addresses) {
        if (addresses.length === 0) return new Set<string>()
        const rows = yield* database.query((db) =>
          db
            .selectFrom('spend_recipients')
            .select('recipient')
            .where('wallet_id', '=', walletId)
            .where('recipient', 'in', addresses)
            .execute(),
        )
        return new Set(rows.map(({ recipient }) => recipient))
      }),
      sweep: (before, limit) =>
        database
          .query((db) =>
            db
              .deleteFrom('spends')
              .where('digest', 'in', (is) =>
                is.selectFrom('spends').select('digest').where('at', '<', before).orderBy('at').limit(limit),
              )
              .where('at', '<', before)
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
    })
  }),
)
