import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Schedule from 'effect/Schedule'
import * as Scope from 'effect/Scope'
import { createTransport } from 'nodemailer'
import { Mail } from '../../../domain/service/ports/Mail.ts'

/** The address has the password in it. */
export type SmtpServer = { readonly url: Redacted.Redacted; readonly from: string }

/** Three tries, with pauses of 6 and 18 seconds. */
const again = { schedule: Schedule.exponential('6 seconds', 3), times: 2 }

/**
 * Delivers in the background. A failure is logged without the address and without the server's text, which may contain
 * it.
 */
export const MailSmtp = ({ url, from }: SmtpServer, log: (message: string) => void): Layer.Layer<Mail> =>
  Layer.effect(
    Mail,
    Effect.gen(function* () {
      const scope = yield* Scope.Scope
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => createTransport(Redacted.value(url), { from })),
        (opened) => Effect.sync(() => opened.close()),
      )
      return Mail.of({
        send: ({ to, subject, text }) =>
          Effect.tryPromise({ try: () => transport.sendMail({ to, subject, text }), catch: codeOf }).pipe(
            Effect.retry(again),
            Effect.catch((code) => Effect.sync(() => log(`a mail could not be delivered (${code})`))),
            Effect.forkIn(scope),
            Effect.asVoid,
          ),
      })
    }),
  )

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'no code'
