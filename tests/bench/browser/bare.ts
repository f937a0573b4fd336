/** A partner's page without React: a new person's wallets, and what is signed and refreshed with them. */
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Credential } from '../../browser/kit/credentials.ts'
import { clickGo, openBareHost, verify, went } from '../../browser/kit/bareHost.ts'
import type { ParaOptions } from '../../../adapters/browser/sdk.ts'
import type { Bare } from '../../browser/harness/host.ts'
import { inTime } from './inTime.ts'
import { observe, takeRuns, type Observed, type Observing, type SeenCall, type SeenRun } from './observe.ts'

export type Way = Observing & {
  /** Another address of the co-signer. */
  readonly cosigner: string | undefined
}

export type Customer = { readonly context: BrowserContext; readonly page: Page }

/** A person with wallets, which are made in the given way. */
export const newCustomer = async (
  browser: Browser,
  credential: Credential,
  way: Way,
): Promise<{ readonly customer: Customer; readonly runs: readonly SeenRun[] }> => {
  // The shop's policy knows one co-signer only.
  const context = await browser.newContext({ bypassCSP: way.cosigner !== undefined || way.withoutKernel })
  await credential.prepare(context)
  await observe(context, way)
  const page = await openBareHost(context)
  await page.evaluate(async (cosigner) => {
    const bare = window as unknown as Bare
    const { hosts } = (await (await fetch('/config.json')).json()) as Pick<Required<ParaOptions>, 'hosts'>
    if (cosigner !== null) bare.para = bare.make({ hosts: { ...hosts, cosigner } })
  }, way.cosigner ?? null)

  await verify(page)
  await page.evaluate(() => {
    const bare = window as unknown as Bare
    bare.onGo = () => bare.para.setUpPasskey()
  })
  await credential.signUp.protect(await clickGo(page))
  const { error } = await inTime(went(page))
  if (error !== undefined) throw new Error(`no wallets were made: ${error}`)
  return { customer: { context, page }, runs: await takeRuns(page) }
}

export type Verb = 'signMessage' | 'refreshKeys'

/** The verb so often, one call after the other; what the first calls load is not counted. */
export const callOften = async (
  { page }: Customer,
  asked: { readonly verb: Verb; readonly type: 'EVM' | 'SOLANA'; readonly times: number; readonly warmUp: number },
): Promise<{ readonly calls: readonly SeenCall[]; readonly runs: readonly SeenRun[] }> => {
  const often = (times: number) =>
    page.evaluate(
      async ({ verb, type, times }) => {
        const { para, bench } = window as unknown as Bare & Observed
        const walletId = (await para.getWallets()).find((wallet) => wallet.type === type)?.id ?? ''
        const calls = []
        for (let time = 0; time < times; time++) {
          const call = () =>
            verb === 'signMessage'
              ? para.signMessage({ walletId, message: `One espresso, please. ${crypto.randomUUID()}` })
              : para.refreshKeys({ walletId: walletId })
          calls.push(await bench.call(call))
        }
        return calls
      },
      { ...asked, times },
    )
  await often(asked.warmUp)
  await takeRuns(page)
  const calls = await often(asked.times)
  return { calls, runs: await takeRuns(page) }
}
