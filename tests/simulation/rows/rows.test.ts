/** Rows in memory beyond SQL: pauses, transactions ended from outside, lost answers of COMMIT, snapshots. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import { kyselyOn } from './kyselyOn.ts'
import { shapes } from './memoryDatabase.ts'
import type { OpenTransaction } from './OpenTransaction.ts'
import { Rows } from './Rows.ts'

let rows: Rows

beforeEach(async () => {
  rows = new Rows(shapes)
  await insert(kyselyOn(rows), 'a')
})

const insert = (kysely: Kysely<Tables>, holder: string, nonce = 'first') =>
  kysely.insertInto('challenges').values({ holder, nonce, expires_at: 1 }).execute()

const change = (kysely: Kysely<Tables>, holder: string, nonce: string) =>
  kysely.updateTable('challenges').set({ nonce }).where('holder', '=', holder).returning('nonce').executeTakeFirst()

const nonces = () => rows.rows('challenges').map(({ holder, nonce }) => `${String(holder)} ${String(nonce)}`)

const lost = { code: '08006' }

/** A promise that is resolved by `open`. */
const gate = () => {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}

describe('pauses', () => {
  it('occur before each statement and commit, and after each wait', async () => {
    const heard: string[] = []
    const kysely = kyselyOn(rows, { pause: async (what) => void heard.push(what) })

    await kysely.selectFrom('challenges').selectAll().execute()
    await insert(kysely, 'b')
    const transaction = await kysely.startTransaction().execute()
    await change(transaction, 'a', 'held')
    const waiting = change(kysely, 'a', 'next')
    await expect.poll(() => heard.at(-1)).toBe('update challenges')
    await transaction.commit().execute()
    await waiting
    await kysely.deleteFrom('challenges').execute()

    expect(heard).toEqual([
      'select challenges',
      'insert challenges',
      'commit',
      'update challenges',
      'update challenges',
      'commit',
      'woken challenges',
      'commit',
      'delete challenges',
      'commit',
    ])
    expect(rows.statements).toBe(6)
  })

  it('decide which commits a statement sees: those before the pause ends', async () => {
    const { passed, open } = gate()
    const slow = kyselyOn(rows, { pause: (what) => (what === 'select challenges' ? passed : undefined) })

    const read = slow.selectFrom('challenges').select('nonce').execute()
    await change(kyselyOn(rows), 'a', 'second')
    open()

    expect(await read).toEqual([{ nonce: 'second' }])
  })
})

describe('a transaction that is ended from outside', () => {
  it('leaves nothing, lets others go on, and has lost its connection', async () => {
    let killed: OpenTransaction | undefined
    const kysely = kyselyOn(rows, { begun: (transaction) => (killed = transaction) })
    const transaction = await kysely.startTransaction().execute()
    await change(transaction, 'a', 'never')
    const other = change(kyselyOn(rows), 'a', 'next')
    await expect.poll(() => killed?.waiting.size).toBe(1)

    if (killed !== undefined) rows.end(killed, false)

    expect(await other).toEqual({ nonce: 'next' })
    await expect(change(transaction, 'a', 'later')).rejects.toMatchObject(lost)
    await expect(transaction.commit().execute()).rejects.toMatchObject(lost)
    expect(nonces()).toEqual(['a next'])
  })

  it('fails while it waits, and waits no longer', async () => {
    const begun: OpenTransaction[] = []
    const holder = await kyselyOn(rows).startTransaction().execute()
    await change(holder, 'a', 'held')
    const waiting = change(kyselyOn(rows, { begun: (transaction) => begun.push(transaction) }), 'a', 'never')
    await expect.poll(() => begun[0]?.waitsFor !== undefined).toBe(true)

    for (const transaction of begun) rows.end(transaction, false)

    await expect(waiting).rejects.toMatchObject(lost)
    await holder.commit().execute()
    expect(nonces()).toEqual(['a held'])
    expect(rows.open.size).toBe(0)
  })

  it('is committed without an answer to its client, if its end says so', async () => {
    const cut = kyselyOn(rows, {
      pause: async (what, transaction) => {
        if (what === 'commit') rows.end(transaction, true)
      },
    })
    const transaction = await cut.startTransaction().execute()
    await change(transaction, 'a', 'kept')

    await expect(transaction.commit().execute()).rejects.toMatchObject(lost)
    expect(nonces()).toEqual(['a kept'])
    await expect(insert(cut, 'b')).rejects.toMatchObject(lost)
    expect(nonces()).toEqual(['a kept', 'b first'])
  })
})

describe('a snapshot', () => {
  it('is restored unchanged, any number of times', async () => {
    const kysely = kyselyOn(rows)
    const copy = rows.snapshot()

    for (const nonce of ['second', 'third']) {
      await change(kysely, 'a', nonce)
      await insert(kysely, 'b')
      expect(nonces()).toEqual([`a ${nonce}`, 'b first'])
      rows.restore(copy)
      expect(nonces()).toEqual(['a first'])
    }
    await expect(insert(kysely, 'a')).rejects.toMatchObject({ code: '23505' })
  })

  it('is restored elsewhere, and both change independently', async () => {
    const other = new Rows(shapes)
    other.restore(rows.snapshot())

    await insert(kyselyOn(rows), 'b')
    await insert(kyselyOn(other), 'c')

    expect(nonces()).toEqual(['a first', 'b first'])
    expect(other.rows('challenges').map(({ holder }) => holder)).toEqual(['a', 'c'])
  })

  it('has no writes of an open transaction, and a restore ends that', async () => {
    const transaction = await kyselyOn(rows).startTransaction().execute()
    await change(transaction, 'a', 'never')

    rows.restore(rows.snapshot())

    await expect(transaction.commit().execute()).rejects.toMatchObject(lost)
    expect(nonces()).toEqual(['a first'])
  })
})

describe('rows', () => {
  it('have the order of the hook, where the statement gives none', async () => {
    const turned = kyselyOn(rows, { shuffle: (all) => all.toReversed() })
    await insert(turned, 'b')
    await insert(turned, 'c')
    const holders = turned.selectFrom('challenges').select('holder')

    expect((await holders.execute()).map(({ holder }) => holder)).toEqual(['c', 'b', 'a'])
    expect((await holders.limit(1).execute()).map(({ holder }) => holder)).toEqual(['c'])
    expect((await holders.orderBy('holder').execute()).map(({ holder }) => holder)).toEqual(['a', 'b', 'c'])
    const deleted = await turned.deleteFrom('challenges').returning('holder').execute()
    expect(deleted.map(({ holder }) => holder)).toEqual(['c', 'b', 'a'])
  })

  it('share no bytes with their writers and readers', async () => {
    const kysely = kyselyOn(rows)
    const sealed = Uint8Array.of(1, 2, 3)
    const read = () => kysely.selectFrom('cosigner_keys').selectAll().executeTakeFirstOrThrow()
    await kysely.insertInto('cosigner_keys').values({ name: 'k', public_key: 'p', sealed, created_at: 1 }).execute()
    sealed.fill(0)
    const first = await read()
    first.sealed.fill(9)

    expect((await read()).sealed).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('accept in each column only the values that PostgreSQL accepts', async () => {
    const write = (expires_at: number, nonce = 'n') =>
      kyselyOn(rows).insertInto('challenges').values({ holder: 'x', nonce, expires_at }).execute()

    await expect(write(0.5)).rejects.toMatchObject({ code: '22P02' })
    await expect(write(2 ** 53)).rejects.toMatchObject({ code: '22003' })
    await expect(write(1, 'nul\0')).rejects.toMatchObject({ code: '22021' })
  })
})

it('refuses SQL that it does not implement, by its name', async () => {
  const run = (text: string) => rows.execute(text, [], undefined, {})

  await expect(run('select distinct holder from challenges')).rejects.toThrow("expected the end and met 'holder'")
  await expect(run('select holder from challenges group by holder')).rejects.toThrow("met 'group'")
  await expect(run('select 1 from users right join codes on true')).rejects.toThrow("met 'right'")
  await expect(run('select md5(holder) from challenges')).rejects.toThrow(
    'the rows in memory do not know the function md5',
  )
  await expect(run('truncate challenges')).rejects.toThrow("a statement that begins with 'truncate'")
  await expect(run('alter table challenges rename to c')).rejects.toThrow("'alter table ... rename'")
})
