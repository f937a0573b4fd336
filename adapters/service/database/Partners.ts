import * as Arr from 'effect/Array'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { Kysely, Selectable } from 'kysely'
import { Notifications, partnersTopic } from '../../../domain/service/ports/Notifications.ts'
import { Partners, type PartnerKey } from '../../../domain/service/ports/Partners.ts'
import { originOf, PartnerSettings, type PartnerKeyKind, type PartnerRecord } from '../../../domain/service/Partner.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { prepare } from './prepare.ts'
import type { IdentityTables } from './IdentityTables.ts'
import type { Tables } from './Tables.ts'

const readSettings = reader('partners.settings', PartnerSettings)
const encodeSettings = Schema.encodeSync(PartnerSettings)

/** How long a partner or key is answered from memory. Another process may not hear that it has changed. */
const rememberedMs = 5_000

export const PartnersDatabase = Layer.effect(
  Partners,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish, subscribe } = yield* Notifications
    const byId = makeMemory<PartnerRecord>()
    const byKey = makeMemory<{
      readonly partner: PartnerRecord
      readonly kind: PartnerKeyKind
      readonly endsAt: number | null
    }>()
    const all = makeMemory<ReadonlySet<string>>()

    const forget = Effect.sync(() => {
      all.forget()
      byId.forget()
      byKey.forget()
    })
    const changed = yield* subscribe(partnersTopic)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(changed, forget)))
    // At once for this process, and to the others once it is committed.
    const announce = Effect.andThen(forget, publish(partnersTopic))

    const insertOrigins = (id: string, origins: readonly string[]) =>
      origins.length === 0
        ? Effect.void
        : database.query((db) =>
            db
              .insertInto('partner_origins')
              .values(origins.map((origin) => ({ partner_id: id, origin })))
              .onConflict((conflict) => conflict.doNothing())
              .execute(),
          )

    const setOrigins = (id: string, origins: readonly string[]) =>
      database
        .query((db) => db.deleteFrom('partner_origins').where('partner_id', '=', id).execute())
        .pipe(Effect.andThen(insertOrigins(id, origins)))

    const rowsOf = prepare(database, (db, { id }: { readonly id: string }) =>
      partnerRows(db).where('partners.id', '=', id),
    )

    const rowsOfKey = prepare(database, (db, { mac }: { readonly mac: string }) =>
      partnerRows(db)
        .innerJoin('partner_keys', 'partner_keys.partner_id', 'partners.id')
        .select(['partner_keys.mac', 'partner_keys.kind', 'partner_keys.ends_at', 'partner_keys.last_used_on'])
        .where('partner_keys.mac', '=', mac),
    )

    const read = (id: string) => Effect.map(rowsOf({ id }), toPartner)

    /** A key that is used is written once a day. No call fails because its use could not be noted. */
    const noteUse = Effect.fnUntraced(function* ({ mac, last_used_on: noted }: Pick<KeyRow, 'mac' | 'last_used_on'>) {
      const today = beginningOfDay(yield* Clock.currentTimeMillis)
      if (noted !== null && noted >= today) return
      yield* Effect.ignoreCause(
        database.query((db) =>
          db.updateTable('partner_keys').set({ last_used_on: today }).where('mac', '=', mac).execute(),
        ),
      )
    })

    const readByKey = Effect.fnUntraced(function* (mac: string) {
      const rows = yield* rowsOfKey({ mac })
      const [row] = rows
      if (row === undefined) return Option.none()
      yield* noteUse(row)
      return Option.map(toPartner(rows), (partner) => ({ partner, kind: row.kind, endsAt: row.ends_at }))
    })

    return Partners.of({
      find: (id) => byId.recall(id, read(id)),
      findByKey: (mac) => byKey.recall(mac, readByKey(mac)),
      lock: (id) =>
        Effect.andThen(
          database.query((db) => db.selectFrom('partners').select('id').where('id', '=', id).forUpdate().execute()),
          read(id),
        ),
      list: Effect.map(
        database.query((db) => partnerRows(db).execute()),
        toPartners,
      ),
      create: Effect.fnUntraced(function* ({ id, displayName, portalUrl, origins, ...settings }, now) {
        yield* database.query((db) =>
          db
            .insertInto('partners')
            .values({
              id,
              display_name: displayName,
              portal_url: portalUrl,
              settings: json(settings),
              created_at: now,
            })
            .execute(),
        )
        yield* insertOrigins(id, origins)
        yield* announce
      }),
      replace: Effect.fnUntraced(function* (partner) {
        const { id, displayName, portalUrl, origins } = partner
        const settings = json(encodeSettings(partner))
        yield* database.query((db) =>
          db
            .updateTable('partners')
            .set({ display_name: displayName, portal_url: portalUrl, settings })
            .where('id', '=', id)
            .execute(),
        )
        yield* setOrigins(id, origins)
        yield* announce
      }),
      setFrozenAt: (id, at) =>
        database
          .query((db) => db.updateTable('partners').set({ frozen_at: at }).where('id', '=', id).execute())
          .pipe(Effect.andThen(announce)),
      keysOf: (partnerId) =>
        Effect.map(
          database.query((db) =>
            db
              .selectFrom('partner_keys')
              .selectAll()
              .where('partner_id', '=', partnerId)
              .orderBy('created_at')
              .orderBy('mac')
              .execute(),
          ),
          (rows) => rows.map(toKey),
        ),
      endKey: (mac, endsAt) =>
        database
          .query((db) => db.updateTable('partner_keys').set({ ends_at: endsAt }).where('mac', '=', mac).execute())
          .pipe(Effect.andThen(announce)),
      removeKey: (mac) =>
        database
          .query((db) => db.deleteFrom('partner_keys').where('mac', '=', mac).execute())
          .pipe(Effect.andThen(announce)),
      addKey: ({ mac, partnerId, kind, now }) =>
        database
          .query((db) =>
            db.insertInto('partner_keys').values({ mac, partner_id: partnerId, kind, created_at: now }).execute(),
          )
          .pipe(Effect.andThen(announce)),
      origins: Effect.map(
        all.recall('', Effect.map(database.query(allOrigins), Option.some)),
        Option.getOrElse(() => new Set<string>()),
      ),
      setOrigins: (id, origins) => Effect.andThen(setOrigins(id, origins), announce),
    })
  }),
)

/** One row for each origin, in their order; one without an origin if there is none. */
const partnerRows = (db: Kysely<Tables>) =>
  db
    .selectFrom('partners')
    .leftJoin('partner_origins', 'partner_origins.partner_id', 'partners.id')
    .leftJoin('policies', 'policies.partner_id', 'partners.id')
    .selectAll('partners')
    .select((is) => [
      'partner_origins.origin',
      'policies.version as policy_version',
      is
        .exists(
          is
            .selectFrom('webhook_endpoints')
            .select('webhook_endpoints.id')
            .whereRef('webhook_endpoints.partner_id', '=', 'partners.id')
            .where('webhook_endpoints.disabled_at', 'is', null),
        )
        .$castTo<boolean>()
        .as('is_told'),
    ])
    .orderBy('partner_origins.origin')

/** Of pages, and of portals that are a partner's own. */
const allOrigins = async (db: Kysely<Tables>): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('partners')
    .leftJoin('partner_origins', 'partner_origins.partner_id', 'partners.id')
    .select(['partners.portal_url', 'partner_origins.origin'])
    .execute()
  return new Set(rows.flatMap((row) => [row.origin ?? [], originOf(row.portal_url ?? '') ?? []].flat()))
}

type Row = Selectable<IdentityTables['partners']> & {
  readonly origin: string | null
  readonly policy_version: number | null
  /** Whether an endpoint of its server is enabled. */
  readonly is_told: boolean
}

const toPartner = (rows: readonly Row[]): Option.Option<PartnerRecord> =>
  Option.map(Option.fromUndefinedOr(rows[0]), (row) => ({
    ...readSettings(row.settings),
    id: row.id,
    displayName: row.display_name,
    portalUrl: row.portal_url,
    origins: rows.flatMap(({ origin }) => (origin === null ? [] : [origin])),
    ...(row.policy_version === null ? {} : { hasPolicy: true }),
    ...(row.is_told ? { hasWebhooks: true } : {}),
    ...(row.frozen_at === null ? {} : { isFrozen: true }),
  }))

/** By name; those of one name by their ids. */
const toPartners = (rows: readonly Row[]): readonly PartnerRecord[] =>
  Object.values(Arr.groupBy(rows, ({ id }) => id))
    .flatMap((own) => Option.toArray(toPartner(own)))
    .toSorted((one, other) => compare(one.displayName, other.displayName) || compare(one.id, other.id))

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

type KeyRow = Selectable<IdentityTables['partner_keys']>

const toKey = ({ mac, kind, created_at, ends_at, last_used_on }: KeyRow): PartnerKey => ({
  mac,
  kind,
  createdAt: created_at,
  lastUsedOn: last_used_on,
  endsAt: ends_at,
})

const day = 24 * 60 * 60_000

const beginningOfDay = (now: number): number => now - (now % day)

/** What was found stays for a while; what was not found is looked for each time. */
const makeMemory = <A>() => {
  let known = new Map<string, { readonly value: A; readonly readAt: number }>()
  return {
    forget: () => {
      known = new Map()
    },
    recall: Effect.fnUntraced(function* (id: string, read: Effect.Effect<Option.Option<A>>) {
      const now = yield* Clock.currentTimeMillis
      const held = known.get(id)
      if (held !== undefined && now >= held.readAt && now < held.readAt + rememberedMs) return Option.some(held.value)
      // A change that is announced during the read forgets this map, too.
      const before = known
      const found = yield* read
      if (Option.isSome(found)) before.set(id, { value: found.value, readAt: now })
      return found
    }),
  }
}
