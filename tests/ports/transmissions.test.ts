import { randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import { afterAll, expect, it } from 'vitest'
import { PartnersDatabase } from '../../adapters/service/database/Partners.ts'
import { TemporaryTransmissionsDatabase } from '../../adapters/service/database/TemporaryTransmissions.ts'
import { developmentPartner } from '../../adapters/development/partner.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { TemporaryTransmissions } from '../../domain/service/ports/TemporaryTransmissions.ts'
import { onEachDatabase } from '../kit/database.ts'

onEachDatabase((makeDatabase) => {
  const repositories = Layer.mergeAll(PartnersDatabase, TemporaryTransmissionsDatabase)
  const runtime = ManagedRuntime.make(repositories.pipe(Layer.provideMerge(makeDatabase())))
  afterAll(() => runtime.dispose())

  const newPartner = async (): Promise<string> => {
    const id = randomUUID()
    await runtime.runPromise(Effect.flatMap(Partners, (partners) => partners.create({ ...developmentPartner, id }, 1)))
    return id
  }

  it('a transmission is given to one of simultaneous requests, before it expires', async () => {
    const transmissions = await runtime.runPromise(TemporaryTransmissions)
    const run = runtime.runPromise
    const partnerId = await newPartner()
    const add = (mac: string, expiresAt: number) =>
      run(transmissions.add({ mac, partnerId, message: `to ${mac}`, expiresAt }))
    await add('one', 100)
    await add('late', 100)

    const taken = await Promise.all(Array.from({ length: 8 }, () => run(transmissions.take('one', 99))))

    expect(taken.flatMap((message) => Option.toArray(message))).toEqual(['to one'])
    expect(Option.isNone(await run(transmissions.take('late', 100)))).toBe(true)
    expect(Option.getOrThrow(await run(transmissions.take('late', 99)))).toBe('to late')
  })

  it('a partner’s are counted while they wait, and deleted when they were not fetched in time', async () => {
    const transmissions = await runtime.runPromise(TemporaryTransmissions)
    const run = runtime.runPromise
    const [partnerId, other] = [await newPartner(), await newPartner()]
    for (const [mac, expiresAt] of [
      ['a', 10],
      ['b', 20],
    ] as const) {
      await run(transmissions.add({ mac, partnerId, message: 'm', expiresAt }))
    }
    await run(transmissions.add({ mac: 'c', partnerId: other, message: 'm', expiresAt: 20 }))

    expect(await run(transmissions.count(partnerId, 9))).toBe(2)
    expect(await run(transmissions.count(partnerId, 10))).toBe(1)
    await run(transmissions.sweep(10))
    expect(Option.isNone(await run(transmissions.take('a', 1)))).toBe(true)
    expect(await run(transmissions.count(other, 1))).toBe(1)
  })
})
