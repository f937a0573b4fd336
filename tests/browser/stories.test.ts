import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../kit/long.ts'
import { textNeedle, type Needle } from '../service/needles.ts'
import { carriedPasskey, passwordOf, phonePasskey } from './kit/credentials.ts'
import { logIn, payInShop, shownAddresses, signInShop, signInShopBySolana, signOut, signUp } from './kit/person.ts'
import { expectEvmSignature, expectMined, expectSolanaSignature } from './kit/verify.ts'
import { newEmail, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectNothingOwnSent, expectNoSecrets, expectQuiet } from './kit/watch.ts'

const browser = useChromium()

/** What every story leaves in the browsers: sealed records, and the secrets of a portal session and of a login. */
const left = ['share', 'recovery key', 'hostSecret', '@CAPSULE/loginEncryptionKeyPair']

const all = [
  { name: 'a password', make: () => passwordOf(), leaves: left },
  {
    name: 'a passkey that has PRF',
    make: () => phonePasskey(browser()),
    leaves: [...left, 'PRF output', 'user handle'],
  },
  { name: 'a passkey whose user handle wraps', make: () => carriedPasskey(), leaves: [...left, 'user handle'] },
]

const ways = casesOf(all, ({ name }) => name !== 'a passkey whose user handle wraps')

/** Signs with both wallets in this browser and verifies the signatures independently, beside what the shop says. */
const signEverything = async (shop: Page, message: string) => {
  const addresses = await shownAddresses(shop)
  await expectEvmSignature(addresses.evm, message, await signInShop(shop, message))
  const signature = await signInShopBySolana(shop, message)
  expectSolanaSignature(addresses.solana, message, Buffer.from(signature, 'base64'))
  return addresses
}

describe.each(ways)('a person with $name', { tags: 'usual' }, ({ make, leaves }) => {
  const visitors: Visitor[] = []
  const known: Needle[] = []

  it('signs up, signs, pays, logs out, and logs in to the same wallets in another browser', async () => {
    const credential = await make()
    const email = newEmail()
    const first = await visit(browser(), { prepare: credential.prepare })
    visitors.push(first)
    const { shop, recoverySecret } = await signUp(first, email, credential.signUp)
    known.push(...credential.secrets, textNeedle('recovery secret', recoverySecret))

    const addresses = await signEverything(shop, 'One espresso, please.')
    await expectMined(await payInShop(shop), addresses.evm)
    await signOut(shop, email)

    const second = await visit(browser(), { prepare: credential.prepare })
    visitors.push(second)
    const again = await logIn(second, email, credential.logIn)
    expect(await signEverything(again, 'And a second one.')).toEqual(addresses)
    for (const { seen } of visitors) expectQuiet(seen)
    for (const { context } of visitors) await context.close()
    await credential.forget()
  })

  it('invariant 5: the browser’s own secrets reach the service in no encoding', () => {
    const names = visitors.flatMap(({ seen }) => seen.own.map(({ name }) => name))

    expect(names).toEqual(expect.arrayContaining(leaves))
    for (const { seen } of visitors) expectNothingOwnSent(seen, known)
  })

  it('leaves no secret in an address, a referrer, a log or the console', async () => {
    expect(visitors.length).toBe(2)
    for (const { seen } of visitors) await expectNoSecrets(seen, known)
  })
})
