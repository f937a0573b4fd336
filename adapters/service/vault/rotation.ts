/**
 * Rotation of a key ring beside running processes (adapters/service/vault/README.md#rotation). Each function may be
 * killed anywhere and called again. The ring's file is written under the lock of a row of the database, so that of
 * several callers one goes on after the other.
 */
import { randomBytes } from 'node:crypto'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { wipe } from '../../../domain/crypto/wipe.ts'
import { ringOf, type Ring, type SealedTable } from '../../../domain/service/ports/SealedTables.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { counted } from '../counted.ts'
import { Database } from '../database/Database.ts'
import type { Tables } from '../database/Tables.ts'
import { orRefused } from './KeyFileRefused.ts'
import {
  activeOf,
  keyIdLength,
  keyLength,
  lookEveryMs,
  ringKey,
  type FiledKey,
  type KeyRing,
  type RingStore,
} from './KeyRing.ts'
import { headerLength, openRecord, sealRecord, type RecordKeys } from './sealing.ts'
import { bytesOf, sealedColumns, type SealedColumn, type SealedRow } from './sealedColumns.ts'

/** What rotations need beside the ring. */
export type RotationOf = { readonly store: RingStore; readonly shareKeys: RecordKeys['shareKeys'] }

export type Waits = {
  /** How far ahead a new key becomes active, in milliseconds: every process has to have read the ring by then. */
  readonly activeInMs: number
  /** How long after a rotation an older key may be needed by what was sealed before and is stored after it. */
  readonly settleMs: number
}

/** Beside running processes that see the ring's file change. No request takes as long as `settleMs`. */
export const usualWaits: Waits = { activeInMs: 5 * lookEveryMs, settleMs: 10 * 60_000 }

/** What a key holds up: records of the database by their table, and clients' capsules. */
export type Need = { readonly of: SealedTable; readonly count: number }

export type Rotated = {
  /** hex(8) */
  readonly id: string
  readonly rewrapped: number
  /** Not opened, so left under their keys: their share key is lost, or they were changed. */
  readonly left: number
  /** Clients' capsules under older keys. */
  readonly capsules: number
}

export type KeyStatus = {
  readonly id: string
  readonly activeFrom: number
  readonly rewrappedAt: number | undefined
  readonly isActive: boolean
  readonly needs: readonly Need[]
}

/** Why a key was not rotated or retired, as a sentence. */
export class RotationRefused extends Data.TaggedError('RotationRefused')<{
  readonly message: string
  readonly needs?: readonly Need[]
  /** What to do about it, where that is known. */
  readonly fix?: string
}> {}

/**
 * Makes a new key, waits until every process seals with it, and seals every record of the ring anew. Goes on with a
 * rotation that was not finished. `progress` is called after each batch with how many are done.
 */
export const rotateRing = Effect.fn('vault.rotateRing')(function* (
  of: RotationOf,
  { activeInMs }: Pick<Waits, 'activeInMs'>,
  progress: (rewrapped: number) => void = () => undefined,
) {
  const { store } = of
  const { root } = yield* Database
  const newest = yield* attempt(() =>
    underLock(root, async () => {
      const keys = await requireRing(store)
      const last = keys.at(-1) ?? keys[0]
      if (keys.length > 1 && last.rewrappedAt === undefined) return last
      const activeFrom = Math.max(Date.now() + activeInMs, last.activeFrom + 1)
      const made: FiledKey = ringKey(randomBytes(keyLength), activeFrom)
      await store.replace([...keys, made])
      return made
    }),
  )
  const early = newest.activeFrom - Date.now()
  // After its time, also the last process that had not looked yet has.
  if (early > 0) yield* Effect.sleep(early + lookEveryMs)
  const ring = yield* attempt(() => store.open())
  const { rewrapped, left } = yield* attempt(() => rewrap(root, of, ring, progress))
  yield* attempt(() =>
    underLock(root, async () => {
      const keys = await requireRing(store)
      await store.replace(keys.map((key) => (key.id === newest.id ? { ...key, rewrappedAt: Date.now() } : key)))
    }),
  )
  const older = ring.keys().filter(({ id }) => id !== newest.id)
  const capsules = yield* attempt(async () => {
    const counts = await Promise.all(older.map(({ id }, index) => capsulesUnder(root, store.ring, id, index === 0)))
    return counts.reduce((sum, count) => sum + count, 0)
  })
  return { id: newest.id, rewrapped, left, capsules } satisfies Rotated
})

/**
 * Removes a key from the ring. Refused with `RotationRefused` while anything needs it. What a request sealed before the
 * rotation and stored after it is sealed anew first. `abandoned`: so many capsules of devices may be given up with the
 * key; they give the provider no share back any more.
 */
export const retireKey = Effect.fn('vault.retireKey')(function* (
  of: RotationOf,
  id: string,
  { settleMs }: Pick<Waits, 'settleMs'>,
  abandoned = 0,
) {
  const { store } = of
  const { root } = yield* Database
  yield* attempt(async () => {
    await requireRetirable(store, id, settleMs)
    await rewrap(root, of, await store.open(), () => undefined)
    await underLock(root, async (db) => {
      const keys = await requireRetirable(store, id, settleMs)
      const all = await needsOf(db, of, { id, isOldest: keys[0]?.id === id, isActive: false })
      const needs = all.filter((need) => need.of !== 'capsules' || need.count > abandoned)
      if (needs.length > 0) throw refused(`Key ${id} is needed: ${needs.map(sentence).join(', ')}.`, needs)
      await store.replace(keys.filter((key) => key.id !== id))
    })
  })
})

/** The ring's keys, if every process has stopped sealing with this one. */
const requireRetirable = async (store: RingStore, id: string, settleMs: number): Promise<readonly FiledKey[]> => {
  const keys = await requireRing(store)
  const newest = keys.at(-1) ?? keys[0]
  if (!keys.some((key) => key.id === id)) throw hasNoKey(store.ring, id)
  if (newest.id === id) throw refused(`Key ${id} is the one that seals; rotate the ring first.`)
  if (newest.rewrappedAt === undefined)
    throw refused(`The rotation to ${newest.id} is not finished; rotate the ring again, which goes on with it.`)
  const waitMs = Math.max(newest.rewrappedAt, newest.activeFrom) + settleMs - Date.now()
  if (waitMs > 0)
    throw new RotationRefused({
      message: `The ring was rotated a moment ago; key ${id} can go in ${minutesOf(waitMs)}.`,
      fix: 'Wait until then.',
    })
  return keys
}

/** Each key of the ring, oldest first, with what needs it. */
export const ringStatus = Effect.fn('vault.ringStatus')(function* (of: RotationOf) {
  const { root } = yield* Database
  return yield* attempt(async () => {
    const keys = await requireRing(of.store)
    const active = activeOf(keys, Date.now())?.id
    const status: KeyStatus[] = []
    for (const [index, { id, activeFrom, rewrappedAt }] of keys.entries()) {
      const isActive = id === active
      const needs = await needsOf(root, of, { id, isOldest: index === 0, isActive })
      status.push({ id, activeFrom, rewrappedAt, isActive, needs })
    }
    return status
  })
})

const batch = 200

const rewrap = async (
  db: Kysely<Tables>,
  { store, shareKeys }: RotationOf,
  ring: KeyRing,
  progress: (rewrapped: number) => void,
) => {
  const keys: RecordKeys = { rings: { [store.ring]: ring }, shareKeys }
  let rewrapped = 0
  let left = 0
  for (const column of columnsOf(store.ring)) {
    const { associatedDataOf } = column
    if (associatedDataOf === undefined) continue
    for (let isAgain = true; isAgain;) {
      // A row that changed meanwhile is met again in another round.
      isAgain = false
      let leftHere = 0
      for (let after: SealedRow | undefined; ;) {
        const rows = await rowsOf(db, column, sql`<> ${hexToBytes(ring.active().id)}`, after)
        for (const row of rows) {
          const sealed = resealed(keys, associatedDataOf(row), column, row)
          if (sealed === undefined) leftHere++
          else if (await replace(db, column, row, sealed)) rewrapped++
          else isAgain = true
        }
        progress(rewrapped)
        after = rows.at(-1)
        if (rows.length < batch || column.id.length === 0) break
      }
      if (!isAgain) left += leftHere
    }
  }
  return { rewrapped, left }
}

const resealed = (
  keys: RecordKeys,
  associatedData: AssociatedData,
  { column, sealAt = 0 }: SealedColumn,
  row: SealedRow,
): Uint8Array | undefined => {
  const held = bytesOf(row[column])
  const plaintext = openRecord(keys, associatedData, held.subarray(sealAt))
  if (plaintext === undefined) return undefined
  try {
    return concatBytes(held.subarray(0, sealAt), sealRecord(keys, associatedData, plaintext))
  } finally {
    wipe(plaintext)
  }
}

/** Whether the row was still as it was read. */
const replace = async (
  db: Kysely<Tables>,
  { table, column, id }: SealedColumn,
  row: SealedRow,
  sealed: Uint8Array,
): Promise<boolean> => {
  const names = id.map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  const is = sql.join([...names, sql`${sql.ref(column)} = ${row[column]}`], sql` and `)
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where ${is}`.execute(db)
  return numAffectedRows === 1n
}

/** The next batch of rows whose record names a key that `is`. */
const rowsOf = async (
  db: Kysely<Tables>,
  of: SealedColumn,
  is: RawBuilder<unknown>,
  after: SealedRow | undefined,
): Promise<readonly SealedRow[]> => {
  const { table, id } = of
  const names = sql.join(id.map((name) => sql.ref(name)))
  const conditions = [
    ...conditionsOf(of, is),
    ...(after === undefined ? [] : [sql`(${names}) > (${sql.join(id.map((name) => after[name]))})`]),
  ]
  const order = id.length === 0 ? sql`` : sql`order by ${names}`
  const found = await sql<SealedRow>`select * from ${sql.table(table)}
    where ${sql.join(conditions, sql` and `)} ${order} limit ${sql.lit(batch)}`.execute(db)
  return found.rows
}

const conditionsOf = (
  { column, sealAt = 0, where }: SealedColumn,
  is: RawBuilder<unknown>,
): readonly RawBuilder<unknown>[] => [
  sql`substring(${sql.ref(column)} from ${sql.lit(sealAt + 2)} for ${sql.lit(keyIdLength)}) ${is}`,
  sql`length(${sql.ref(column)}) > ${sql.lit(sealAt + headerLength)}`,
  ...(where === undefined ? [] : [where]),
]

type KeyOfRing = { readonly id: string; readonly isOldest: boolean; readonly isActive: boolean }

const needsOf = async (
  db: Kysely<Tables>,
  { store, shareKeys }: RotationOf,
  { id, isOldest, isActive }: KeyOfRing,
): Promise<readonly Need[]> => {
  const needs: Need[] = []
  for (const of of tablesOf(store.ring)) {
    let count = 0
    for (const column of sealedColumns[of]) {
      // Of the active key all count, which may be as many as the database has.
      const isCounted = column.isOfSharing !== true || isActive
      count += isCounted ? await countUnder(db, column, id) : await livingUnder(db, column, id, shareKeys)
    }
    needs.push({ of, count })
  }
  needs.push({ of: 'capsules', count: await capsulesUnder(db, store.ring, id, isOldest) })
  return needs.filter(({ count }) => count > 0)
}

const countUnder = async (db: Kysely<Tables>, column: SealedColumn, id: string): Promise<number> => {
  const conditions = sql.join(conditionsOf(column, sql`= ${hexToBytes(id)}`), sql` and `)
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(column.table)}
    where ${conditions}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Without dead records. */
const livingUnder = async (
  db: Kysely<Tables>,
  column: SealedColumn,
  id: string,
  shareKeys: RecordKeys['shareKeys'],
): Promise<number> => {
  let count = 0
  for (let after: SealedRow | undefined; ;) {
    const rows = await rowsOf(db, column, sql`= ${hexToBytes(id)}`, after)
    for (const row of rows) if (!(await isDead(db, column, shareKeys, row))) count++
    after = rows.at(-1)
    if (rows.length < batch) return count
  }
}

/**
 * Whether the record is of a sharing that was replaced and whose share key is destroyed: no key opens it. Where the
 * sharing is in force, a missing share key may be one of another folder, so the record counts.
 */
const isDead = async (
  db: Kysely<Tables>,
  { associatedDataOf }: SealedColumn,
  shareKeys: RecordKeys['shareKeys'],
  row: SealedRow,
): Promise<boolean> => {
  const sharing = associatedDataOf?.(row).sharing
  if (sharing === undefined) return false
  const key = shareKeys.find(sharing)
  if (key !== undefined) {
    wipe(key)
    return false
  }
  return !(await isInForce(db, sharing))
}

const isInForce = async (db: Kysely<Tables>, { walletId, shareId }: Sharing): Promise<boolean> => {
  const active = db.selectFrom('wallets').select('id').where('id', '=', walletId).where('share_id', '=', shareId)
  const coming = db
    .selectFrom('refreshes')
    .select('wallet_id as id')
    .where('wallet_id', '=', walletId)
    .where('share_id', '=', shareId)
    .where('state', 'in', ['PREPARED', 'COMMITTED'])
  return (await active.unionAll(coming).execute()).length > 0
}

/** Of those that an earlier version made it is not known; they are under the oldest key. */
const capsulesUnder = async (db: Kysely<Tables>, ring: Ring, id: string, isOldest: boolean): Promise<number> => {
  if (ring !== ringOf.capsules) return 0
  const { count } = await db
    .selectFrom('provider_shares')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where((where) =>
      isOldest
        ? where.or([where('capsule_key_id', '=', id), where('capsule_key_id', 'is', null)])
        : where('capsule_key_id', '=', id),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

const tablesOf = (ring: Ring): readonly SealedTable[] =>
  (Object.keys(sealedColumns) as SealedTable[]).filter((table) => ringOf[table] === ring)

const columnsOf = (ring: Ring): readonly SealedColumn[] => tablesOf(ring).flatMap((table) => sealedColumns[table])

const sentence = ({ of, count }: Need): string =>
  of === 'capsules' ? `${counted(count, 'capsule')} that devices keep` : `${counted(count, 'record')} of ${of}`

const minutesOf = (ms: number): string => {
  const minutes = Math.ceil(ms / 60_000)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

export const hasNoKey = (ring: Ring, id: string): RotationRefused =>
  new RotationRefused({ message: `The ring '${ring}' has no key ${id}.`, fix: '`tandem kek status` lists the keys.' })

const requireRing = async (store: RingStore) => {
  const keys = await store.read()
  if (keys === undefined) throw refused(`There is no ring in ${store.at}; \`tandem kek split\` or \`create\` makes it.`)
  return keys
}

const refused = (message: string, needs: readonly Need[] = []) => new RotationRefused({ message, needs })

/** Two callers at once change the file one after the other. */
const underLock = <A>(db: Kysely<Tables>, change: (db: Kysely<Tables>) => Promise<A>): Promise<A> =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('mac_key').select('one').forUpdate().executeTakeFirst()
    if (row === undefined) throw refused('This database has no MAC key yet; start the service once.')
    return change(transaction)
  })

/** Anything but a refusal is a defect. */
const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, RotationRefused> =>
  Effect.catch(Effect.tryPromise({ try: run, catch: (cause) => cause }), (cause) => {
    return cause instanceof RotationRefused ? Effect.fail(cause) : orRefused(refused)(cause)
  })
