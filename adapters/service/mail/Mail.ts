import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { createTransport } from 'nodemailer'
import { Mail, NotSent } from '../../../domain/service/ports/Mail.ts'

/** The address has the password in it. */
export type SmtpServer = { readonly url: Redacted.Redacted; readonly from: string }

/** Milliseconds without an answer. The outbox's worker limits the whole of an attempt. */
const within = { connectionTimeout: 10_000, socketTimeout: 20_000 }

/** One attempt for each mail; the outbox's worker makes further ones. */
export const MailSmtp = ({ url, from }: SmtpServer): Layer.Layer<Mail> =>
  Layer.effect(
    Mail,
    Effect.gen(function* () {
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => createTransport({ url: Redacted.value(url), ...within }, { from })),
        (opened) => Effect.sync(() => opened.close()),
      )
      return Mail.of({
        send: ({ to, subject, text }) =>
          Effect.asVoid(
            Effect.tryPromise({ try: () => transport.sendMail({ to, subject, text }), catch: notSentBecause }),
          ),
      })
    }),
  )

/** Of a process that sends none. */
export const noMail: Layer.Layer<Mail> = Layer.succeed(Mail, {
  send: () => Effect.fail(new NotSent({ reason: 'no mail server is set', isFinal: false })),
})

/** Without the server's text, which may contain the address. */
const notSentBecause = (cause: unknown): NotSent => {
  const code = textOf(cause, 'code') ?? 'no code'
  const status = numberOf(cause, 'responseCode')
  const command = textOf(cause, 'command')
  // An answer about the recipient or the text; others, such as a refused login, the operator can mend.
  const isFinal = status !== undefined && status >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return new NotSent({ reason: status === undefined ? code : `${code}, ${status}`, isFinal })
}

const textOf = (cause: unknown, field: 'code' | 'command'): string | undefined => {
  const found: unknown = cause instanceof Error ? Reflect.get(cause, field) : undefined
  return typeof found === 'string' ? found : undefined
}

const numberOf = (cause: unknown, field: 'responseCode'): number | undefined => {
  const found: unknown = cause instanceof Error ? Reflect.get(cause, field) : undefined
  return typeof found === 'number' ? found : undefined
}
