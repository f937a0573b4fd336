/** D25 to D27: the mail server, and the chains' providers. */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { createTransport } from 'nodemailer'
import { askRpc } from '../../service/chains/node.ts'
import { answerWithinMs, codeOf, type Check, type Fault } from './Check.ts'

/** Connects and logs in; sends no mail. */
export const checkMail: Check = async ({ smtp }) => {
  if (smtp === undefined) return []
  const transport = createTransport(Redacted.value(smtp.url), { from: smtp.from })
  const refused = await within(transport.verify()).then(
    () => undefined,
    (cause: unknown) => codeOf(cause),
  )
  transport.close()
  if (refused === undefined) return []
  const sentence = `The mail server that SMTP_URL names refuses or does not answer (${refused}): codes are not delivered.`
  return [{ code: 'D25', sentence, fix: 'Correct host, port, user and password in SMTP_URL.' }]
}

/** Each provider has to be one of the chain under whose id it stands. */
export const checkChains: Check = async ({ chains }) =>
  (await Promise.all([...chains].filter(([id]) => /^[0-9]+$/.test(id)).map(([id, url]) => checkChain(id, url)))).flat()

const checkChain = async (id: string, url: string): Promise<readonly Fault[]> => {
  const answered = await chainIdAt(id, url)
  if (answered === id) return []
  if (answered === undefined) {
    const sentence = `The provider of chain ${id} in CHAIN_RPC_URLS does not answer.`
    return [{ code: 'D26', sentence, fix: 'Correct its address, and the key in it.' }]
  }
  const sentence = `The provider of chain ${id} in CHAIN_RPC_URLS is one of chain ${answered}.`
  return [{ code: 'D27', sentence, fix: `Give it as ${answered}=…, or the address of one of chain ${id}.` }]
}

/** In decimal digits. */
const chainIdAt = async (id: string, url: string): Promise<string | undefined> => {
  const answer = await Effect.runPromise(Effect.option(askRpc(url, id, 'eth_chainId', [])))
  const result = Option.getOrUndefined(answer)?.result
  return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result).toString() : undefined
}

const within = async <A>(promise: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })), answerWithinMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
