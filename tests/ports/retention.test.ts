/** What is deleted after its time, and what stays for ever; and the page's own SQL that reads the audit records. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import { migrate } from '../../adapters/service/database/migrations/index.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { Wallets } from '../../domain/service/ports/Wallets.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as users from '../../domain/service/users.ts'
import { minutes, signUp, useWorld, verifiedHost } from '../domain/service/identity.ts'
import { onEachDatabase } from '../kit/database.ts'
import { times } from '../kit/long.ts'

const day = minutes(24 * 60)
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

onEachDatabase((makeDatabase, name) => {
  const world = useWorld(makeDatabase)
  const { run } = world

  const newUser = (now: number, email = world.email()) =>
    run(
      Effect.flatMap(Users, (port) => port.findOrCreate({ id: randomUUID(), identity: { kind: 'email', email }, now })),
    )
  const sweep = (before: number, limit = 1_000) =>
    run(Effect.flatMap(Users, (port) => port.sweepUnverified(before, limit)))
  const exists = async (id: string) => Option.isSome(await run(Effect.flatMap(Users, (port) => port.find(id))))

  const newSession = async (userId: string, isClosed: boolean) => {
    const id = randomUUID()
    const session = { id, lookupId: randomUUID(), partnerId: world.partner().partner.id, origin: null, identity: null }
    await run(
      Effect.gen(function* () {
        const port = yield* Sessions
        yield* port.create({ ...session, state: 'IDENTIFIED', userId, userProven: false, now: 1_000 }, randomUUID())
        if (isClosed) yield* port.close(id, 1_000)
      }),
    )
  }

  const newWallet = (userId: string) =>
    run(
      Effect.flatMap(Wallets, (port) =>
        port.findOrCreate({
          id: randomUUID(),
          userId,
          partnerId: world.partner().partner.id,
          type: 'EVM',
          slot: 0,
          scheme: 'DKLS',
          cosmosPrefix: null,
          now: 1_000,
        }),
      ),
    )

  describe('Users who were never verified', () => {
    it('are deleted after their time, the oldest first and no more than asked for', async () => {
      const [oldest, older, young] = [await newUser(1_000), await newUser(2_000), await newUser(3_000)]

      expect(await sweep(3_000, 1)).toBe(1)
      expect(await Promise.all([oldest, older, young].map(({ id }) => exists(id)))).toEqual([false, true, true])
      expect(await sweep(3_000, 1)).toBe(1)
      expect(await sweep(3_000, 1)).toBe(0)
      expect(await Promise.all([older, young].map(({ id }) => exists(id)))).toEqual([false, true])
      expect(await sweep(3_001)).toBe(1)
    })

    it('stay with a live session, a wallet, a credential, or once they are verified', async () => {
      const [withSession, withWallet, withCredential, verified] = [
        await newUser(1_000),
        await newUser(1_000),
        await newUser(1_000),
        await newUser(1_000),
      ]
      const closed = await newUser(1_000)
      await newSession(withSession.id, false)
      await newSession(closed.id, true)
      await newWallet(withWallet.id)
      await run(
        Effect.gen(function* () {
          const port = yield* Users
          yield* port.setFirstCredential(withCredential.id, '00')
          yield* port.setVerified(verified.id)
        }),
      )

      expect(await sweep(day)).toBe(1)
      const stay = [withSession, withWallet, withCredential, verified]
      expect(await Promise.all(stay.map(({ id }) => exists(id)))).toEqual(stay.map(() => true))
      expect(await exists(closed.id)).toBe(false)
    })

    it('count anew from a further sign-up, and a verified one stays verified', async () => {
      const [email, other] = [world.email(), world.email()]
      const [again, verified] = [await newUser(1_000, email), await newUser(1_000, other)]
      await run(Effect.flatMap(Users, (port) => port.setVerified(verified.id)))

      await newUser(5_000, email)
      await newUser(5_000, other)

      expect(await sweep(5_000)).toBe(0)
      expect(await exists(again.id)).toBe(true)
      expect(await sweep(5_001)).toBe(1)
      expect(await exists(verified.id)).toBe(true)
    })

    it('are not deleted under a sign-up at the same moment', async () => {
      for (let round = 0; round < times(1, 10); round++) {
        const emails = Array.from({ length: 6 }, () => world.email())
        for (const email of emails) await newUser(1_000, email)

        const [found] = await Promise.all([
          Promise.all(emails.map((email) => newUser(day, email))),
          sweep(day, 2),
          sweep(day, 2),
          sweep(day, 6),
        ])

        expect(await Promise.all(found.map(({ id }) => exists(id)))).toEqual(found.map(() => true))
      }
    })

    it('are those of sign-ups that ended before the code: the others have proven their mailbox or a credential', async () => {
      const aDayAgo = async () => (await world.now()) - day
      const left = world.host()
      await left.touch()
      const leftId = await left.call(users.createUser({ email: world.email() }))
      const proven = await verifiedHost(world, world.email())
      const { person: complete } = await signUp(world)

      await world.advance(2 * day)
      await sweep(await aDayAgo())
      expect(await exists(leftId)).toBe(true)
      await run(sessions.sweep())
      await sweep(await aDayAgo())

      expect(await exists(leftId)).toBe(false)
      expect([await exists(proven.userId), await exists(complete.userId)]).toEqual([true, true])
    })
  })

  it.skipIf(name === 'rows in memory')(
    'Users of an earlier version count as verified where a record says so',
    async () => {
      const [left, verified] = [await newUser(1_000), await newUser(1_000)]
      await run(Effect.flatMap(Audit, (audit) => audit.record({ event: 'user.verified', userId: verified.id })))
      const { root } = await run(Database)
      for (const back of [
        'alter table users drop column unverified_since',
        'drop index audits_by_time',
        "delete from kysely_migration where name like '010 %'",
      ])
        await sql.raw(back).execute(root)

      await migrate(root)
      await sweep(day)

      expect([await exists(left.id), await exists(verified.id)]).toEqual([false, true])
    },
  )

  describe('Audit records', () => {
    const record = (event: string, userId: string) =>
      run(Effect.flatMap(Audit, (audit) => audit.record({ event, userId, detail: { tries: 2 } })))
    const events = async (userId: string) => {
      const rows = await run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => db.selectFrom('audits').select('event').where('user_id', '=', userId).orderBy('at').execute()),
        ),
      )
      return rows.map(({ event }) => event)
    }
    const sweepAudits = (before: number, limit: number) =>
      run(Effect.flatMap(Audit, (audit) => audit.sweep(before, limit)))

    it('are deleted after their time, the oldest first and no more than asked for', async () => {
      await sweepAudits(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      const userId = randomUUID()
      for (const event of ['one', 'two', 'three']) {
        await record(event, userId)
        await world.advance(1)
      }
      const ofThird = (await world.now()) - 1

      expect(await sweepAudits(ofThird, 1)).toBe(1)
      expect(await events(userId)).toEqual(['two', 'three'])
      expect(await sweepAudits(ofThird, 5)).toBe(1)
      expect(await sweepAudits(ofThird, 5)).toBe(0)
      expect(await events(userId)).toEqual(['three'])
    })

    it.skipIf(name === 'rows in memory')('are read by the SQL that the page gives to operators', async () => {
      const userId = randomUUID()
      await record('user.identified', userId)
      await world.advance(1_000)
      await record('user.verified', userId)
      const [, statement = ''] = /```sql\n(.*?)```/s.exec(readme) ?? []

      const { rows } = await run(
        Effect.flatMap(Database, ({ query }) => query((db) => sql.raw(statement.replace('USER', userId)).execute(db))),
      )

      expect(rows).toMatchObject([
        { event: 'user.verified', detail: { tries: 2 } },
        { event: 'user.identified', detail: { tries: 2 } },
      ])
    })
  })
})
