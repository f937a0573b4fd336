/**
 * Clients that cost more than they should, on real sockets: they wait in hundreds, never read what they asked for, send
 * several requests at once or half of one, or a byte a second, or send more than the co-signer computes. Others are served
 * meanwhile.
 */
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sendingLimits } from '../../adapters/service/http/server.ts'
import * as Header from '../../domain/model/Header.ts'
import { waitingLimits } from '../../domain/service/waiting.ts'
import { isLong, times } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { shop, signUp } from './people.ts'
import { startProxy, type Reply } from './proxy.ts'
import { ask, unsignedAnswer, type Answer, type Client } from './wire.ts'

let service: TestService
let client: Client
let port: number
const sockets = new Set<Socket>()

beforeAll(async () => {
  service = await startService({ environment: { RATE_R1: '900000/1s', RATE_R2: '900000/1s' } })
  client = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: shop }
  port = Number(new URL(service.addresses.api).port)
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})
afterAll(() => service.stop())

const touch = (by: Client = client, headers: Readonly<Record<string, string>> = {}) =>
  ask(by, 'POST', '/touch?regenerate=false', undefined, headers)

const newSession = async (): Promise<Client> => ({ ...client, token: (await touch()).token ?? '' })

/** What other callers see: each call comes to its end. */
const serve = async (by: Client, count: number): Promise<void> => {
  for (let call = 0; call < count; call++) expect((await touch(by)).status).toBe(200)
}

type Line = {
  readonly socket: Socket
  /** What has come back. */
  readonly text: () => string
  /** When the connection ended, in ms since it began. */
  readonly ended: Promise<number>
}

const open = (): Promise<Line> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    let text = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => (text += bytes.toString('latin1')))
    const ended = new Promise<number>((end) => socket.on('close', () => end(performance.now() - began)))
    socket.on('end', () => socket.end())
    socket.once('connect', () => resolve({ socket, text: () => text, ended }))
    socket.once('error', reject)
  })

const requestOf = ({ apiKey = '', token = '' }: Client, more = '') =>
  `GET /partners/${service.partner.partnerId} HTTP/1.1\r\nhost: a\r\n${Header.apiKey}: ${apiKey}\r\n${Header.session}: ${token}\r\norigin: ${shop}\r\n${more}\r\n`

const answersIn = (text: string) => text.split('HTTP/1.1 200 OK').length - 1

/** More than a network may; a session may twenty. */
const waiting = times(240, 300)

describe(`${waiting} callers who wait with one key`, () => {
  it('wait as many as a session and a network may, the others are answered at once, and so is everyone else', async () => {
    const sessions = await Promise.all(Array.from({ length: waiting / waitingLimits.session }, newSession))
    const stop = new AbortController()
    let answered = 0
    const waiters = sessions.flatMap((session) =>
      Array.from({ length: waitingLimits.session }, async () => {
        const headers = { [Header.apiKey]: session.apiKey ?? '', [Header.session]: session.token ?? '', origin: shop }
        const target = `${service.addresses.api}/touch?regenerate=false`
        const prefer = { [Header.prefer]: 'wait=20' }
        const answer = await fetch(target, { method: 'POST', headers: { ...headers, ...prefer }, signal: stop.signal })
        answered++
        return answer.status
      }),
    )
    const all = Promise.allSettled(waiters)

    await expect.poll(() => answered).toBe(waiting - waitingLimits.network)
    await serve(await newSession(), 20)
    const late: Answer = await touch(await newSession(), { [Header.prefer]: 'wait=20' })
    expect(late.status).toBe(200)
    expect(answered).toBe(waiting - waitingLimits.network)

    stop.abort()
    await all
  })

  it('give their places back when they leave', async () => {
    const session = await newSession()
    const lines = await Promise.all(Array.from({ length: waitingLimits.session }, open))
    const waiting = `POST /touch?regenerate=false HTTP/1.1\r\nhost: a\r\n${Header.apiKey}: ${session.apiKey ?? ''}\r\n${Header.session}: ${session.token ?? ''}\r\norigin: ${shop}\r\nprefer: wait=20\r\ncontent-length: 0\r\n\r\n`
    for (const { socket } of lines) socket.write(waiting)
    const late: Promise<unknown>[] = []
    /** Whether one more is answered at once: before others are who come after it. */
    const isFull = async () => {
      let isAnswered = false
      late.push(touch(session, { [Header.prefer]: 'wait=1' }).then(() => (isAnswered = true)))
      await serve(session, 5)
      return isAnswered
    }

    await expect.poll(isFull).toBe(true)
    for (const { socket } of lines) socket.destroy()
    // Long before their time would be up.
    await expect.poll(isFull, { timeout: 10_000 }).toBe(false)
    await Promise.all(late)
  })
})

/** Until the returned function is called, the co-signer's threads get nothing to compute. */
const holdThreads = () => {
  const held: (() => void)[] = []
  const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, order: unknown) {
    held.push(() => this.postMessage(order))
  })
  return () => {
    spy.mockRestore()
    for (const give of held) give()
  }
}

describe('a request for a signature that comes thirty times while the co-signer computes', () => {
  it('waits as often as one may, the others are told when to come again, and everyone else is served', async () => {
    const proxy = await startProxy(service.addresses.cosigner)
    const addresses = { ...service.addresses, cosigner: proxy.address }
    const { device, walletIds } = await signUp(service, { types: { SOLANA: true }, addresses })
    const [copies, mayWait] = [30, 16]
    const early: Reply[] = []
    const answers: Promise<readonly Reply[]>[] = []
    const release = holdThreads()
    proxy.handle = async (_, pass) => {
      const note = async () => {
        const reply = await pass()
        early.push(reply)
        return reply
      }
      const all = Promise.all(Array.from({ length: copies }, note))
      answers.push(all)
      return (await all).find(({ status }) => status === 200) ?? pass()
    }

    const signing = device.signMessage({ walletId: walletIds[0] ?? '', message: 'once' })
    await expect.poll(() => early.length).toBe(copies - mayWait)
    await serve(await newSession(), 20)
    const shed = early.slice()
    release()
    const [replies = []] = await Promise.all(answers)

    expect(shed.map(({ status, headers }) => [status, headers[Header.errorCode], headers['retry-after']])).toEqual(
      shed.map(() => [503, 'CosignerBusy', '1']),
    )
    const signed = replies.filter(({ status }) => status === 200).map(({ body }) => unsignedAnswer(body))
    expect(signed).toHaveLength(mayWait)
    expect(new Set(signed).size).toBe(1)
    expect(await signing).toMatchObject({ walletId: walletIds[0] })
    await proxy.stop()
  })
})

describe('a client on one connection', () => {
  it('that sends requests in a row gets each answer, in their order', async () => {
    const [one, two] = [await newSession(), await newSession()]
    const { socket, text } = await open()

    socket.write(requestOf(one) + requestOf({ ...two, apiKey: 'pk_nothing', token: '' }) + requestOf(two))
    await expect.poll(() => text().split('HTTP/1.1 ').length - 1).toBe(3)

    expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '401', '200'])
  })

  it('that closes its half within a request is answered that it is malformed', async () => {
    const { socket, text, ended } = await open()

    socket.end(requestOf(await newSession()).slice(0, 60))
    await ended

    expect(text()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  it('that closes its half after a request holds nothing open', async () => {
    const { socket, ended } = await open()

    socket.end(requestOf(await newSession()))

    await ended
    await serve(client, 1)
  })

  it.runIf(isLong)('that never reads holds up no others, and gets all answers once it reads', async () => {
    const { socket, text } = await open()
    const count = 6_000
    socket.pause()

    socket.write(requestOf(await newSession()).repeat(count))
    await serve(await newSession(), 100)
    socket.resume()

    await expect.poll(() => answersIn(text()), { timeout: 150_000 }).toBe(count)
  })
})

describe.runIf(isLong)('500 sockets that send a byte a second, or nothing', () => {
  it('end when their time is up, and others are served meanwhile', { timeout: 240_000 }, async () => {
    const session = await newSession()
    const { headersMs, requestMs } = sendingLimits
    const kinds = [
      { begin: 'POST /touch HTTP/1.1\r\nhost: a\r\nx-slow: ', endsMs: headersMs, count: 200 },
      { begin: 'POST /touch HTTP/1.1\r\nhost: a\r\ncontent-length: 10000\r\n\r\n', endsMs: requestMs, count: 200 },
      { begin: '', endsMs: headersMs, count: 100 },
    ]
    const lines: { readonly line: Line; readonly endsMs: number; readonly isSilent: boolean }[] = []
    for (const { begin, endsMs, count } of kinds) {
      for (let index = 0; index < count; index++) {
        const line = await open()
        if (begin !== '') line.socket.write(begin)
        lines.push({ line, endsMs, isSilent: begin === '' })
      }
    }
    const drip = setInterval(() => {
      for (const { line, isSilent } of lines) if (!isSilent && line.socket.writable) line.socket.write('x')
    }, 1_000)
    await serve(session, 1_000)
    const ends = await Promise.all(lines.map(async ({ line, endsMs }) => (await line.ended) - endsMs))
    clearInterval(drip)

    expect(Math.min(...ends)).toBeGreaterThan(-100)
    expect(Math.max(...ends)).toBeLessThan(5_000)
    expect(lines.filter(({ line }) => !/^HTTP\/1\.1 408 /.test(line.text())).length).toBe(0)
  })
})
