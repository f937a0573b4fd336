/** Delegated sessions as they are stored: the same suite on each database. */
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import type { Delegation } from '../../domain/service/Delegation.ts'
import { Delegations } from '../../domain/service/ports/Delegations.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { sessionLimits } from '../../domain/service/Session.ts'
import { useWorld } from '../domain/service/identity.ts'
import { onEachDatabase } from '../kit/database.ts'

const hex = (length: number) => bytesToHex(randomBytes(length))
const uuid = () => crypto.randomUUID()

onEachDatabase((makeDatabase) => {
  const world = useWorld(makeDatabase)
  const run = world.run
  const partnerId = () => world.partner().partner.id

  const newParent = async (userId: string) => {
    const session = { id: uuid(), lookupId: uuid(), partnerId: partnerId(), origin: null, userId, identity: null }
    await run(
      Effect.flatMap(Sessions, (port) =>
        port.create({ ...session, state: 'VERIFIED', userProven: true, now: 1_000 }, hex(32)),
      ),
    )
    return session.id
  }

  type Wish = { readonly expiresAt?: number; readonly now?: number }

  const newDelegation = async (userId: string, parentId: string, wish: Wish = {}) => {
    const { now = 2_000, expiresAt = 10_000 } = wish
    const delegation: Delegation = {
      parentId,
      scope: 'SIGN',
      issuedAt: now,
      expiresAt,
      certificate: hex(40),
      signature: hex(64),
    }
    const session = {
      id: uuid(),
      lookupId: uuid(),
      partnerId: partnerId(),
      userId,
      devicePublicKey: hex(65),
      deviceKeyThumb: hex(32),
      currentWalletIds: { EVM: ['a wallet'] },
      delegation,
      now,
    }
    const tokenMac = hex(32)
    await run(Effect.flatMap(Delegations, (port) => port.create(session, tokenMac)))
    return { ...session, tokenMac }
  }

  const idsOf = (parentId: string) => run(Effect.flatMap(Delegations, (port) => port.idsOf(parentId)))
  const ofUser = (userId: string, partner = partnerId()) =>
    run(Effect.flatMap(Delegations, (port) => port.ofUser(userId, partner)))
  const close = (id: string) => run(Effect.flatMap(Sessions, (port) => port.close(id, 3_000)))

  describe('delegated sessions', () => {
    it('are sessions that are authenticated, with their delegation and keys of their own', async () => {
      const userId = uuid()
      const made = await newDelegation(userId, await newParent(userId))

      const found = Option.getOrThrow(await run(Effect.flatMap(Sessions, (port) => port.findByToken(made.tokenMac))))

      const { id, lookupId, devicePublicKey, deviceKeyThumb, currentWalletIds, delegation } = made
      expect(found).toMatchObject({
        ...{ id, lookupId, userId, devicePublicKey, deviceKeyThumb, currentWalletIds, delegation },
        partnerId: partnerId(),
        origin: null,
        state: 'AUTHENTICATED',
        userProven: true,
        deviceSignsRequests: true,
        deviceCertificate: null,
        authenticatedAt: 2_000,
        lastUsedAt: 2_000,
      })
    })

    it('are those of the session that made them, until they are closed', async () => {
      const userId = uuid()
      const [parent, other] = [await newParent(userId), await newParent(userId)]
      const made = [await newDelegation(userId, parent), await newDelegation(userId, parent)].map(({ id }) => id)
      await newDelegation(userId, other)

      expect(await idsOf(parent)).toEqual(made.toSorted())
      await close(made[0] ?? '')
      expect(await idsOf(parent)).toEqual([made[1]])
      expect(await idsOf(uuid())).toEqual([])
    })

    it('are listed for their user at one partner, the oldest first, until they are closed', async () => {
      const userId = uuid()
      const parent = await newParent(userId)
      const late = await newDelegation(userId, parent, { now: 3_000 })
      const early = await newDelegation(userId, parent, { expiresAt: 7_000 })
      await newDelegation(uuid(), parent)
      await close((await newDelegation(userId, parent)).id)

      expect(await ofUser(userId)).toEqual([
        { id: early.id, parentId: parent, scope: 'SIGN', expiresAt: 7_000, createdAt: 2_000, lastUsedAt: 2_000 },
        { id: late.id, parentId: parent, scope: 'SIGN', expiresAt: 10_000, createdAt: 3_000, lastUsedAt: 3_000 },
      ])
      expect(await ofUser(userId, uuid())).toEqual([])
    })

    it('are locked after the session that made them', async () => {
      const userId = uuid()
      const parent = await newParent(userId)
      const made = [await newDelegation(userId, parent), await newDelegation(userId, parent)].map(({ id }) => id)
      const second = await newParent(userId)

      const ids = await run(Effect.flatMap(Sessions, (port) => port.idsOfUser(userId)))
      expect(ids).toEqual([...[parent, second].toSorted(), ...made.toSorted()])
    })

    it('go with the row of the session that made them', async () => {
      const userId = uuid()
      const parent = await newParent(userId)
      const made = await newDelegation(userId, parent, { now: 2_000 + sessionLimits.beforeAuthentication })
      await close(parent)

      await run(Effect.flatMap(Sessions, (port) => port.sweep(3_001 + sessionLimits.beforeAuthentication)))

      expect(Option.isNone(await run(Effect.flatMap(Sessions, (port) => port.find(made.id))))).toBe(true)
    })
  })
})
