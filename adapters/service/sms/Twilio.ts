/**
 * SMS by Twilio's REST API, version 2010-04-01 (https://www.twilio.com/docs/messaging/api/message-resource): one POST of
 * a form for each message.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { NotSent } from '../../../domain/service/ports/Mail.ts'
import { Sms, type ShortMessage } from '../../../domain/service/ports/Sms.ts'

export type TwilioAccount = {
  /** The origin of the API. */
  readonly url: string
  /** `AC` and 32 hex digits. */
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  /** A phone number, an alphanumeric sender, or the SID of a messaging service (`MG` and 32 hex digits). */
  readonly from: string
}

const usualWithinMs = 10_000

export const SmsTwilio = (account: TwilioAccount, withinMs = usualWithinMs): Layer.Layer<Sms> =>
  Layer.succeed(Sms, {
    send: (message) =>
      Effect.flatMap(
        Effect.tryPromise({
          try: (signal) => post(account, message, AbortSignal.any([signal, AbortSignal.timeout(withinMs)])),
          catch: (cause) => new NotSent({ reason: `Twilio does not answer (${nameOf(cause)})`, isFinal: false }),
        }),
        ({ status, code }) => (status >= 200 && status < 300 ? Effect.void : Effect.fail(refusalOf(status, code))),
      ),
  })

/** Where no provider is set. */
export const noSms: Layer.Layer<Sms> = Layer.succeed(Sms, {
  send: () => Effect.fail(new NotSent({ reason: 'no provider of SMS is set', isFinal: true })),
})

/** A request of the account, with its credentials. A redirect is refused: it would lead them elsewhere. */
export const askTwilio = (
  { url, accountSid, authToken }: Pick<TwilioAccount, 'url' | 'accountSid' | 'authToken'>,
  path: '.json' | '/Messages.json',
  request: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> =>
  fetch(`${url}/2010-04-01/Accounts/${accountSid}${path}`, {
    ...request,
    headers: { authorization: `Basic ${btoa(`${accountSid}:${Redacted.value(authToken)}`)}` },
    redirect: 'error',
  })

type Answer = { readonly status: number; readonly code: number | undefined }

const post = async (account: TwilioAccount, { to, text }: ShortMessage, signal: AbortSignal): Promise<Answer> => {
  const sender = /^MG[0-9a-f]{32}$/.test(account.from) ? 'MessagingServiceSid' : 'From'
  const body = new URLSearchParams({ To: to, [sender]: account.from, Body: text })
  const answer = await askTwilio(account, '/Messages.json', { method: 'POST', body, signal })
  if (answer.ok) {
    await answer.body?.cancel()
    return { status: answer.status, code: undefined }
  }
  return { status: answer.status, code: codeIn(await answer.text()) }
}

/** Twilio's number of an error. Its sentence has the phone number in it, and is read by no one. */
const codeIn = (text: string): number | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
    return typeof code === 'number' ? code : undefined
  } catch {
    return undefined
  }
}

/** 400 is an answer about this message; what else Twilio refuses, it may take later, or once the account is mended. */
const refusalOf = (status: number, code: number | undefined) =>
  new NotSent({
    reason: `Twilio answered ${status}${code === undefined ? '' : `, error ${code}`}`,
    isFinal: status === 400,
  })

const nameOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'no reason'
  const { cause: inner } = cause
  return inner instanceof Error && 'code' in inner ? String(inner.code) : cause.name
}
