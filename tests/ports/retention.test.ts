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
import { Delegations } from '../../domain/service/ports/Delegations.ts'
import { OtRecords } from '../../domain/service/ports/OtRecords.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Spends } from '../../domain/service/ports/Spends.ts'
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

  const signedInSession = async () => {
    const { id: userId } = await newUser(1_000)
    await newSession(userId, false)
    const [id = ''] = await run(Effect.flatMap(Sessions, (port) => port.idsOfUser(userId)))
    return { userId, id }
  }

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

  describe('OT records', () => {
    const hex = () => randomUUID().replaceAll('-', '').repeat(2)
    const put = async (deviceKeyThumb: string, now: number, otId = hex()) => {
      const walletId = randomUUID()
      const record = {
        walletId,
        otId,
        deviceKeyThumb,
        databaseLife: 'a',
        epoch: 1,
        shareId: hex(),
        sealed: null,
      }
      await run(Effect.flatMap(OtRecords, (port) => port.put(record, now)))
      return walletId
    }
    const sweepRecords = (before: number, limit = 1_000) =>
      run(Effect.flatMap(OtRecords, (port) => port.sweep(before, limit)))
    const wallets = async () => {
      const rows = await run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => db.selectFrom('ot_records').select('wallet_id').orderBy('created_at').execute()),
        ),
      )
      return rows.map(({ wallet_id }) => wallet_id)
    }

    it('are deleted after their time, the oldest first and no more than asked for', async () => {
      const [oldest, older, young] = [await put(hex(), 1_000), await put(hex(), 2_000), await put(hex(), 3_000)]

      expect(await sweepRecords(3_000, 1)).toBe(1)
      expect(await wallets()).toEqual([older, young])
      expect(await sweepRecords(3_000, 1)).toBe(1)
      expect(await sweepRecords(3_000, 1)).toBe(0)
      expect(await wallets()).toEqual([young])
      expect(await sweepRecords(3_001)).toBe(1)
      expect(await wallets()).not.toContain(oldest)
    })

    it('stay while a session has their device key, a delegated one, too', async () => {
      const { userId, id } = await signedInSession()
      const [ofDevice, ofDelegate] = [hex(), hex()]
      const keys = {
        loginPublicKey: null,
        loginKeyThumbprint: null,
        deviceSignsRequests: false,
        recoveryPublicKey: null,
      }
      const delegated = randomUUID()
      await run(
        Effect.gen(function* () {
          const registered = { ...keys, devicePublicKey: '04', deviceKeyThumb: ofDevice }
          yield* (yield* Sessions).registerKeys(id, registered)
          const partnerId = world.partner().partner.id
          const times = { issuedAt: 1, expiresAt: 2 }
          const delegation = { parentId: id, scope: 'SIGN', ...times, certificate: '', signature: '' } as const
          const session = { id: delegated, lookupId: randomUUID(), partnerId, userId, currentWalletIds: {}, now: 1_000 }
          yield* (yield* Delegations).create(
            { ...session, devicePublicKey: '05', deviceKeyThumb: ofDelegate, delegation },
            randomUUID(),
          )
        }),
      )
      const shared = hex()
      const ofIt = await put(ofDevice, 1_000, shared)
      const ofOther = await put(hex(), 1_001, shared)
      const delegates = await put(ofDelegate, 1_002)

      // The oldest one has a session, and takes no place in the batch.
      expect(await sweepRecords(day, 1)).toBe(1)
      expect(await wallets()).toEqual([ofIt, delegates])
      expect(await wallets()).not.toContain(ofOther)
      await run(Effect.flatMap(Sessions, (port) => port.close(delegated, 1_000)))
      expect(await sweepRecords(day)).toBe(1)
      expect(await wallets()).toEqual([ofIt])
      await run(Effect.flatMap(Sessions, (port) => port.close(id, 1_000)))
      expect(await sweepRecords(day)).toBe(1)
    })
  })

  it('What policies count is deleted after its time by whole signatures, the oldest first; whom it paid stays', async () => {
    const amounts = [
      { asset: 'count', amount: 1n },
      { asset: 'eip155:1/slip44:60', amount: 5n },
    ]
    const spend = async (at: number, digest: string = randomUUID()) => {
      const walletId = randomUUID()
      const ids = { userId: randomUUID(), partnerId: randomUUID(), protocolId: randomUUID() }
      await run(
        Effect.flatMap(Spends, (port) => port.add({ walletId, digest, ...ids, amounts, recipients: ['0xaa'], at })),
      )
      return walletId
    }
    const counted = async () => {
      const rows = await run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => db.selectFrom('spends').select('wallet_id').orderBy('at').execute()),
        ),
      )
      return rows.map(({ wallet_id }) => wallet_id)
    }
    const sweepSpends = (before: number, limit: number) =>
      run(Effect.flatMap(Spends, (port) => port.sweep(before, limit)))
    const oldest = await spend(1_000, 'one')
    const [older, young] = [await spend(2_000), await spend(3_000, 'one')]

    expect(await sweepSpends(3_000, 1)).toBe(2)
    expect(await counted()).toEqual([older, older, young, young])
    expect(await sweepSpends(3_000, 1)).toBe(2)
    expect(await sweepSpends(3_000, 1)).toBe(0)
    expect(await counted()).toEqual([young, young])
    expect(await run(Effect.flatMap(Spends, (port) => port.paid(oldest, ['0xaa'])))).toEqual(new Set(['0xaa']))
  })

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
