import * as Effect from 'effect/Effect'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { addMailboxRoutes, makeMailbox } from '../../../adapters/development/Mailbox.ts'
import { Mail, type Message } from '../../../domain/service/ports/Mail.ts'

const mailed = async (...messages: readonly Message[]) => {
  const mailbox = makeMailbox()
  const send = Effect.flatMap(Mail, (mail) => Effect.forEach(messages, mail.send))
  await Effect.runPromise(Effect.provide(send, mailbox.layer))
  const server = fastify()
  addMailboxRoutes(server, mailbox)
  return server
}

const letter = (to: string, code?: string): Message => ({ to, subject: 'Your code', text: `For ${to}`, code })

describe('the development mailbox', () => {
  it('lists the mails to an address, newest last, each with its code', async () => {
    const server = await mailed(
      letter('ada@example.com', '111111'),
      letter('eve@example.com', '222222'),
      letter('Ada@example.com', '333333'),
    )

    const answer = await server.inject('/dev/mailbox?to=ada%40example.com')

    const sentAt: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(answer.json()).toEqual({
      messages: [
        { to: 'ada@example.com', subject: 'Your code', text: 'For ada@example.com', code: '111111', sentAt },
        { to: 'Ada@example.com', subject: 'Your code', text: 'For Ada@example.com', code: '333333', sentAt },
      ],
    })
    expect((await server.inject('/dev/mailbox')).json<{ messages: unknown[] }>().messages).toHaveLength(3)
    expect((await server.inject('/dev/mailbox?to=nobody')).json()).toEqual({ messages: [] })
  })

  it('shows a page of mails, newest first, as escaped text', async () => {
    const server = await mailed(letter('first'), letter('<script>alert("x")</script>', '424242'))

    const { body, headers } = await server.inject('/dev/mailbox/ui')

    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).not.toContain('<script>')
    expect(body.indexOf('424242')).toBeLessThan(body.indexOf('For first'))
  })
})
