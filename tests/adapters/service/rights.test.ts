/** What a restored database lets someone do at once. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { expect, it } from 'vitest'
import { rightsIn } from '../../../adapters/service/backup/rights.ts'
import { Database } from '../../../adapters/service/database/Database.ts'
import { listKeys, revokeKey, rotateKey } from '../../../domain/service/partnerKeys.ts'
import { Delegations } from '../../../domain/service/ports/Delegations.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import { connectOrigin, minutes, signUp, useWorld } from '../../domain/service/identity.ts'

const world = useWorld()

const rights = () =>
  world.run(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return yield* (yield* Database).query((db) => rightsIn(db, now))
    }),
  )

const delegate = (userId: string, parentId: string, expiresAt: number) => {
  const id = crypto.randomUUID()
  const session = {
    id,
    lookupId: crypto.randomUUID(),
    partnerId: world.partner().partner.id,
    userId,
    devicePublicKey: '04',
    deviceKeyThumb: '00',
    currentWalletIds: {},
    delegation: { parentId, scope: 'SIGN', issuedAt: 0, expiresAt, certificate: '', signature: '' } as const,
    now: 0,
  }
  return world.run(Effect.flatMap(Delegations, ({ create }) => Effect.as(create(session, id), id)))
}

const beginRecovery = async (email: string) => {
  const page = world.host(world.partner(), connectOrigin)
  await page.touch()
  await page.call(recoveries.startRecovery({ email }))
  return page
}

it('are the sessions, delegations, recoveries and API keys that are valid, as long as they are', async () => {
  const { apiKeys } = await rights()
  const { person, host } = await signUp(world)
  const { host: out } = await signUp(world)
  await out.call(sessions.logout())
  const now = await world.now()
  await delegate(person.userId, host.sessionId, now + minutes(100))
  await delegate(person.userId, host.sessionId, now)
  await world.run(sessions.closeDelegation(await delegate(person.userId, host.sessionId, now + minutes(100))))
  await (await beginRecovery(person.email)).call(sessions.logout())
  await beginRecovery(person.email)
  expect(await rights()).toEqual({ sessions: 1, delegations: 1, recoveries: 1, apiKeys })

  const { partner } = await world.createPartner()
  const [first, second] = await world.run(listKeys(partner.id))
  await world.run(revokeKey(partner.id, first?.id ?? '', 'of a test'))
  await world.run(rotateKey(partner.id, second?.id ?? '', minutes(5), 'of a test'))
  expect((await rights()).apiKeys).toBe(apiKeys + 2)

  await world.advance(minutes(91))
  expect(await rights()).toEqual({ sessions: 0, delegations: 1, recoveries: 0, apiKeys: apiKeys + 1 })
  await world.advance(minutes(10))
  expect((await rights()).delegations).toBe(0)

  await world.advance(minutes(24 * 60))
  const later = await world.now()
  await world.run(Effect.flatMap(Sessions, ({ use }) => use(host.sessionId, later)))
  expect((await rights()).sessions).toBe(0)
})
