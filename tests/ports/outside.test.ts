import { createServer, type Server } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { SMTPServer } from 'smtp-server'
import { parseTransaction, recoverTransactionAddress, serializeTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChainRpc } from '../../adapters/service/chains/Chain.ts'
import { MailSmtp } from '../../adapters/service/mail/Mail.ts'
import { SecureRandomNode } from '../../adapters/service/node/SecureRandom.ts'
import {
  BroadcastRefused,
  Chain,
  ChainNotConfigured,
  ChainUnavailable,
  InvalidTransaction,
} from '../../domain/service/ports/Chain.ts'
import { Mail } from '../../domain/service/ports/Mail.ts'
import { SecureRandom } from '../../domain/service/ports/SecureRandom.ts'
import { portOf } from '../kit/ports.ts'

describe('mail by SMTP', () => {
  const letters: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => {
      const status = { 'unknown@example.com': 550, 'busy@example.com': 450 }[address]
      done(status === undefined ? null : Object.assign(new Error(`no ${address}`), { responseCode: status }))
    },
    onData: (stream, _session, done) => {
      let letter = ''
      stream.on('data', (chunk: Buffer) => (letter += chunk.toString()))
      stream.on('end', () => {
        letters.push(letter)
        done()
      })
    },
  })
  let url = ''
  beforeAll(async () => {
    const listening = await new Promise<NetServer>((resolve) => {
      const net = server.listen(0, '127.0.0.1', () => resolve(net))
    })
    url = `smtp://127.0.0.1:${portOf(listening)}`
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

  const sendBy = (at: string, to = 'ada@example.com') =>
    Effect.runPromise(
      Effect.result(
        Effect.flatMap(Mail, (mail) => mail.send({ to, subject: 'Your code', text: 'It is 123456.' })),
      ).pipe(Effect.provide(MailSmtp({ url: Redacted.make(at), from: 'no-reply@example.com' }))),
    )

  it('is taken by the server', async () => {
    expect(await sendBy(url)).toEqual(Result.succeed(undefined))

    expect(letters).toHaveLength(1)
    expect(letters[0]).toMatch(/^From: no-reply@example\.com\r\nTo: ada@example\.com\r\nSubject: Your code\r\n/m)
    expect(letters[0]).toContain('It is 123456.')
  })

  it.each([
    ['there is none', 'smtp://127.0.0.1:1', 'ada@example.com', 'ESOCKET', false],
    ['it does not know the address', undefined, 'unknown@example.com', 'EENVELOPE, 550', true],
    ['it is too busy for the address', undefined, 'busy@example.com', 'EENVELOPE, 450', false],
  ])('is not sent, without a word of the server, where %s', async (_, at, to, reason, isFinal) => {
    const sent = await sendBy(at ?? url, to)

    expect(sent).toMatchObject({ _tag: 'Failure', failure: { _tag: 'NotSent', reason, isFinal } })
  })
})

describe('an EVM chain', () => {
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const to = `0x${'ab'.repeat(20)}` as const
  const transactions: readonly [string, TransactionSerializable][] = [
    ['a legacy transaction', { type: 'legacy', chainId: 5, nonce: 1, gas: 21_000n, gasPrice: 7n, to, value: 3n }],
    ['one with an access list', { type: 'eip2930', chainId: 5, nonce: 0, gas: 1n, gasPrice: 1n, to, accessList: [] }],
    [
      'one with a fee market',
      { type: 'eip1559', chainId: 5, nonce: 9, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, to, data: '0x0102' },
    ],
    ['one that creates a contract', { type: 'eip1559', chainId: 5, nonce: 9, maxFeePerGas: 2n, data: '0x60' }],
  ]

  const said: { method: string; params: unknown[] }[] = []
  let answers: Record<string, unknown> = {}
  const node: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const call = JSON.parse(body) as { method: string; params: unknown[] }
      said.push(call)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(answers[call.method] ?? {}) }))
    })
  })
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${portOf(node)}/secret-key`
  })
  afterAll(() => node.close())

  const withChain = <A, E>(use: (chain: Chain['Service']) => Effect.Effect<A, E>) =>
    Effect.runPromiseExit(
      Effect.provide(
        Effect.flatMap(Chain, use),
        ChainRpc(
          new Map([
            ['5', url],
            ['6', 'http://127.0.0.1:1'],
          ]),
        ),
      ),
    )
  const get = async <A, E>(use: (chain: Chain['Service']) => Effect.Effect<A, E>) => {
    const exit = await withChain(use)
    if (Exit.isSuccess(exit)) return exit.value
    const [reason] = exit.cause.reasons
    return reason?._tag === 'Fail' ? reason.error : exit.cause
  }
  const decoded = async (bytes: Uint8Array, chainId = '5') =>
    get((chain) => Effect.sync(() => Result.merge(chain.decodeTransaction(bytes, chainId))))

  it.each(transactions)('reads %s, has it signed, and serialises it like its signer', async (_, transaction) => {
    const bytes = hexToBytes(serializeTransaction(transaction).slice(2))

    const read = await get((chain) =>
      Effect.sync(() => {
        const found = Result.getOrThrow(chain.decodeTransaction(bytes, '5'))
        const signature = secp256k1.sign(found.digest, hexToBytes('11'.repeat(32)), {
          prehash: false,
          format: 'recovered',
        })
        const [v = 0] = signature
        const [r, s] = [signature.slice(1, 33), signature.slice(33)]
        return { found, signed: chain.assemble(found, { r, s, v: v === 0 ? 0 : 1 }) }
      }),
    )

    if (!('signed' in read)) throw new Error('it was not read')
    const signed = `0x${bytesToHex(read.signed)}` as const
    expect(read.found.to).toBe(transaction.to ?? null)
    expect(read.found.value).toBe(String(transaction.value ?? 0n))
    expect(parseTransaction(signed)).toMatchObject({ nonce: transaction.nonce ?? 0, chainId: 5 })
    expect(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toBe(account.address)
    expect(signed).toBe(await account.signTransaction(transaction))
  })

  it('refuses a transaction of another chain, a signed one, and malformed bytes', async () => {
    const transaction = transactions[2]?.[1] ?? {}
    const bytes = hexToBytes(serializeTransaction(transaction).slice(2))
    const signed = hexToBytes((await account.signTransaction(transaction)).slice(2))

    expect(await decoded(bytes)).toMatchObject({ chainId: '5' })
    for (const wrong of [
      decoded(bytes, '6'),
      decoded(bytes, 'x'),
      decoded(signed),
      decoded(new Uint8Array(0)),
      decoded(Uint8Array.of(2, 0xc0)),
    ]) {
      expect(await wrong).toBeInstanceOf(InvalidTransaction)
    }
  })

  const raw = Uint8Array.of(1, 2, 3)
  const hash = `0x${bytesToHex(keccak_256(raw))}`

  it('sends a transaction and names it by its hash', async () => {
    answers = { eth_sendRawTransaction: { result: hash } }
    said.length = 0

    expect(await get((chain) => chain.broadcast(raw, '5'))).toBe(hash)
    expect(said).toEqual([expect.objectContaining({ method: 'eth_sendRawTransaction', params: ['0x010203'] })])
  })

  it('treats a transaction that the chain knows as sent', async () => {
    answers = {
      eth_sendRawTransaction: { error: { code: -32_000, message: 'already known' } },
      eth_getTransactionByHash: { result: { hash } },
    }

    expect(await get((chain) => chain.broadcast(raw, '5'))).toBe(hash)
  })

  it.each([
    ['an error that is not an object', { error: 'boom' }, new ChainUnavailable({ chainId: '5' })],
    ['neither result nor error', {}, new BroadcastRefused({ reason: 'the node answered with another hash' })],
    ['another hash', { result: '0x00' }, new BroadcastRefused({ reason: 'the node answered with another hash' })],
  ])('takes %s for no transaction that was sent', async (_, answer, refused) => {
    answers = { eth_sendRawTransaction: answer, eth_getTransactionByHash: { result: { hash: '0x00' } } }

    expect(await get((chain) => chain.broadcast(raw, '5'))).toEqual(refused)
  })

  it('returns the reason of a refused transaction, without the node’s address', async () => {
    answers = {
      eth_sendRawTransaction: { error: { code: -32_000, message: 'insufficient funds' } },
      eth_getTransactionByHash: { result: null },
    }

    expect(await get((chain) => chain.broadcast(raw, '5'))).toEqual(
      new BroadcastRefused({ reason: 'insufficient funds' }),
    )
    const away = await get((chain) => chain.broadcast(raw, '6'))
    expect(away).toEqual(new ChainUnavailable({ chainId: '6' }))
    expect(JSON.stringify(away)).not.toContain('127.0.0.1')
    expect(await get((chain) => chain.broadcast(raw, '7'))).toEqual(new ChainNotConfigured({ chainId: '7' }))
  })
})

describe('randomness', () => {
  const take = <A>(use: (random: SecureRandom['Service']) => Effect.Effect<A>) =>
    Effect.runSync(Effect.provide(Effect.flatMap(SecureRandom, use), SecureRandomNode))

  it('has the forms that ids, tokens and codes have', () => {
    expect(take((random) => random.bytes(5))).toHaveLength(5)
    expect(take((random) => random.uuid)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(take((random) => random.token)).toMatch(/^[\w-]{43}$/)
    expect(take((random) => random.digits(6))).toMatch(/^[0-9]{6}$/)
  })

  it('differs each time', () => {
    const tokens = Array.from({ length: 100 }, () => take((random) => random.token))

    expect(new Set(tokens).size).toBe(100)
    expect(new Set(tokens.map((_, index) => take((random) => random.digits(index + 10)))).size).toBe(100)
  })
})
