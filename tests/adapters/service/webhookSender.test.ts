/** Where messages to partners' servers go, and that they go nowhere else. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebhookSenderNode, type WebhookSenderOptions } from '../../../adapters/service/webhooks/WebhookSender.ts'
import { WebhookSender } from '../../../domain/service/ports/WebhookSender.ts'

let canary: Server
let port = 0
let connections = 0
let answer: RequestListener = (_request, response) => response.end()

beforeAll(async () => {
  canary = createServer((request, response) => answer(request, response))
  canary.on('connection', () => (connections += 1))
  await new Promise<void>((done) => canary.listen(0, '0.0.0.0', done))
  port = (canary.address() as AddressInfo).port
})
beforeEach(() => {
  connections = 0
})
afterAll(() => new Promise((done) => canary.close(done)))

const post = (url: string, options: WebhookSenderOptions) =>
  Effect.runPromise(
    Effect.flatMap(WebhookSender, (sender) => Effect.result(sender.post(url, {}, '{}'))).pipe(
      Effect.map((result) => (result._tag === 'Success' ? result.success : result.failure.reason)),
      Effect.provide(WebhookSenderNode(options)),
    ),
  )

/** A name that is looked up as these addresses. */
const resolvingTo =
  (...addresses: readonly string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))

/** With the canary's port for `PORT`. */
const urls = [
  // Schemes and forms.
  'http://shop.example:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_',
  'data:text/plain,x',
  'javascript:fetch("/")',
  'ws://127.0.0.1:PORT/',
  'unix:/var/run/docker.sock',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  '',
  'https://',
  'https:// 127.0.0.1:PORT/',
  // User names and fragments.
  'https://shop.example@127.0.0.1:PORT/',
  'https://user:word@shop.example/',
  'https://user@shop.example/',
  'https://127.0.0.1:PORT#@shop.example/',
  'https://shop.example/#fragment',
  // This machine, in every form of an IPv4 address.
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0.0.1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://127。0。0。1:PORT/',
  'https://127%2e0%2e0%2e1:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://127.8.9.10:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST:PORT/',
  'https://localhost.:PORT/',
  'https://shop.localhost:PORT/',
  // Its networks.
  'https://10.0.0.1:PORT/',
  'https://172.16.0.1:PORT/',
  'https://172.31.255.255:PORT/',
  'https://192.168.1.1:PORT/',
  'https://100.64.0.1:PORT/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://100.100.100.200/latest/meta-data/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  // IPv6, and IPv4 within it.
  'https://[::1]:PORT/',
  'https://[::]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2001:0:7f00:1::]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fec0::1]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[ff02::1]:PORT/',
  'https://[2001:db8::1]:PORT/',
  'https://[5f00::1]:PORT/',
]

/** What a name of the partner's may be looked up as. */
const answers = [
  ['127.0.0.1'],
  ['10.0.0.7'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:10.0.0.7'],
  ['fd00::7'],
  ['0.0.0.0'],
  // One public address does not make the other one public.
  ['93.184.215.14', '127.0.0.1'],
  [],
]

describe('outside DEV', () => {
  it(`connects to none of ${urls.length} addresses that lead inside, or are no https`, async () => {
    expect(urls.length).toBeGreaterThan(60)
    const accepted: string[] = []
    for (const url of urls) {
      const reason = await post(url.replace('PORT', String(port)), {
        isLenient: false,
        resolve: resolvingTo('127.0.0.1'),
      })
      if (typeof reason !== 'string' || !reason.startsWith('the address ')) accepted.push(`${url}: ${reason}`)
    }

    expect(accepted).toEqual([])
    expect(connections).toBe(0)
  })

  it('refuses them when they are registered, but for what only a look-up tells', async () => {
    const refusals = await Effect.runPromise(
      Effect.map(WebhookSender, ({ refusalOf }) =>
        ['https://shop.example/hooks', ...urls].filter((url) => refusalOf(url.replace('PORT', '1')) === undefined),
      ).pipe(Effect.provide(WebhookSenderNode({ isLenient: false }))),
    )

    expect(refusals).toEqual(['https://shop.example/hooks'])
  })

  it.each(answers)('does not connect to a name that is looked up as %s', async (...addresses) => {
    const reason = await post(`https://shop.example:${port}/`, {
      isLenient: false,
      resolve: resolvingTo(...addresses.filter((one) => typeof one === 'string')),
    })

    expect(reason).toMatch(/^the address (?:is not public|has no address)$/)
    expect(connections).toBe(0)
  })
})

describe('in DEV', () => {
  it('connects to the address that it looked up, and looks it up once', async () => {
    const asked: string[] = []
    const resolve = (host: string) => {
      asked.push(host)
      return resolvingTo(asked.length === 1 ? '127.0.0.1' : '10.255.255.1')()
    }

    expect(await post(`http://shop.example:${port}/hooks`, { isLenient: true, resolve })).toBe(200)
    expect([asked, connections]).toEqual([['shop.example'], 1])
  })

  it('takes a redirect for an answer and follows none', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end()

    expect(await post(`http://127.0.0.1:${port}/`, { isLenient: true })).toBe(302)
    expect(connections).toBe(1)
  })

  it('reads so much of an answer and no more', async () => {
    let isCut = false
    const cut = new Promise<void>((done) => {
      answer = (_request, response) => {
        response.on('close', () => {
          isCut = !response.writableFinished
          done()
        })
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        }
        response.on('drain', more)
        more()
      }
    })

    expect(await post(`http://127.0.0.1:${port}/`, { isLenient: true })).toBe(200)
    await cut
    expect(isCut).toBe(true)
  })

  it('says that no answer came', async () => {
    answer = (request) => request.socket.destroy()

    expect(await post(`http://127.0.0.1:${port}/`, { isLenient: true })).toBe(
      'the server cannot be reached (ECONNRESET)',
    )
  })
})
