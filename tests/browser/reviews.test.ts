/** What a policy holds is signed once, after its user has accepted it on the portal, and not otherwise. */
import type { BrowserContext, Page } from 'playwright'
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
} from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bare } from './harness/host.ts'
import { clickGo, evmAddress, openBareHost, pressGo, signUpOn, went } from './kit/bareHost.ts'
import { carriedPasskey, passwordOf } from './kit/credentials.ts'
import { look } from './kit/look.ts'
import { makeKeyring } from './kit/passkeys.ts'
import { acceptWithPassword, button, closing, heading } from './kit/person.ts'
import { heldRecipients } from './kit/policy.ts'
import { chainUrl, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

declare const window: Bare & {
  steps: { readonly step: string; readonly transactionReviewUrl?: string; readonly isOpen?: boolean }[]
}

const browser = useChromium()

let visitor: Visitor

beforeEach(async () => {
  visitor = await visit(browser())
})
afterEach(() => visitor.close())

const payment = (to: string, nonce = 0) => ({
  type: 'eip1559' as const,
  chainId: 31337,
  nonce,
  to: to as Hex,
  value: parseEther('0.0042'),
  gas: 21_000n,
  maxFeePerGas: 1_000_000_000n,
  maxPriorityFeePerGas: 1n,
})

/** A host page with a user's wallets. */
const signedUp = async (context: BrowserContext, credential = passwordOf()) => {
  const { host } = await signUpOn(context, credential)
  return { host, address: await evmAddress(host) }
}

type Signed = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

/** The next click signs this payment. */
const willSign = (host: Page, transaction: ReturnType<typeof payment>, timeoutMs = 30_000) =>
  host.evaluate(
    (input) => {
      window.steps = []
      window.onGo = () => window.para.signTransaction(input, { onProgress: (step) => void window.steps.push(step) })
    },
    { transaction: serializeTransaction(transaction), chainId: '31337', timeoutMs },
  )

const expectSigned = async (host: Page, transaction: ReturnType<typeof payment>, address: string) => {
  const { value, error } = await went(host)
  expect(error).toBeUndefined()
  if (value === undefined) throw new Error('nothing was signed')
  const { r, s, yParity } = value as Signed
  const serializedTransaction = serializeTransaction(transaction, { r, s, yParity })
  expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
}

const denied = { error: 'transaction review has been denied by the user' }
const timedOut = { error: 'transaction review has timed out' }
const usedUp = { error: 'transaction review was already used' }

describe('a payment that the policy holds', () => {
  it('is signed once it is accepted, and held again for another signature', { tags: 'usual' }, async () => {
    const { host, address } = await signedUp(visitor.context)
    const transaction = payment(heldRecipients.user)
    await willSign(host, transaction)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await page.getByText('0.0042 ETH').waitFor()
    await closing(page, () => button(page, 'Accept').click())
    await expectSigned(host, transaction, address)

    visitor.seen.expectErrors(/404/)
    const again = await clickGo(host)
    await heading(again, 'Send this?')
    await closing(again, () => button(again, 'Deny').click())
    expect(await went(host)).toEqual(denied)
    expectQuiet(visitor.seen)
  })

  it('is not signed when it is denied', async () => {
    const { host } = await signedUp(visitor.context)
    await willSign(host, payment(heldRecipients.user))
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await look(page, 'portal-review')
    await closing(page, () => button(page, 'Deny').click())

    expect(await went(host)).toEqual(denied)
  })

  it('is not signed when its time passes: page and app say so', async () => {
    const { host } = await signedUp(visitor.context)
    await willSign(host, payment(heldRecipients.user), 20_000)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await heading(page, 'This review is over')
    await look(page, 'portal-review-over')

    expect(await went(host)).toEqual(timedOut)
  })

  it('is not signed when the page is closed, and can be opened again while its time lasts', async () => {
    const password = newPassword()
    const { host, address } = await signedUp(visitor.context, passwordOf(password))
    const transaction = payment(heldRecipients.user)
    await willSign(host, transaction, 20_000)
    const first = await clickGo(host)
    await heading(first, 'Send this?')
    await first.close()
    expect(await went(host)).toEqual(timedOut)

    await willSign(host, transaction, 60_000)
    const second = await clickGo(host)
    await heading(second, 'Send this?')
    await second.close()
    const link = await host.evaluate(() => window.steps.at(-1)?.transactionReviewUrl ?? '')
    const third = await visitor.context.newPage()
    await third.goto(link)
    await heading(third, 'Did you begin this in Corner Coffee?')
    await button(third, 'Yes, continue').click()
    await heading(third, 'Send this?')
    // No window of the app opened this page, so that it takes the password here.
    await acceptWithPassword(third, password)
    await expectSigned(host, transaction, address)
  })

  it('is signed once for two tabs that ask for the same', async () => {
    const { host, address } = await signedUp(visitor.context)
    const other = await openBareHost(visitor.context)
    const transaction = payment(heldRecipients.user)
    await willSign(host, transaction)
    await willSign(other, transaction)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    const second = await clickGo(other)
    await heading(second, 'Send this?')
    await closing(second, () => button(second, 'Accept').click())

    const ends = [await went(host), await went(other)]
    const signed = ends.filter(({ value }) => value !== undefined)
    expect(signed).toHaveLength(1)
    expect(ends.filter(({ error }) => error !== undefined)).toEqual([usedUp])
    await expectSigned(ends[0]?.value === undefined ? other : host, transaction, address)
    // The second page of the session has closed the first one.
    visitor.seen.expectErrors(/401|410/)
    await page.bringToFront()
    await button(page, 'Accept').click()
    await heading(page, 'This page has expired')
  })

  it('waits for the network on both sides, and is signed once', async () => {
    const { host, address } = await signedUp(visitor.context)
    const transaction = payment(heldRecipients.user)
    await willSign(host, transaction, 60_000)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    visitor.seen.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await visitor.context.setOffline(true)
    await button(page, 'Accept').click()
    await page.getByText('No connection').waitFor()
    await look(page, 'portal-review-offline')
    await visitor.context.setOffline(false)
    await closing(page, () => button(page, 'Accept').click())
    await expectSigned(host, transaction, address)
  })

  it('is accepted with the password where the policy says so', async () => {
    const password = newPassword()
    const { host, address } = await signedUp(visitor.context, passwordOf(password))
    const transaction = payment(heldRecipients.stepUp)
    await willSign(host, transaction, 120_000)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await look(page, 'portal-review-step-up')
    await button(page, 'Accept').click()
    await page.getByText('Enter your password.').waitFor()
    visitor.seen.expectErrors(/401/)
    await acceptWithPassword(page, 'not my password')
    await page.getByText(/Incorrect password/).waitFor()
    await closing(page, () => acceptWithPassword(page, password))
    await expectSigned(host, transaction, address)
  })

  it('is accepted with the passkey where the policy says so', async () => {
    await visitor.close()
    const keyring = makeKeyring({ hasPrf: false })
    visitor = await visit(browser(), { prepare: keyring.carry })
    const { host, address } = await signedUp(visitor.context, carriedPasskey(keyring))
    const transaction = payment(heldRecipients.stepUp)
    await willSign(host, transaction, 120_000)
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await look(page, 'portal-review-passkey')
    await keyring.of(page)
    await closing(page, () => button(page, 'Accept with passkey').click())
    await expectSigned(host, transaction, address)
  })

  it('is sent when it is asked for again after the review', async () => {
    const password = newPassword()
    const { host, address } = await signedUp(visitor.context, passwordOf(password))
    const chain = createTestClient({ mode: 'anvil', transport: http(chainUrl()) }).extend(publicActions)
    await chain.setBalance({ address: address as Hex, value: parseEther('1') })
    await host.evaluate(
      (input) => {
        window.onGo = () =>
          window.para.sendTransaction(input).catch((error: unknown) => {
            if (!(error instanceof Error && 'transactionReviewUrl' in error)) throw error
            return { review: error.transactionReviewUrl }
          })
      },
      {
        transaction: serializeTransaction({ ...payment(heldRecipients.user), maxFeePerGas: 5_000_000_000n }),
        chainId: '31337',
      },
    )
    await pressGo(host)
    const { value } = (await went(host)) as { readonly value?: { readonly review?: string } }
    const page = await visitor.context.newPage()
    await page.goto(value?.review ?? '')
    await button(page, 'Yes, continue').click()
    await heading(page, 'Send this?')
    await acceptWithPassword(page, password)
    await heading(page, 'Accepted')
    await host.bringToFront()
    await pressGo(host)

    const { value: sent } = (await went(host)) as { readonly value?: { readonly transactionHash?: Hex } }
    expect(sent?.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await chain.getTransaction({ hash: sent?.transactionHash ?? '0x' })).toMatchObject({
      to: heldRecipients.user,
      value: 0xeebe0b40e8000n,
    })
  })

  it('names its page where the browser opens no window', async () => {
    const { host } = await signedUp(visitor.context)
    await host.evaluate(() => {
      window.open = () => null
    })
    await willSign(host, payment(heldRecipients.user), 60_000)
    await pressGo(host)
    await expect
      .poll(() => host.evaluate(() => window.steps.at(-1)))
      .toMatchObject({ step: 'reviewing', isOpen: false })
    const link = await host.evaluate(() => window.steps.at(-1)?.transactionReviewUrl ?? '')
    const page = await visitor.context.newPage()
    await page.goto(link)
    await button(page, 'Yes, continue').click()
    await heading(page, 'Send this?')
    await button(page, 'Deny').click()

    expect(await went(host)).toEqual(denied)
  })
})
