import * as Effect from 'effect/Effect'
import { get } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { newUser, type TestUser } from '../../../adapters/browser/testing/testing.ts'
import { addMailboxRoutes, makeMailbox, type Mailbox } from '../../../adapters/development/Mailbox.ts'
import { Mail, type Message } from '../../../domain/service/ports/Mail.ts'
import { Sms } from '../../../domain/service/ports/Sms.ts'

let server: FastifyInstance
let port: number
afterEach(() => server.close())

const mailed = async (...messages: readonly Message[]) => {
  const mailbox = makeMailbox()
  const send = Effect.flatMap(Mail, (mail) => Effect.forEach(messages, mail.send))
  await Effect.runPromise(Effect.provide(send, mailbox.layer))
  await serve(mailbox)
}

const serve = async (mailbox: Mailbox) => {
  server = fastify()
  addMailboxRoutes(server, mailbox)
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
}

/** With the name that a browser was given. */
const ask = (path: string, host = `localhost:${port}`) =>
  new Promise<{ readonly status: number | undefined; readonly type: string | undefined; readonly body: string }>(
    (resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
        let body = ''
        answer.on('data', (part) => (body += String(part)))
        answer.on('end', () => resolve({ status: answer.statusCode, type: answer.headers['content-type'], body }))
      }).on('error', reject)
    },
  )

const messagesAt = async (path: string) => (JSON.parse((await ask(path)).body) as { messages: unknown[] }).messages

const letter = (to: string, code?: string): Message => ({ to, subject: 'Your code', text: `For ${to}`, code })

describe('the development mailbox', () => {
  it('lists the mails to an address, newest last, each with its code', async () => {
    await mailed(
      letter('ada@example.com', '111111'),
      letter('eve@example.com', '222222'),
      letter('Ada@example.com', '333333'),
    )

    const sentAt: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(await messagesAt('/dev/mailbox?to=ada%40example.com')).toEqual([
      { to: 'ada@example.com', subject: 'Your code', text: 'For ada@example.com', code: '111111', sentAt },
      { to: 'Ada@example.com', subject: 'Your code', text: 'For Ada@example.com', code: '333333', sentAt },
    ])
    expect(await messagesAt('/dev/mailbox')).toHaveLength(3)
    expect(await messagesAt('/dev/mailbox?to=nobody')).toEqual([])
  })

  it('gives tests of apps each code once, and says when none comes', async () => {
    const mailbox = makeMailbox()
    await serve(mailbox)
    const send = (message: Message) =>
      Effect.runPromise(
        Effect.provide(
          Effect.flatMap(Mail, (mail) => mail.send(message)),
          mailbox.layer,
        ),
      )
    const [ada, eve] = ['ada', 'eve'].map((name) => newUser({ mailbox: `http://localhost:${port}`, name })) as [
      TestUser,
      TestUser,
    ]
    expect(ada.email).toMatch(/^ada-[0-9a-f-]{36}@example\.com$/)

    const first = ada.code()
    await send(letter(eve.email, '999999'))
    await send(letter(ada.email, '111111'))
    expect(await first).toBe('111111')
    const second = ada.code()
    await send(letter(ada.email, '222222'))
    expect(await second).toBe('222222')
    const late = newUser({ mailbox: `http://localhost:${port}`, name: 'late', timeoutMs: 300 })
    await send(letter(late.email))
    await expect(late.code()).rejects.toThrow(`no code was mailed to ${late.email} within 300 ms`)

    await server.close()
    await expect(ada.code()).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    server = fastify()
    const other = await server.listen({ host: '127.0.0.1', port: 0 })
    await expect(newUser({ mailbox: other }).code()).rejects.toThrow(
      `${other} is no mailbox of a development stack: it answers 404`,
    )
  })

  it('lists an SMS, which has no subject, and shows it', async () => {
    const mailbox = makeMailbox()
    const sms = { to: '+15005550009', text: 'It is 123456.', code: '123456' }
    await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Sms, ({ send }) => send(sms)),
        mailbox.sms,
      ),
    )
    await serve(mailbox)

    expect(await messagesAt('/dev/mailbox?to=%2B15005550009')).toEqual([
      { ...sms, subject: null, sentAt: expect.any(String) as string },
    ])
    expect((await ask('/dev/mailbox/ui')).body).toContain('<h2>SMS</h2>')
  })

  it('shows a page of mails, newest first, as escaped text', async () => {
    await mailed(letter('first'), letter('<script>alert("x")</script>', '424242'))

    const { body, type } = await ask('/dev/mailbox/ui')

    expect(type).toBe('text/html; charset=utf-8')
    expect(body).not.toContain('<script>')
    expect(body.indexOf('424242')).toBeLessThan(body.indexOf('For first'))
  })

  it('is answered by the names of this machine, with its own port', async () => {
    await mailed(letter('ada@example.com'))

    for (const name of ['localhost', '127.0.0.1', 'LOCALHOST', 'mail.localhost'])
      for (const path of ['/dev/mailbox', '/dev/mailbox/ui'])
        expect([name, (await ask(path, `${name}:${port}`)).status]).toEqual([name, 200])
  })

  it('is not answered by another name that leads here, or another port', async () => {
    await mailed(letter('ada@example.com', '111111'))
    const own = String(port)
    const others = ['evil.example', `evil.example:${own}`, `localhost.evil.example:${own}`, `evil-localhost:${own}`]

    for (const host of [
      ...others,
      'localhost',
      `localhost:${port + 1}`,
      'localhost:99999',
      `x@localhost:${own}`,
      `localhost:${own}/`,
    ])
      for (const path of ['/dev/mailbox', '/dev/mailbox/ui'])
        expect([host, await ask(path, host)]).toEqual([
          host,
          {
            status: 421,
            type: 'text/plain; charset=utf-8',
            body: 'the mailbox is answered at localhost alone, with its own port',
          },
        ])
  })
})
