import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import * as Scope from 'effect/Scope'
import { createTransport } from 'nodemailer'
import { Mail } from '../../../domain/service/ports/Mail.ts'

export type SmtpPlace = { readonly url: string; readonly from: string }

/** Three tries, the last one half a minute after the first. */
const again = { schedule: Schedule.exponential('6 seconds', 3), times: 2 }

/** Delivers in the background. A failure is logged without the address and without what the server said about it. */
export const MailSmtp = ({ url, from }: SmtpPlace, log: (message: string) => void): Layer.Layer<Mail> =>
  Layer.effect(
    Mail,
    Effect.gen(function* () {
      const scope = yield* Scope.Scope
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => createTransport(url, { from })),
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
