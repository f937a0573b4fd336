/** The development mailbox: whatever the service sends by mail or SMS, for people and tests to read. It never leaves this process. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { isLocalOrigin } from '../../domain/service/Partner.ts'
import { Mail, type Message } from '../../domain/service/ports/Mail.ts'
import { Sms } from '../../domain/service/ports/Sms.ts'

/** An SMS has no subject. */
export type Letter = Omit<Message, 'subject'> & { readonly subject: string | null; readonly sentAt: number }

export type Mailbox = {
  readonly layer: Layer.Layer<Mail>
  readonly sms: Layer.Layer<Sms>
  /** Newest last; all of them, or those to one address. */
  readonly letters: (to?: string) => readonly Letter[]
}

/** Older ones are forgotten. */
const capacity = 1_000

export const makeMailbox = (): Mailbox => {
  const letters: Letter[] = []
  const keep = (letter: Omit<Letter, 'sentAt'>) =>
    Effect.map(Clock.currentTimeMillis, (sentAt) => {
      letters.push({ ...letter, sentAt })
      if (letters.length > capacity) letters.shift()
    })
  return {
    layer: Layer.succeed(Mail, { send: keep }),
    sms: Layer.succeed(Sms, { send: (message) => keep({ ...message, subject: null }) }),
    letters: (to) => letters.filter((letter) => to === undefined || isSame(letter.to, to)),
  }
}

/** `GET /dev/mailbox?to=ADDRESS` for tests, `GET /dev/mailbox/ui` for people. */
export const addMailboxRoutes = (server: FastifyInstance, mailbox: Mailbox): void => {
  server.get('/dev/mailbox', { onRequest: requireOwnHost }, (request, reply) =>
    reply.send({
      messages: mailbox.letters(addressOf(request.query)).map(({ to, subject, text, code, sentAt }) => ({
        to,
        subject,
        text,
        code: code ?? null,
        sentAt: new Date(sentAt).toISOString(),
      })),
    }),
  )
  server.get('/dev/mailbox/ui', { onRequest: requireOwnHost }, (request, reply) =>
    reply.type('text/html; charset=utf-8').send(page(mailbox.letters(addressOf(request.query)))),
  )
}

/**
 * A page on the internet may let its own name lead to this machine, and would then read the codes here as its own: so only a name
 * of this machine is answered, with the port that was asked.
 */
const requireOwnHost: onRequestHookHandler = ({ headers, socket }, reply, done) => {
  const origin = `http://${headers.host?.toLowerCase() ?? ''}`
  const isOwn = isLocalOrigin(origin, 'DEV') && Number(/:([0-9]+)$/.exec(origin)?.[1] ?? 80) === socket.localPort
  if (isOwn) return done()
  reply
    .code(421)
    .type('text/plain; charset=utf-8')
    .send('the mailbox is answered at localhost alone, with its own port')
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

const addressOf = (query: unknown): string | undefined =>
  typeof query === 'object' && query !== null && 'to' in query && typeof query.to === 'string' ? query.to : undefined

const page = (letters: readonly Letter[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3">
<title>Mailbox</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
  h2 { font-size: 1.1rem; margin: .5rem 0 }
  article { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 1rem 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .5rem 0 0 }
  b { font-size: 1.5rem; letter-spacing: .1em }
  small { opacity: .75 }
</style>
</head>
<body>
<h1>Mailbox</h1>
${letters.length === 0 ? '<p>Nothing was mailed yet.</p>' : [...letters].reverse().map(article).join('\n')}
</body>
</html>
`

const article = ({ to, subject, text, code, sentAt }: Letter): string => `<article>
<small>${escape(new Date(sentAt).toISOString())} to ${escape(to)}</small>
<h2>${escape(subject ?? 'SMS')}</h2>
${code === undefined ? '' : `<b>${escape(code)}</b>`}
<pre>${escape(text)}</pre>
</article>`

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
