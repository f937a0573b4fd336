/** The SDK of the bare host as a device of the checks in tests/service: what they ask for is asked for in the page. */
import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Para } from '../../../adapters/browser/sdk.ts'
import type { Bare } from '../harness/host.ts'

declare const window: Bare

const verbs = [
  'signMessage',
  'signTypedData',
  'signAuthorization',
  'signTransaction',
  'sendTransaction',
  'signSolanaTransaction',
  'sendSolanaTransaction',
  'signCosmosDirect',
  'signCosmosAmino',
  'sendCosmosTransaction',
] as const

type Verb = (typeof verbs)[number]

export type PageDevice = Pick<Para, Verb>

export const deviceOn = (host: Page): PageDevice => {
  const device: unknown = Object.fromEntries(verbs.map((verb) => [verb, (input: Input) => askPage(host, verb, input)]))
  return device as PageDevice
}

type AccountNumber = bigint | number | string | { toString: () => string } | undefined
type Input = { readonly signDoc?: { readonly accountNumber?: AccountNumber } }

/** Bytes and bigints cross to the page and back. A document that comes back as it went is the caller's own. */
const askPage = async (host: Page, verb: Verb, input: Input): Promise<unknown> => {
  const made = await host.evaluate(
    async ([name, asked]) => {
      const verbs = window.para as unknown as Readonly<Record<Verb, (input: Input) => Promise<object | string>>>
      const answer = await verbs[name](asked)
      return typeof answer === 'object' && 'signed' in answer
        ? { ...answer, signed: answer.signed === asked.signDoc }
        : answer
    },
    [verb, crossing(input)] as const,
  )
  if (typeof made !== 'object' || !('signed' in made)) return made
  expect(made.signed).toBe(true)
  return { ...made, signed: input.signDoc }
}

/** Of a Buffer its bytes; an account number may be any object that has text, whose method does not cross. */
const crossing = ({ signDoc, ...input }: Input): Input => ({
  ...Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, value instanceof Uint8Array ? Uint8Array.from(value) : value]),
  ),
  ...(signDoc === undefined ? {} : { signDoc: { ...signDoc, accountNumber: plainNumber(signDoc.accountNumber) } }),
})

const plainNumber = (number: AccountNumber): AccountNumber => (typeof number === 'object' ? number.toString() : number)
