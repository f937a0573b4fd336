/** What an answer of a node means for a transaction that was sent: it was taken, it was refused, or neither is known. */
import { createServer, type Server } from 'node:http'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChainNodesHttp } from '../../adapters/service/chains/ChainNodes.ts'
import { BroadcastRefused, ChainNotConfigured, ChainUnavailable } from '../../domain/service/ports/Chain.ts'
import { ChainNodes } from '../../domain/service/ports/ChainNodes.ts'
import { portOf } from '../kit/ports.ts'

type Answer = { readonly status?: number; readonly json: unknown }

/** By the method of JSON-RPC, or by `POST` and `GET`. */
let answers: Readonly<Record<string, Answer>> = {}
let asked: { readonly path: string; readonly body: unknown }[] = []
let node: Server
let url = ''

beforeAll(async () => {
  node = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = text === '' ? undefined : (JSON.parse(text) as { readonly method?: string })
      asked.push({ path: request.url ?? '', body })
      const { status = 200, json } = answers[body?.method ?? request.method ?? ''] ?? { json: {} }
      response.writeHead(status).end(typeof json === 'string' ? json : JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${portOf(node)}`
})
afterAll(() => node.close())
beforeEach(() => {
  asked = []
})

const bytes = Uint8Array.of(1, 2, 3)
const sent = (chainId: string, hash: string) => {
  const urls = new Map([
    ['solana:mainnet', `${url}/?key=secret`],
    ['cosmos:cosmoshub-4', `${url}/secret/?tier=1`],
    ['solana:devnet', 'http://127.0.0.1:1/secret'],
    ['1', url],
  ])
  const send = Effect.flatMap(ChainNodes, (nodes) => nodes.send({ chainId, bytes, hash }))
  return Effect.runPromise(Effect.flip(Effect.provide(send, ChainNodesHttp(urls))).pipe(Effect.catch(Effect.succeed)))
}

it.each(['solana:testnet', 'cosmos:theta-1', '1', 'eip155:1'])('%s has no node', async (chainId) => {
  expect(await sent(chainId, 'id')).toEqual(new ChainNotConfigured({ chainId }))
})

it('is not known to have it where it does not answer, and its address is not said', async () => {
  const away = await sent('solana:devnet', 'id')

  expect(away).toEqual(new ChainUnavailable({ chainId: 'solana:devnet' }))
  expect(JSON.stringify(away)).not.toContain('secret')
})

describe('a node of Solana', () => {
  const id = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
  const refused = (reason: string) => new BroadcastRefused({ reason })
  const unavailable = new ChainUnavailable({ chainId: 'solana:mainnet' })
  const error = (code: unknown, message: unknown) => ({ json: { jsonrpc: '2.0', id: 1, error: { code, message } } })
  const status = (value: unknown) => ({ json: { result: { context: { slot: 9 }, value: [value] } } })

  it('has taken it when it answers with its first signature', async () => {
    answers = { sendTransaction: { json: { result: id, error: null } } }

    expect(await sent('solana:mainnet', id)).toBeUndefined()
    expect(asked).toEqual([
      {
        path: '/?key=secret',
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'sendTransaction',
          params: ['AQID', { encoding: 'base64', preflightCommitment: 'confirmed' }],
        },
      },
    ])
  })

  it('has it when it knows its status, even if it failed on the chain', async () => {
    const processed = error(-32_002, 'This transaction has already been processed')
    answers = { sendTransaction: processed, getSignatureStatuses: status({ slot: 8, err: { InstructionError: [] } }) }

    expect(await sent('solana:mainnet', id)).toBeUndefined()
    expect(asked[1]?.body).toMatchObject({
      method: 'getSignatureStatuses',
      params: [[id], { searchTransactionHistory: true }],
    })
  })

  it.each([
    ['a failed preflight', error(-32_002, 'Blockhash not found'), refused('Blockhash not found')],
    ['an invalid signature', error(-32_003, 'bad signature'), refused('bad signature')],
    ['invalid parameters', error(-32_602, 'too large'), refused('too large')],
    ['no reason', error(-32_002, ''), refused('the node gives no reason')],
    ['a long reason', error(-32_002, 'a'.repeat(300)), refused('a'.repeat(200))],
    ['another signature', { json: { result: 'other' } }, refused('the node answered with another hash')],
    ['a node behind the others', error(-32_005, 'Node is behind'), unavailable],
    ['an error without a code', { json: { error: { message: 'busy' } } }, unavailable],
    ['an error of another form', error('x', 1), unavailable],
    ['no JSON', { status: 502, json: '<html>' }, unavailable],
  ])('has not taken it, or may have: %s', async (_, answer, outcome) => {
    answers = { sendTransaction: answer, getSignatureStatuses: status(null) }

    expect(await sent('solana:mainnet', id)).toEqual(outcome)
  })

  it('may have it where it refuses and then does not say whether it knows it', async () => {
    answers = { sendTransaction: error(-32_002, 'no'), getSignatureStatuses: { status: 503, json: 'busy' } }

    expect(await sent('solana:mainnet', id)).toEqual(unavailable)
  })
})

describe('a node of Cosmos', () => {
  const hash = 'AB'.repeat(32)
  const refused = (reason: string) => new BroadcastRefused({ reason })
  const unavailable = new ChainUnavailable({ chainId: 'cosmos:cosmoshub-4' })
  const checked = (code: number, raw_log = '', codespace = 'sdk', txhash = hash) => ({
    json: { tx_response: { code, raw_log, codespace, txhash, height: '0' } },
  })
  const notFound = { status: 404, json: { code: 5, message: 'tx not found' } }

  it('has taken it when its check passes', async () => {
    answers = { POST: checked(0) }

    expect(await sent('cosmos:cosmoshub-4', hash)).toBeUndefined()
    expect(asked).toEqual([
      {
        path: '/secret/cosmos/tx/v1beta1/txs?tier=1',
        body: { tx_bytes: 'AQID', mode: 'BROADCAST_MODE_SYNC' },
      },
    ])
  })

  it('has it when it is in its mempool or in a block', async () => {
    answers = { POST: checked(19, 'tx already in mempool'), GET: notFound }
    expect(await sent('cosmos:cosmoshub-4', hash)).toBeUndefined()

    answers = { POST: checked(32, 'account sequence mismatch'), GET: checked(11, 'out of gas') }
    expect(await sent('cosmos:cosmoshub-4', hash)).toBeUndefined()
    expect(asked.at(-1)?.path).toBe(`/secret/cosmos/tx/v1beta1/txs/${hash}?tier=1`)
  })

  it.each([
    ['a failed check', checked(5, 'insufficient funds'), refused('insufficient funds')],
    ['code 19 of another module', checked(19, 'sold out', 'nft'), refused('sold out')],
    ['no reason', checked(5), refused('the node gives no reason')],
    ['another hash', checked(0, '', '', 'CD'.repeat(32)), refused('the node answered with another hash')],
    [
      'bytes that it cannot read',
      { status: 400, json: { code: 3, message: 'tx parse error' } },
      refused('tx parse error'),
    ],
    ['a limit of the gateway', { status: 429, json: { message: 'slow down' } }, unavailable],
    ['an error of the gateway', { status: 500, json: { code: 13, message: 'internal' } }, unavailable],
    ['no JSON', { status: 502, json: '<html>' }, unavailable],
  ])('has not taken it, or may have: %s', async (_, answer, outcome) => {
    answers = { POST: answer, GET: notFound }

    expect(await sent('cosmos:cosmoshub-4', hash)).toEqual(outcome)
  })

  it('may have it where it refuses and then does not say whether it knows it', async () => {
    answers = { POST: checked(32, 'no'), GET: { status: 503, json: 'busy' } }

    expect(await sent('cosmos:cosmoshub-4', hash)).toEqual(unavailable)
  })
})
