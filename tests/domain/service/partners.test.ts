import { describe, expect, it } from 'vitest'
import { environments } from '../../../domain/model/Environment.ts'
import { relyingPartyOf } from '../../../domain/model/Url.ts'
import * as Partner from '../../../domain/service/Partner.ts'
import * as partners from '../../../domain/service/partners.ts'
import * as Option from 'effect/Option'
import { shop, useWorld } from './identity.ts'

const world = useWorld()

describe('a partner', () => {
  it('is found by either of its keys, which the database does not hold', async () => {
    const { partner, apiKey, secretKey } = await world.createPartner({ displayName: 'Bakery' })

    expect(Option.getOrThrow(await world.run(partners.fromKey(apiKey)))).toEqual({ partner, kind: 'publishable' })
    expect(Option.getOrThrow(await world.run(partners.fromKey(secretKey)))).toEqual({ partner, kind: 'secret' })
    const dump = await world.dump()
    expect(dump).toContain('Bakery')
    expect(dump).not.toContain(apiKey)
    expect(dump).not.toContain(secretKey)
  })

  it('is not found by a key of no partner', async () => {
    expect(Option.isNone(await world.run(partners.fromKey('pk_nobody')))).toBe(true)
    expect(await world.host().refused(partners.getPartner('any'), { key: 'pk_nobody' })).toMatch(/^ApiKeyRequired/)
  })

  it("shows itself to its own pages; another's is not found", async () => {
    const { partner } = await world.createPartner()
    const host = world.host()

    expect(await host.call(partners.getPartner(host.partner.partner.id))).toEqual(host.partner.partner)
    expect(await host.refused(partners.getPartner(partner.id))).toBe('NotFound: not found')
    expect(await host.refused(partners.getPartner('nobody'))).toBe('NotFound: not found')
  })
})

describe('the rules of origins', () => {
  it('know the exact return address of an origin, or its root', () => {
    const { partner } = world.partner()

    expect(Partner.returnUrl(partner, shop)).toBe(`${shop}/account`)
    expect(Partner.returnUrl(partner, `${shop}.evil.example`)).toBe(`${shop}.evil.example/`)
    expect(Partner.returnUrl(partner, 'https://blog.localhost')).toBe('https://blog.localhost/')
  })

  it.each([
    ['http://localhost:3003', ['DEV']],
    ['http://shop.localhost', ['DEV']],
    ['https://127.0.0.1:8443', ['DEV']],
    [shop, ['DEV', 'SANDBOX', 'BETA', 'PROD']],
    ['http://localhost.example', []],
    ['http://localhost:3003/', []],
    ['null', []],
  ])('let %s begin a session in %j', (origin, expected) => {
    const partner = { ...world.partner().partner, origins: [shop, 'null'] }

    expect(environments.filter((environment) => Partner.allowsOrigin(partner, origin, environment))).toEqual(expected)
  })

  it.each([
    [false, ['DEV', 'SANDBOX']],
    [true, ['DEV', 'SANDBOX', 'BETA', 'PROD']],
  ])('take clients that prove nothing, where the partner says %j, in %j', (allowsUnprovenClients, expected) => {
    const partner = { ...world.partner().partner, allowsUnprovenClients }

    expect(environments.filter((environment) => Partner.allowsUnprovenClients(partner, environment))).toEqual(expected)
  })

  it('know the portals of a partner and what passkeys are bound to', () => {
    const { partner } = world.partner()
    const own = { ...partner, portalUrl: 'https://Login.shop.localhost:8443/app' }

    expect(Partner.portalOrigins(partner, 'https://portal.localhost')).toEqual(['https://portal.localhost'])
    expect(Partner.portalOrigins(own, 'https://portal.localhost')).toEqual([
      'https://login.shop.localhost:8443',
      'https://portal.localhost',
    ])
    expect(relyingPartyOf('https://login.shop.localhost:8443')).toBe('login.shop.localhost')
    expect(relyingPartyOf('http://localhost:3003')).toBe('localhost')
  })
})
