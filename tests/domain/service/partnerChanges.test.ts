import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'
import { environments, type Environment } from '../../../domain/model/Environment.ts'
import {
  addOrigins,
  changePartner,
  createPartner,
  freezePartner,
  listPartners,
  unfreezePartner,
} from '../../../domain/service/partnerChanges.ts'
import { existingPartner } from '../../../domain/service/partnerKeys.ts'
import * as partners from '../../../domain/service/partners.ts'
import { applyPolicyByOperator, currentPolicy, policyVersion } from '../../../domain/service/policies.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { useWorld } from './identity.ts'

const world = useWorld()

const unknownTheme: object = { fnot: 'Inter' }
const bakery = { displayName: 'Bakery', origins: ['https://bakery.example'] }
const make = async (given: Parameters<typeof createPartner>[0] = bakery) =>
  (await world.run(createPartner(given, 'they asked for it'))).partner

type Flow = ReturnType<typeof changePartner | typeof createPartner | typeof freezePartner | typeof existingPartner>

const problems = (flow: Flow): Promise<string> =>
  world.run(
    Effect.map(
      Effect.flip<unknown, { readonly message: string }, Effect.Services<Flow>>(flow),
      ({ message }) => message,
    ),
  )

const inPlace = <A, E, R>(environment: Environment, flow: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Deployment, (deployment) => Effect.provideService(flow, Deployment, { ...deployment, environment }))

describe('an operator', () => {
  it('makes a partner with two keys, changes what is named, and sees it', async () => {
    const { partner, publishable, secret } = await world.run(createPartner(bakery, undefined))
    expect([publishable.key.slice(0, 3), secret.key.slice(0, 3)]).toEqual(['pk_', 'sk_'])
    expect(await world.run(existingPartner(partner.id))).toEqual(partner)
    expect(partner).toMatchObject({ ...bakery, strict: false, portalUrl: null })

    await world.advance(1)
    const changed = await world.run(
      changePartner(
        partner.id,
        {
          strict: true,
          exports: false,
          portalUrl: 'https://login.bakery.example',
          origins: ['https://b.example', 'https://a.example', 'https://b.example'],
        },
        'moved',
      ),
    )
    expect(changed).toEqual({
      ...partner,
      strict: true,
      exports: false,
      portalUrl: 'https://login.bakery.example',
      origins: ['https://a.example', 'https://b.example'],
    })
    expect(await world.run(existingPartner(partner.id))).toEqual(changed)
    expect(await world.run(listPartners)).toContainEqual(changed)
    expect(await world.audits(partner.id)).toEqual([
      ['partner.created', { actor: 'operator' }],
      ['partner.changed', { actor: 'operator', reason: 'moved', changed: 'exports origins portalUrl strict' }],
    ])
  })

  it('lists partners by name', async () => {
    await make({ ...bakery, displayName: 'Zoo' })
    await make({ ...bakery, displayName: 'Aquarium' })
    const names = (await world.run(listPartners)).map(({ displayName }) => displayName)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['Aquarium', 'Zoo']))
  })

  it.each([
    [{ origins: ['https://shop.example/'] }, "'https://shop.example/' is not an origin as browsers send it"],
    [{ origins: ['https://Shop.example'] }, 'is not an origin'],
    [{ origins: ['https://shop.example:443'] }, 'is not an origin'],
    [{ origins: ['http://localhost:80'] }, 'is not an origin'],
    [{ origins: ['null'] }, 'is not an origin'],
    [{ origins: ['*'] }, 'is not an origin'],
    [{ origins: ['https://*.example'] }, 'is not an origin'],
    [{ origins: ['https://user@shop.example'] }, 'is not an origin'],
    [{ origins: ['http://shop.example'] }, "'http://shop.example' is not https, and BETA asks for it."],
    [{ displayName: ' ' }, 'The name has to be 1 to 100 characters on one line.'],
    [{ displayName: 'a\nb' }, 'The name has to be'],
    [{ portalUrl: 'javascript:alert(1)' }, "The portal's address 'javascript:alert(1)' is not"],
    [{ portalUrl: 'http://login.shop.example' }, "The portal's address"],
    [{ returnUrls: ['https://shop.example/a b'] }, 'The return address'],
    [{ theme: unknownTheme }, 'The theme has a field that is not known'],
    [{ supportedAuthMethods: [] }, 'At least one way'],
    [{ supportedWalletTypes: [] }, 'At least one type'],
    [{ cosmosPrefix: 'Osmo' }, "'Osmo' is no prefix"],
  ])('is refused %j, and nothing is changed', async (changes, problem) => {
    const before = await make()
    expect(await problems(changePartner(before.id, changes, undefined))).toContain(problem)
    expect(await world.run(existingPartner(before.id))).toEqual(before)
    const count = (await world.run(listPartners)).length
    expect(await problems(createPartner({ ...bakery, ...changes }, undefined))).toContain(problem)
    expect(await world.run(listPartners)).toHaveLength(count)
  })

  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:3000',
    'http://shop.localhost',
    'https://[::1]:8443',
    'https://xn--bcher-kva.example',
  ])('may register %s', async (origin) => {
    const { id } = await make()
    expect((await world.run(changePartner(id, { origins: [origin] }, undefined))).origins).toEqual([origin])
  })

  it('adds origins to those that there are', async () => {
    const { id } = await make()
    const { origins } = await world.run(addOrigins(id, ['https://a.example', 'https://bakery.example'], undefined))
    expect(origins).toEqual(['https://a.example', 'https://bakery.example'])
    expect(await problems(addOrigins(id, ['a.example'], undefined))).toContain('is not an origin')
    expect((await world.run(existingPartner(id))).origins).toEqual(origins)
  })

  it('is told of a partner that is not there', async () => {
    expect(await problems(existingPartner('nobody'))).toBe('not found')
    expect(await problems(changePartner('nobody', { strict: true }, undefined))).toBe('not found')
    expect(await problems(freezePartner('nobody', undefined))).toBe('not found')
  })
})

describe('a reason', () => {
  it.each(environments)('is asked for in PROD, and not in %s', async (environment) => {
    const { id } = await make()
    const flow = Effect.result(inPlace(environment, changePartner(id, { strict: true }, undefined)))
    expect((await world.run(flow))._tag).toBe(environment === 'PROD' ? 'Failure' : 'Success')
    expect((await world.run(existingPartner(id))).strict).toBe(environment !== 'PROD')
  })

  it.each(['', '  ', 'two\nlines', 'x'.repeat(501)])('is refused as %j: nothing is changed', async (reason) => {
    const { id } = await make()
    expect(await problems(freezePartner(id, reason))).toMatch(/needs a reason/)
    expect((await world.run(existingPartner(id))).isFrozen).toBeUndefined()
  })
})

describe('a policy that an operator applies', () => {
  it('needs a reason in PROD, without which neither policy nor mark is there, and is audited with it', async () => {
    const { id } = await make()
    const policy = { tandem: 'policy/1', default: 'deny', rules: [] }
    const apply = (reason: string | undefined) => inPlace('PROD', applyPolicyByOperator(id, policy, reason))
    expect((await world.run(Effect.flip(apply(undefined))))._tag).toBe('ReasonRequired')
    expect([await world.run(policyVersion(id)), await world.run(currentPolicy(id))]).toEqual([0, { kind: 'none' }])

    await world.advance(1)
    expect(await world.run(apply('launch'))).toEqual({ version: 1, notes: [] })
    expect(await world.run(currentPolicy(id))).toMatchObject({ kind: 'policy', version: 1 })
    const audited = await world.audits(id)
    expect(audited).toContainEqual(['policy.replaced', { actor: 'operator', reason: 'launch' }])
    expect(audited).toContainEqual(['policy.applied', { version: 1 }])
  })
})

describe('a frozen partner', () => {
  it('is known as frozen by its keys, has no usable policy, and is as before when it is unfrozen', async () => {
    const { partner, publishable } = await world.run(createPartner(bakery, undefined))
    const byKey = async () => {
      const found = await world.run(partners.fromKey(publishable.key))
      return found._tag === 'Some' ? found.value.partner : undefined
    }
    await world.run(freezePartner(partner.id, 'a stolen key'))
    expect(await byKey()).toEqual({ ...partner, isFrozen: true })
    expect(await world.run(currentPolicy(partner.id))).toEqual({ kind: 'unusable', reason: 'the partner is frozen' })
    expect((await world.run(changePartner(partner.id, { strict: true }, undefined))).isFrozen).toBe(true)

    await world.run(unfreezePartner(partner.id, undefined))
    expect(await byKey()).toEqual({ ...partner, strict: true })
    expect(await world.run(currentPolicy(partner.id))).toEqual({ kind: 'none' })
  })
})
