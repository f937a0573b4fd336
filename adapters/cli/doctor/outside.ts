/** D25 to D27, D30 and D31: the mail server, the chains' providers, and the provider of SMS. */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { createTransport } from 'nodemailer'
import { askRpc } from '../../service/chains/node.ts'
import { askTwilio, type TwilioAccount } from '../../service/sms/Twilio.ts'
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
  const { protocol, hostname, port } = new URL(Redacted.value(smtp.url))
  // As nodemailer has it without a port.
  const at = `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
  const sentence = `The mail server that SMTP_URL names, ${at}, refuses or does not answer (${refused}): codes are not delivered.`
  return [{ code: 'D25', sentence, fix: 'Correct host, port, user and password in SMTP_URL.' }]
}

/** Looks at the account; sends no SMS. */
export const checkSms: Check = async ({ twilio }) => {
  if (twilio === undefined) return []
  const found = await accountAt(twilio)
  if (found === 'active') return []
  if (found === undefined) {
    const sentence = 'Twilio does not answer: no one gets an SMS.'
    return [{ code: 'D30', sentence, fix: 'Let this machine reach the address in TWILIO_API_URL.' }]
  }
  const sentence = `Twilio refuses the account that TWILIO_ACCOUNT_SID names (${found}): no one gets an SMS.`
  return [{ code: 'D31', sentence, fix: 'Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, or have it made active.' }]
}

/** Its status, such as `active` or `suspended`, or that of the answer. Undefined where there is no answer. */
const accountAt = async (account: TwilioAccount): Promise<string | undefined> => {
  try {
    const answer = await askTwilio(account, '.json', { signal: AbortSignal.timeout(answerWithinMs) })
    const body: unknown = await answer.json()
    const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined
    return answer.ok && typeof status === 'string' && /^[a-z]{1,20}$/.test(status) ? status : String(answer.status)
  } catch {
    return undefined
  }
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
