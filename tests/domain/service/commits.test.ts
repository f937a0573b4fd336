import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'
import * as commits from '../../../domain/service/commits.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import { Failpoints } from '../../../domain/service/ports/Failpoints.ts'
import { Users } from '../../../domain/service/ports/Users.ts'
import { atCreatePassword, atLogin, redirectedPassword, signUp, useWorld, type Host, type Person } from './identity.ts'

const world = useWorld()

/** The process ends at this place. */
const killedAt =
  (place: string) =>
  <A, E, R>(flow: Effect.Effect<A, E, R>) =>
    Effect.provideService(flow, Failpoints, {
      reach: (name) => (name === place ? Effect.die(new Error(`killed at ${name}`)) : Effect.void),
    })

/** Every row that tells of this session or user, but for the clock's. */
const rowsOf = async (host: Host, person: Person) =>
  (await world.dump())
    .split('\n')
    .filter((row) => row.includes(host.sessionId) || row.includes(person.userId))
    .toSorted()

const loginOf = async (host: Host, person: Person) => ({
  userId: person.userId,
  currentWalletIds: {},
  needsWallet: true,
  deviceCertificate: person.certificate(host, await world.now()),
  sealedResult: 'v2.AAAA',
  credential: null,
})

describe.each(['opening.commit.before', 'opening.commit.within'])('killed at %s', (place) => {
  it('the commit of a credential has no effect, and its full effect when it is repeated', async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    const before = await rowsOf(host, person)
    const commit = passwords.updatePassword(person.userId, person.passwordId, body)

    await expect(page.call(commit.pipe(killedAt(place)))).rejects.toThrow('killed')
    expect(await rowsOf(host, person)).toEqual(before)

    await page.call(commit)
    expect(await host.touch()).toMatchObject({ isAuthenticated: true, needsWallet: true })
  })

  it('the commit of a login has no effect, and its full effect when it is repeated', async () => {
    const { person } = await signUp(world)
    const { host, page } = await atLogin(world)
    await page.call(passwords.verifyPassword(person.proof(page)))
    const commit = commits.commit(page.openingId, await loginOf(host, person))
    const before = await rowsOf(host, person)

    await expect(page.call(commit.pipe(killedAt(place)))).rejects.toThrow('killed')
    expect(await rowsOf(host, person)).toEqual(before)

    await page.call(commit)
    expect(await host.touch()).toMatchObject({ isAuthenticated: true, userId: person.userId })
  })
})

it('a frozen user learns it by the right password alone, and logs in once the freeze is over', async () => {
  const { person } = await signUp(world)
  const freeze = (at: number | null) =>
    world.run(Effect.flatMap(Users, (users) => users.setFrozenAt(person.userId, at)))
  await freeze(1)
  const verify = async (changes = {}) => {
    const { host, page } = await atLogin(world)
    await page.call(passwords.verifyPassword({ ...person.proof(page), ...changes }))
    return { host, page }
  }
  await expect(verify({ signature: '00'.repeat(64) })).rejects.toThrow('invalid password')
  await expect(verify()).rejects.toThrow('user is frozen')

  await freeze(null)
  const { host, page } = await verify()
  await freeze(1)
  const commit = commits.commit(page.openingId, await loginOf(host, person))
  await expect(page.call(commit)).rejects.toThrow('user is frozen')
  expect(await host.touch()).toMatchObject({ isAuthenticated: false })

  await freeze(null)
  await page.call(commit)
  expect(await host.touch()).toMatchObject({ isAuthenticated: true, userId: person.userId })
})

describe('killed at opening.commit.within', () => {
  it('a redemption has no effect, and its full effect when it is repeated', async () => {
    const { host, person, pepper, redeem } = await redirectedPassword(world)
    const before = await rowsOf(host, person)

    await expect(host.call(redeem.pipe(killedAt('opening.commit.within')), { device: true })).rejects.toThrow('killed')
    expect(await rowsOf(host, person)).toEqual(before)

    await host.call(redeem, { device: true })
    expect(await host.touch()).toMatchObject({ isAuthenticated: true, userId: person.userId })
    const { page: login } = await atLogin(world)
    const verified = await login.call(passwords.verifyPassword(person.proof(login)))
    expect(hexToBytes(verified.pepper)).toEqual(pepper)
  })
})

describe('killed at opening.commit.after', () => {
  it('a commit has its full effect, and its repetition gets the same answer', async () => {
    const { host, page, person, body } = await atCreatePassword(world)
    const commit = passwords.updatePassword(person.userId, person.passwordId, body)

    await expect(page.call(commit.pipe(killedAt('opening.commit.after')))).rejects.toThrow('killed')
    expect(await host.touch()).toMatchObject({ isAuthenticated: true, needsWallet: true })

    const before = await rowsOf(host, person)
    await page.call(commit)
    expect(await rowsOf(host, person)).toEqual(before)
  })
})
