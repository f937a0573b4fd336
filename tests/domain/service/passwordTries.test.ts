import { randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { describe, expect, it } from 'vitest'
import * as passwords from '../../../domain/service/passwords.ts'
import { takeTry } from '../../../domain/service/passwordTries.ts'
import { atLogin, minutes, signUp, useWorld, type Person } from './identity.ts'

const world = useWorld()

type Guess = { readonly network: string; readonly deviceToken?: string }

const logIn = async (person: Person, { network, ...token }: Guess) => {
  const { page } = await atLogin(world)
  return page.call(passwords.verifyPassword({ ...person.proof(page), ...token }), { network })
}

/** How many of these wrong passwords are compared. */
const compared = async (person: Person, count: number, { network, ...token }: Guess) => {
  const { page } = await atLogin(world)
  const refusals: string[] = []
  for (let guess = 0; guess < count; guess++) {
    const proof = person.proof(page, {}, randomBytes(32))
    refusals.push(await page.refused(passwords.verifyPassword({ ...proof, ...token }), { network }))
  }
  return refusals.filter((refusal) => refusal === 'InvalidPassword: invalid password').length
}

describe('tries of a password', () => {
  it('are a browser’s own where it logged in before, whatever strangers do', async () => {
    const [{ person }, { person: stranger }] = [await signUp(world), await signUp(world)]
    const { deviceToken } = await logIn(person, { network: '192.0.2.10' })
    const foreign = await logIn(stranger, { network: '192.0.2.11' })

    expect(await compared(person, 6, { network: '192.0.2.11' })).toBe(5)
    expect(await compared(person, 1, { network: '192.0.2.11', deviceToken: foreign.deviceToken })).toBe(0)
    expect(await compared(person, 1, { network: '192.0.2.11', deviceToken: `${deviceToken.slice(0, -4)}0000` })).toBe(0)

    const again = await logIn(person, { network: '192.0.2.11', deviceToken })
    expect(again).toMatchObject({ userId: person.userId, deviceToken })
    expect(await compared(person, 6, { network: '192.0.2.10', deviceToken })).toBe(5)
    await expect(logIn(person, { network: '192.0.2.12' })).resolves.toMatchObject({ userId: person.userId })
  })

  it('are at most 97 in a day for all unknown browsers together, for records and for decoys', async () => {
    const { person } = await signUp(world)
    const { deviceToken } = await logIn(person, { network: '192.0.2.20' })
    const { page: asking } = await atLogin(world)
    const [decoy] = await asking.call(passwords.listPasswords({ email: world.email() }))

    for (const passwordId of [person.passwordId, decoy?.id ?? '']) {
      const takes = async (networks: number) => {
        let taken = 0
        for (let network = 0; network < networks; network++) {
          const take = Effect.isSuccess(Effect.asVoid(takeTry(passwordId, undefined)))
          if ((await world.send({ network: `198.51.100.${network}` }, take)).answer) taken += 1
        }
        return taken
      }
      expect(await takes(55)).toBe(50)
      await world.advance(minutes(24 * 60) - 1)
      expect(await takes(50)).toBe(47)
    }
    await expect(logIn(person, { network: '192.0.2.20', deviceToken })).resolves.toMatchObject({
      userId: person.userId,
    })
  })
})
