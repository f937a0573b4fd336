import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../domain/service/partnerKeys.ts'
import * as partners from '../../../domain/service/partners.ts'
import { minutes, useWorld } from './identity.ts'

const world = useWorld()

const hour = minutes(60)
const day = 24 * hour

const isKnown = async (key: string) => Option.isSome(await world.run(partners.fromKey(key)))
const keysOf = (partnerId: string) => world.run(listKeys(partnerId))
const notFound = (flow: ReturnType<typeof rotateKey> | ReturnType<typeof revokeKey> | ReturnType<typeof createKey>) =>
  world.run(Effect.map(Effect.flip(flow as ReturnType<typeof rotateKey>), ({ message }) => message))

describe('a partner’s keys', () => {
  it('are named by what does not tell them, with the day of their last use', async () => {
    const { partner, apiKey, secretKey } = await world.createPartner()
    const made = await world.now()
    const keys = await keysOf(partner.id)
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(key).toMatchObject({ createdAt: made, lastUsedOn: null, endsAt: null })
    expect(JSON.stringify(keys)).not.toMatch(new RegExp(`${apiKey}|${secretKey}`))

    await world.advance(3 * day + hour)
    expect(await isKnown(secretKey)).toBe(true)
    await world.advance(hour)
    expect(await isKnown(secretKey)).toBe(true)
    const noted = async () => (await keysOf(partner.id)).map(({ kind, lastUsedOn }) => [kind, lastUsedOn])
    const today = (await world.now()) - ((await world.now()) % day)
    expect(Object.fromEntries(await noted())).toEqual({ publishable: null, secret: today })
    await world.advance(day)
    expect(await isKnown(secretKey)).toBe(true)
    expect(Object.fromEntries(await noted())).toEqual({ publishable: null, secret: today + day })
  })

  it('work beside another', async () => {
    const { partner, apiKey } = await world.createPartner()
    const { id, key } = await world.run(createKey(partner.id, 'publishable', 'a second app'))
    expect(key).toMatch(/^pk_/)
    expect([await isKnown(apiKey), await isKnown(key)]).toEqual([true, true])
    expect(await keysOf(partner.id)).toHaveLength(3)
    expect(await world.audits(partner.id)).toEqual([
      ['partner.key.created', { actor: 'operator', reason: 'a second app', kind: 'publishable' }],
    ])
    expect((await keysOf(partner.id)).map((one) => one.id)).toContain(id)
  })

  it('work to the end of the overlap and not from then on, whenever they were looked up last', async () => {
    const { partner, secretKey } = await world.createPartner()
    const old = (await keysOf(partner.id)).find(({ kind }) => kind === 'secret')?.id ?? ''
    const rotated = await world.run(rotateKey(partner.id, old, hour, undefined))
    expect(rotated.key).toMatch(/^sk_/)
    expect(rotated.old).toEqual({ id: old, endsAt: (await world.now()) + hour })

    await world.advance(hour - 1)
    expect([await isKnown(secretKey), await isKnown(rotated.key)]).toEqual([true, true])
    await world.advance(1)
    expect([await isKnown(secretKey), await isKnown(rotated.key)]).toEqual([false, true])
    expect(await notFound(rotateKey(partner.id, old, hour, undefined))).toBe('not found')
  })

  it('do not live longer by a second rotation', async () => {
    const { partner, apiKey } = await world.createPartner()
    const old = (await keysOf(partner.id)).find(({ kind }) => kind === 'publishable')?.id ?? ''
    const first = await world.run(rotateKey(partner.id, old, hour, undefined))
    const second = await world.run(rotateKey(partner.id, old, day, undefined))
    expect(second.old.endsAt).toBe(first.old.endsAt)
    await world.advance(hour)
    expect(await isKnown(apiKey)).toBe(false)
  })

  it('are revoked at once, and gone', async () => {
    const { partner, apiKey } = await world.createPartner()
    expect(await isKnown(apiKey)).toBe(true)
    const { id } = (await keysOf(partner.id)).find(({ kind }) => kind === 'publishable') ?? { id: '' }
    await world.run(revokeKey(partner.id, id, 'leaked'))
    expect(await isKnown(apiKey)).toBe(false)
    expect((await keysOf(partner.id)).map(({ kind }) => kind)).toEqual(['secret'])
    expect(await notFound(revokeKey(partner.id, id, undefined))).toBe('not found')
  })

  it('are those of their partner alone', async () => {
    const { partner, apiKey } = await world.createPartner()
    const { partner: other } = await world.createPartner()
    const { id } = (await keysOf(partner.id))[0] ?? { id: '' }
    expect(await notFound(revokeKey(other.id, id, undefined))).toBe('not found')
    expect(await notFound(rotateKey(other.id, id, 0, undefined))).toBe('not found')
    expect(await notFound(revokeKey(partner.id, '', undefined))).toBe('not found')
    expect(await notFound(createKey('nobody', 'secret', undefined))).toBe('not found')
    expect(await isKnown(apiKey)).toBe(true)
  })
})
