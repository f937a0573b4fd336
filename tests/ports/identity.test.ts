/** The repositories of identity: the same suite on each database, with the races that only a real one has. */
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import type { Identity } from '../../domain/model/Identity.ts'
import type { PasskeyCompletion, PasswordCompletion } from '../../domain/service/Credential.ts'
import * as handshakes from '../../domain/service/handshakes.ts'
import * as portalSessions from '../../domain/service/portalSessions.ts'
import * as passwords from '../../domain/service/passwords.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { Challenges } from '../../domain/service/ports/Challenges.ts'
import { Codes } from '../../domain/service/ports/Codes.ts'
import { Notifications, partnersTopic } from '../../domain/service/ports/Notifications.ts'
import { PortalSessions } from '../../domain/service/ports/PortalSessions.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { Passkeys } from '../../domain/service/ports/Passkeys.ts'
import { Passwords } from '../../domain/service/ports/Passwords.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as users from '../../domain/service/users.ts'
import { atCreatePassword, atLogin, rsaPublicKeys, signUp, useWorld, type World } from '../domain/service/identity.ts'
import { onEachDatabase } from '../kit/database.ts'

const hex = (length: number) => bytesToHex(randomBytes(length))
const uuid = () => crypto.randomUUID()
const times = <A>(count: number, make: (index: number) => A) => Array.from({ length: count }, (_, index) => make(index))

/** All at the same moment, each on its own connection where there are several. */
const race = <A, E, R>(effects: readonly Effect.Effect<A, E, R>[]) => Effect.all(effects, { concurrency: 'unbounded' })

onEachDatabase((makeDatabase, name) => {
  const world = useWorld(makeDatabase)
  const run = world.run
  const partnerId = () => world.partner().partner.id
  const email = (): Identity => ({ kind: 'email', email: world.email() })

  const newSession = async (changes: { readonly state?: 'NEW' | 'IDENTIFIED'; readonly userId?: string } = {}) => {
    const session = {
      id: uuid(),
      lookupId: uuid(),
      partnerId: partnerId(),
      origin: null,
      state: changes.state ?? ('NEW' as const),
      userId: changes.userId ?? null,
      userProven: false,
      identity: null,
      now: 1_000,
    }
    const tokenMac = hex(32)
    await run(Effect.flatMap(Sessions, (port) => port.create(session, tokenMac)))
    return { ...session, tokenMac }
  }

  const newUser = async () => {
    const identity = email()
    return await run(Effect.flatMap(Users, (port) => port.findOrCreate({ id: uuid(), identity, now: 1_000 })))
  }

  describe('Transactions', () => {
    const failing = (code: string) => Effect.flatMap(Database, ({ query }) => query((db) => raising(code).execute(db)))
    const raising = (code: string) => sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)

    it.each(['40001', '40P01'])('are run again from their beginning after %s', async (code) => {
      const [user, other] = [await newUser(), await newUser()]
      let begun = 0
      const flow = Effect.gen(function* () {
        const port = yield* Users
        begun++
        yield* port.setFirstCredential(user.id, hex(32))
        if (begun < 3) yield* failing(code)
        return yield* port.setFirstCredential(other.id, hex(32))
      })

      expect(await run(Effect.flatMap(Transaction, ({ atomically }) => atomically(atomically(flow))))).toBe(true)
      expect(begun).toBe(3)
      expect(Option.getOrThrow(await run(Effect.flatMap(Users, (port) => port.find(user.id)))).hasCredential).toBe(true)
    })

    it('that never succeed are a temporary defect, and any other failure is a defect at once', async () => {
      let begun = 0
      const attempt = (code: string) =>
        run(
          Effect.flatMap(Transaction, ({ atomically }) =>
            atomically(
              Effect.andThen(
                Effect.sync(() => begun++),
                failing(code),
              ),
            ),
          ),
        )

      await expect(attempt('40P01')).rejects.toThrow('the database does not answer')
      expect(begun).toBe(4)
      await expect(attempt('22012')).rejects.toMatchObject({ code: '22012' })
      expect(begun).toBe(5)
    })

    it.skipIf(name === 'PGlite')('that deadlock both finish', async () => {
      const [one, two] = [await newSession(), await newSession()]
      const both = Effect.gen(function* () {
        const [sessions, { atomically }] = [yield* Sessions, yield* Transaction]
        const [hasOne, hasTwo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        type Held = Deferred.Deferred<void>
        const cross = (first: string, second: string, has: Held, hasOther: Held) =>
          atomically(
            Effect.gen(function* () {
              yield* sessions.lock(first)
              yield* Deferred.succeed(has, undefined)
              yield* Deferred.await(hasOther)
              return yield* sessions.lock(second)
            }),
          )
        return yield* race([cross(one.id, two.id, hasOne, hasTwo), cross(two.id, one.id, hasTwo, hasOne)])
      })

      expect((await run(both)).map(Option.isSome)).toEqual([true, true])
    })
  })

  describe('Partners', () => {
    it('keep every field of a partner, and its origins as they are set', async () => {
      const { partner } = await world.createPartner({
        portalUrl: 'https://login.example.org',
        theme: { font: 'Inter', accentColor: '#0a7cff' },
        supportedWalletTypes: [{ type: 'COSMOS', optional: true, prefix: 'osmo' }],
      })
      const found = () => run(Effect.flatMap(Partners, (port) => port.find(partner.id)))

      expect(Option.getOrThrow(await found())).toEqual(partner)
      await run(
        Effect.flatMap(Partners, (port) => port.setOrigins(partner.id, ['https://b.example', 'https://a.example'])),
      )
      expect(Option.getOrThrow(await found()).origins).toEqual(['https://a.example', 'https://b.example'])
    })

    it('know the origins of all of them, and of their portals', async () => {
      const origins = () => run(Effect.flatMap(Partners, (port) => port.origins))
      const [one, other] = [`https://${uuid()}.example`, `https://${uuid()}.example`]
      const login = `https://${uuid()}.example`

      const { partner } = await world.createPartner({ origins: [one], portalUrl: `${login}/pages` })
      await world.createPartner({ origins: [other, one], portalUrl: null })
      const known = await origins()
      expect([one, other, login, `${login}/pages`].map((origin) => known.has(origin))).toEqual([
        true,
        true,
        true,
        false,
      ])
      await run(Effect.flatMap(Partners, (port) => port.setOrigins(partner.id, [])))
      expect([...(await origins())].filter((origin) => [one, other].includes(origin)).sort()).toEqual(
        [one, other].sort(),
      )
    })

    it('are answered from memory for five seconds, or until a process says that one has changed', async () => {
      const { partner } = await world.createPartner()
      const mac = hex(32)
      const nameOf = async () => {
        const found = await run(Effect.flatMap(Partners, (port) => port.find(partner.id)))
        const byKey = await run(Effect.flatMap(Partners, (port) => port.findByKey(mac)))
        return [Option.getOrThrow(found).displayName, Option.getOrUndefined(byKey)?.partner.displayName]
      }
      const rename = (displayName: string) =>
        run(
          Effect.flatMap(Database, ({ query }) =>
            query((db) =>
              db.updateTable('partners').set({ display_name: displayName }).where('id', '=', partner.id).execute(),
            ),
          ),
        )

      expect(await nameOf()).toEqual([partner.displayName, undefined])
      const key = { mac, partnerId: partner.id, kind: 'publishable', now: 1_000 } as const
      await run(Effect.flatMap(Partners, (port) => port.addKey(key)))
      // What has heard of the key forgets once more.
      await setImmediate()
      expect(await nameOf()).toEqual([partner.displayName, partner.displayName])
      await rename('One')
      await world.advance(4_999)
      expect(await nameOf()).toEqual([partner.displayName, partner.displayName])
      await world.advance(1)
      expect(await nameOf()).toEqual(['One', 'One'])
      await rename('Two')
      await run(Effect.flatMap(Notifications, ({ publish }) => publish(partnersTopic)))
      await expect.poll(nameOf).toEqual(['Two', 'Two'])
    })
  })

  describe('Users', () => {
    it('are one for simultaneous requests with the same identity', async () => {
      const identity = email()

      const found = await run(
        Effect.flatMap(Users, (port) => race(times(12, () => port.findOrCreate({ id: uuid(), identity, now: 1_000 })))),
      )

      expect(new Set(found.map(({ id }) => id)).size).toBe(1)
      expect(found[0]).toMatchObject({ identity, hasCredential: false, rootPublicKey: null, createdAt: 1_000 })
    })

    it('of other kinds of identity are different, although the text is the same', async () => {
      const make = (identity: Identity) =>
        run(Effect.flatMap(Users, (port) => port.findOrCreate({ id: uuid(), identity, now: 1_000 })))
      const text = world.email()

      const [byMail, byName] = await Promise.all([
        make({ kind: 'email', email: text }),
        make({ kind: 'farcasterUsername', farcasterUsername: text }),
      ])

      expect(byMail.id).not.toBe(byName.id)
    })

    it('get one root key, also when others try at the same moment', async () => {
      const user = await newUser()
      const roots = times(8, () => hex(32))

      const outcomes = await run(
        Effect.flatMap(Users, (port) => race(roots.map((root) => port.setFirstCredential(user.id, root)))),
      )

      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const stored = Option.getOrThrow(await run(Effect.flatMap(Users, (port) => port.find(user.id))))
      expect(stored).toMatchObject({ hasCredential: true, rootPublicKey: roots[outcomes.indexOf(true)] })
    })
  })

  describe('Stored JSON', () => {
    it('that this service did not write is a defect that names its column and shows nothing of it', async () => {
      const user = await newUser()
      const identity = JSON.stringify({ kind: 'email', telephone: 'a secret' })
      const write = Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('users').set({ identity }).where('id', '=', user.id).execute()),
      )

      await run(write)
      const exit = await run(Effect.exit(Effect.flatMap(Users, (port) => port.find(user.id))))

      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      expect(inspect(exit, { depth: null })).toContain('users.identity')
      expect(inspect(exit, { depth: null })).not.toContain('secret')
    })
  })

  describe('Sessions', () => {
    it('are found by token, id and lookup id, and by nothing else', async () => {
      const session = await newSession()
      const found = await run(
        Effect.flatMap(Sessions, (port) =>
          Effect.all([
            port.findByToken(session.tokenMac),
            port.find(session.id),
            port.findByLookupId(session.lookupId),
          ]),
        ),
      )
      const missing = await run(
        Effect.flatMap(Sessions, (port) =>
          Effect.all([port.findByToken(session.id), port.find(session.lookupId), port.findByLookupId(session.id)]),
        ),
      )

      expect(found.map(Option.getOrThrow)).toEqual(
        times<unknown>(3, () => expect.objectContaining({ id: session.id, state: 'NEW' })),
      )
      expect(missing.every(Option.isNone)).toBe(true)
    })

    it('write one device key of simultaneous requests', async () => {
      const session = await newSession()
      const keys = times(8, () => ({
        loginPublicKey: null,
        loginKeyThumbprint: null,
        devicePublicKey: hex(65),
        deviceKeyThumb: hex(32),
        deviceSignsRequests: true,
        recoveryPublicKey: null,
      }))

      const outcomes = await run(
        Effect.flatMap(Sessions, (port) => race(keys.map((each) => port.registerKeys(session.id, each)))),
      )

      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const stored = Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.find(session.id))))
      expect(stored.devicePublicKey).toBe(keys[outcomes.indexOf(true)]?.devicePublicKey)
    })

    it('bind one login key, and are verified once for their own user', async () => {
      const user = await newUser()
      const session = await newSession({ state: 'IDENTIFIED', userId: user.id })

      const bound = await run(
        Effect.flatMap(Sessions, (port) =>
          race(times(6, (index) => port.bindLoginKey(session.id, `key ${index}`, `thumb ${index}`))),
        ),
      )
      const verified = await run(
        Effect.flatMap(Sessions, (port) => race(times(6, () => port.verify(session.id, user.id)))),
      )
      const strangers = await run(Effect.flatMap(Sessions, (port) => port.verify(session.id, uuid())))

      expect(bound.filter(Boolean)).toHaveLength(1)
      expect(verified.filter(Boolean)).toHaveLength(1)
      expect(strangers).toBe(false)
    })

    it('are authenticated as one user: a proven session never as another', async () => {
      const session = await newSession()
      const people = times(6, () => uuid())
      const authentication = {
        authenticatedAt: 5_000,
        currentWalletIds: { EVM: ['w'] },
        needsWallet: false,
        deviceCertificate: null,
        openingResult: { openingId: 'o', sealedResult: 's' },
      }

      const outcomes = await run(
        Effect.flatMap(Sessions, (port) =>
          race(
            people.map((userId) =>
              port.authenticate(session.id, { userId, authMethod: 'PASSKEY', ...authentication }, 6_000),
            ),
          ),
        ),
      )

      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const stored = Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.find(session.id))))
      expect(stored).toMatchObject({
        ...authentication,
        authenticatedBy: 'PASSKEY',
        userId: people[outcomes.indexOf(true)],
        state: 'AUTHENTICATED',
        userProven: true,
        authenticatedAt: 5_000,
      })

      const again = {
        userId: people[outcomes.indexOf(true)] ?? '',
        authMethod: 'PASSWORD' as const,
        ...authentication,
        authenticatedAt: 8_000,
      }
      await run(Effect.flatMap(Sessions, (port) => port.authenticate(session.id, again, 9_000)))
      expect(Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.find(session.id))))).toMatchObject({
        authenticatedBy: 'PASSWORD',
        authenticatedAt: 8_000,
        lastUsedAt: 9_000,
      })
    })

    it('collect wallets that are made at the same moment', async () => {
      const session = await newSession()
      const add = (index: number) =>
        Effect.flatMap(Transaction, ({ atomically }) =>
          atomically(
            Effect.flatMap(Sessions, (port) =>
              port.addWallet(session.id, index % 2 === 0 ? 'EVM' : 'SOLANA', `w${index}`),
            ),
          ),
        )

      await run(race(times(6, add)))

      const stored = Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.find(session.id))))
      expect(stored.currentWalletIds.EVM?.toSorted()).toEqual(['w0', 'w2', 'w4'])
      expect(stored.currentWalletIds.SOLANA?.toSorted()).toEqual(['w1', 'w3', 'w5'])
      expect(stored.needsWallet).toBe(false)
    })

    it('are as they were when a transaction fails', async () => {
      const session = await newSession()

      await run(
        Effect.flatMap(Transaction, ({ atomically }) =>
          atomically(
            Effect.flatMap(Sessions, (port) =>
              Effect.andThen(port.close(session.id, 2_000), Effect.fail('no' as const)),
            ),
          ),
        ).pipe(Effect.ignore),
      )

      expect(Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.find(session.id)))).state).toBe('NEW')
    })
  })

  describe('Codes', () => {
    const attempt = { mac: 'right', now: 5_000, tries: 5 }

    it('are accepted once of fifty simultaneous tries', async () => {
      const session = await newSession()
      const code = { sessionId: session.id, userId: 'u' }
      await run(Effect.flatMap(Codes, (port) => port.replace({ ...code, mac: 'right', expiresAt: 10_000 })))

      const outcomes = await run(
        Effect.flatMap(Codes, (port) => race(times(50, () => port.consume({ ...code, ...attempt })))),
      )

      expect(outcomes.filter((outcome) => outcome === 'right')).toHaveLength(1)
    })

    it('are wrong for another user or too late, exhausted after their tries, and valid again when replaced', async () => {
      const session = await newSession()
      const code = { sessionId: session.id, userId: 'u' }
      const replace = run(Effect.flatMap(Codes, (port) => port.replace({ ...code, mac: 'right', expiresAt: 10_000 })))
      await replace
      const consume = (changes: object) =>
        run(Effect.flatMap(Codes, (port) => port.consume({ ...code, ...attempt, ...changes })))

      expect(await consume({ userId: 'v' })).toBe('wrong')
      expect(await consume({ now: 10_001 })).toBe('wrong')
      for (let wrong = 0; wrong < 5; wrong++) expect(await consume({ mac: 'wrong' })).toBe('wrong')
      expect(await consume({})).toBe('exhausted')
      await run(Effect.flatMap(Codes, (port) => port.replace({ ...code, mac: 'right', expiresAt: 10_000 })))
      expect(await consume({ now: 10_000 })).toBe('right')
      expect(await consume({})).toBe('wrong')
    })
  })

  describe('Challenges', () => {
    it('are consumed once, and replaced by the next', async () => {
      const holder = { openingId: uuid() }
      const give = (nonce: string) =>
        run(Effect.flatMap(Challenges, (port) => port.replace({ holder, nonce, expiresAt: 10_000 })))
      const consume = (now: number) => Effect.flatMap(Challenges, (port) => port.consume(holder, now))
      await give('first')
      await give('second')

      const outcomes = await run(race(times(8, () => consume(10_000))))

      expect(outcomes.filter((nonce) => nonce !== undefined)).toEqual(['second'])
      await give('third')
      expect(await run(consume(10_001))).toBeUndefined()
      expect(await run(consume(10_000))).toBeUndefined()
    })
  })

  describe('Openings', () => {
    const newPortalSession = async (sessionId: string) => {
      const id = uuid()
      await run(
        Effect.flatMap(PortalSessions, (port) =>
          port.create({
            id,
            sessionId,
            partnerId: partnerId(),
            page: 'login-password',
            recordId: null,
            portalOrigin: 'https://portal.localhost',
            userId: null,
            secretHash: hex(32),
            now: 1_000,
            expiresAt: 9_000,
          }),
        ),
      )
      return id
    }

    it('are listed until they end, and deleted some time after', async () => {
      const session = await newSession()
      const [one, two] = [await newPortalSession(session.id), await newPortalSession(session.id)]
      const port = await run(PortalSessions)
      const listed = async (now: number) => (await run(port.ofSession(session.id, now))).map(({ id }) => id).sort()

      expect(await listed(9_000)).toEqual([one, two].sort())
      expect(await listed(9_001)).toEqual([])
      await run(port.end(one))
      expect(await listed(9_000)).toEqual([two])
      await run(port.sweep(9_000))
      expect(Option.isSome(await run(port.find(one)))).toBe(true)
      await run(port.sweep(9_001))
      expect(Option.isNone(await run(port.find(one)))).toBe(true)
    })

    it('pass each state once, also when several requests come at the same moment', async () => {
      const session = await newSession()
      const id = await newPortalSession(session.id)
      const each = (step: (port: PortalSessions['Service']) => Effect.Effect<boolean>) =>
        run(Effect.flatMap(PortalSessions, (port) => race(times(6, () => step(port)))))
      const once = async (step: (port: PortalSessions['Service']) => Effect.Effect<boolean>) =>
        expect((await each(step)).filter(Boolean)).toHaveLength(1)
      const macs = times(6, () => hex(32))

      await once((port) => port.ticket(id, session.id, 2_000))
      await once((port) => port.enter(id, { variant: 'opener' }, macs.pop() ?? ''))
      expect(await each((port) => port.verify(id, 'u', 3_000))).toEqual(times(6, () => true))
      expect(await each((port) => port.verify(id, 'v', 4_000))).toEqual(times(6, () => false))
      await once((port) => port.commit(id, 'mac'))
      expect(await each((port) => port.defer(id, 'mac', new Uint8Array(1)))).toEqual(times(6, () => false))
      expect(Option.getOrThrow(await run(Effect.flatMap(PortalSessions, (port) => port.find(id))))).toMatchObject({
        state: 'COMMITTED',
        userId: 'u',
        commitMac: 'mac',
        variant: 'opener',
        verifiedAt: 3_000,
      })
    })

    it('store deferred bytes until they are redeemed', async () => {
      const session = await newSession()
      const id = await newPortalSession(session.id)
      const bytes = randomBytes(48)
      const port = await run(PortalSessions)

      expect(await run(port.enter(id, { variant: 'redirect', redeemHash: hex(32) }, hex(32)))).toBe(true)
      await run(port.verify(id, 'u', 2_000))
      expect(await run(port.defer(id, 'mac', bytes))).toBe(true)
      expect(Option.map(await run(port.deferredCommit(id)), bytesToHex)).toEqual(Option.some(bytesToHex(bytes)))
      expect((await run(race(times(6, () => port.redeem(id))))).filter(Boolean)).toHaveLength(1)
      expect(Option.isNone(await run(port.deferredCommit(id)))).toBe(true)
    })

    it("are closed by the ticket of another one of the same session, and by the session's end", async () => {
      const session = await newSession()
      const other = await newSession()
      const [first, second, foreign] = [
        await newPortalSession(session.id),
        await newPortalSession(session.id),
        await newPortalSession(other.id),
      ]
      const port = await run(PortalSessions)
      const stateOf = async (id: string) => Option.getOrThrow(await run(port.find(id))).state

      await run(port.ticket(second, session.id, 2_000))
      expect(await Promise.all([first, second, foreign].map(stateOf))).toEqual(['CLOSED', 'TICKETED', 'OPEN'])
      await run(port.closeOfSession(session.id))
      expect(await Promise.all([first, second, foreign].map(stateOf))).toEqual(['CLOSED', 'CLOSED', 'OPEN'])
    })

    it('are closed where their user was verified, and nowhere else', async () => {
      const [session, other] = [await newSession(), await newSession()]
      const ids = [await newPortalSession(session.id), await newPortalSession(other.id)] as const
      const port = await run(PortalSessions)
      const stateOf = async (id: string) => Option.getOrThrow(await run(port.find(id))).state
      for (const id of ids) await run(port.enter(id, { variant: 'redirect', redeemHash: hex(32) }, hex(32)))
      await run(port.verify(ids[0], 'who recovers', 2_000))
      await run(port.verify(ids[1], 'another', 2_000))

      await run(port.closeOfUser('who recovers'))
      expect(await Promise.all(ids.map(stateOf))).toEqual(['CLOSED', 'VERIFIED'])
    })
  })

  describe('Passwords', () => {
    const completion: PasswordCompletion = {
      sigDerivedPublicKey: 'pem',
      salt: '22'.repeat(16),
      kdf: { algorithm: 'argon2id', memoryKiB: 65_536, iterations: 3, parallelism: 1 },
      encryptedWalletPrivateKey: 'v2.e',
      encryptionKeyHash: '33'.repeat(32),
      sealedVerifier: Uint8Array.of(9, 8, 7),
      rootPublicKey: '44'.repeat(32),
      wrappedRootKey: 'v2.r',
      rootSignature: '55'.repeat(64),
    }
    const newPassword = async () => {
      const [user, session] = [await newUser(), await newSession()]
      const record = { id: uuid(), userId: user.id, partnerId: partnerId(), sessionId: session.id }
      const secrets = { salt: '11'.repeat(16), sealedPepper: Uint8Array.of(1, 2, 3), expiresAt: 9_000, now: 1_000 }
      await run(Effect.flatMap(Passwords, (port) => port.create({ ...record, ...secrets })))
      return { ...record, ...secrets }
    }

    it('are completed once, and listed when they are complete', async () => {
      const password = await newPassword()
      const port = await run(Passwords)
      expect(await run(port.ofUser(password.userId))).toEqual([])

      const outcomes = await run(race(times(8, () => port.complete(password.id, completion))))

      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const { now: createdAt, ...record } = password
      const stored = { ...record, createdAt, status: 'COMPLETE', salt: completion.salt, completion }
      expect(await run(port.ofUser(password.userId))).toEqual([stored])
      expect(Option.getOrThrow(await run(port.find(password.id)))).toEqual(stored)
    })

    it('are pending once per session, and deleted with it', async () => {
      const first = await newPassword()
      const second = { ...first, id: uuid() }
      const port = await run(Passwords)

      await run(port.create(second))
      expect(Option.isNone(await run(port.find(first.id)))).toBe(true)
      await run(port.removeUnfinished(first.sessionId))
      expect(Option.isNone(await run(port.find(second.id)))).toBe(true)
      expect(await run(port.complete(second.id, completion))).toBe(false)
    })
  })

  describe('Passkeys', () => {
    const completionOf = (credentialId: string, counter = 0): PasskeyCompletion => ({
      credentialId,
      counter,
      sigDerivedPublicKey: 'pem',
      authenticatorKey: Uint8Array.of(4, 5, 6),
      aaguid: '00'.repeat(16),
      rpId: 'portal.localhost',
      variant: 'prf',
      rootPublicKey: '44'.repeat(32),
      wrappedRootKey: 'v2.r',
      rootSignature: '55'.repeat(64),
    })
    const newPasskey = async () => {
      const [user, session] = [await newUser(), await newSession()]
      const record = {
        id: uuid(),
        userId: user.id,
        partnerId: partnerId(),
        sessionId: session.id,
        type: 'WEB' as const,
      }
      await run(Effect.flatMap(Passkeys, (port) => port.create({ ...record, expiresAt: 9_000, now: 1_000 })))
      return record
    }

    it('are completed once, under a credential id that no other has', async () => {
      const [passkey, other] = [await newPasskey(), await newPasskey()]
      const port = await run(Passkeys)
      const completion = completionOf(hex(8))

      expect((await run(race(times(8, () => port.complete(passkey.id, completion))))).filter(Boolean)).toHaveLength(1)
      expect(await run(port.complete(other.id, completion))).toBe(false)
      const stored = { ...passkey, createdAt: 1_000, expiresAt: 9_000, status: 'COMPLETE', completion }
      expect(Option.getOrThrow(await run(port.findByCredentialId(completion.credentialId)))).toEqual(stored)
      expect(await run(port.ofUser(passkey.userId))).toEqual([stored])
      expect(await run(port.ofUser(other.userId))).toMatchObject([{ status: 'PENDING', completion: null }])
    })

    it('have a counter that only increases, unless the authenticator does not count', async () => {
      const [counting, silent] = [await newPasskey(), await newPasskey()]
      const port = await run(Passkeys)
      await run(port.complete(counting.id, completionOf(hex(8), 5)))
      await run(port.complete(silent.id, completionOf(hex(8))))

      expect((await run(race(times(6, () => port.count(counting.id, 6))))).filter(Boolean)).toHaveLength(1)
      expect(await run(port.count(counting.id, 5))).toBe(false)
      expect(await run(port.count(counting.id, 0))).toBe(false)
      expect(await run(port.count(silent.id, 0))).toBe(true)
      expect(await run(port.count(silent.id, 1))).toBe(true)
      expect(await run(port.count(silent.id, 0))).toBe(false)
    })
  })

  describe('Audit', () => {
    it('is written with its transaction, or not at all', async () => {
      const [kept, lost] = [uuid(), uuid()]
      const record = (subject: string) =>
        Effect.flatMap(Audit, (audit) => audit.record({ event: 'test.happened', subject, detail: { count: 1 } }))

      await run(record(kept))
      await run(
        Effect.flatMap(Transaction, ({ atomically }) =>
          atomically(Effect.andThen(record(lost), Effect.fail('no' as const))),
        ).pipe(Effect.ignore),
      )

      const dump = await world.dump()
      expect(dump).toContain(kept)
      expect(dump).not.toContain(lost)
    })
  })

  describe('simultaneous flows', () => {
    it('have one effect of fifty right codes', async () => {
      const host = world.host()
      await host.touch()
      const address = world.email()
      const userId = await host.call(users.createUser({ email: address }))
      const code = world.codeTo(address)

      const outcomes = await Promise.allSettled(times(50, () => host.call(users.verifyEmail(userId, code))))

      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      const late = outcomes.filter(({ status }) => status === 'rejected')
      const _tag: unknown = expect.stringMatching(/^(?:InvalidVerificationCode|TooManyAttempts)$/)
      for (const one of late) expect(one).toMatchObject({ reason: { _tag } })
      expect(await countOf(world, 'user.verified', host.sessionId)).toBe(1)
    })

    it('leave one root key of a user that two tabs complete, and each commit complete', async () => {
      const address = world.email()
      const tabs = [await atCreatePassword(world, address), await atCreatePassword(world, address)] as const

      const outcomes = await Promise.allSettled(
        tabs.flatMap(({ page, person, body }) =>
          times(3, () => page.call(passwords.updatePassword(person.userId, person.passwordId, body))),
        ),
      )

      const late = outcomes.filter(({ status }) => status === 'rejected')
      expect(late).toMatchObject(Array(3).fill({ reason: { _tag: 'UserAlreadyExists' } }))
      const user = Option.getOrThrow(await run(Effect.flatMap(Users, (port) => port.find(tabs[0].person.userId))))
      const states = await Promise.all(tabs.map(async ({ host }) => (await host.touch()).isAuthenticated))
      expect(states.filter(Boolean)).toHaveLength(1)
      expect(user.rootPublicKey).toBe(tabs[states.indexOf(true)]?.person.rootPublicKey)
      const records = await run(Effect.flatMap(Passwords, (port) => port.ofUser(user.id)))
      expect(records).toHaveLength(1)
    })

    it('never deadlock: keys, tickets, tokens, heartbeats and logout of one session', async () => {
      const { person } = await signUp(world)
      const { host, page } = await atLogin(world)
      const others = await Promise.all(times(3, () => host.visit('login-password')))
      const keys = host.keys({ loginPublicKey: rsaPublicKeys[1] })

      const outcomes = await Promise.allSettled([
        ...times(4, () => host.call(sessions.registerSessionKeys(keys))),
        ...others.map(({ openingId }) =>
          host.call(handshakes.createOpeningTicket(openingId, { page: 'login-password' }), { device: true }),
        ),
        ...others.map((other) => other.call(portalSessions.beatOpening(other.openingId, other.openingSecret))),
        ...times(3, () => host.visit('login-password')),
        page.call(passwords.verifyPassword(person.proof(page))),
        host.call(sessions.logout()),
      ])

      const defects = outcomes.filter((outcome) => outcome.status === 'rejected' && !('_tag' in Object(outcome.reason)))
      expect(defects).toEqual([])
      expect(await host.touch()).toMatchObject({ isAuthenticated: false, userId: null })
    })
  })
})

const countOf = async (world: World, event: string, sessionId: string) =>
  (await world.dump()).split('\n').filter((row) => row.includes(`"event":"${event}"`) && row.includes(sessionId)).length
