import { createServer, type Server } from 'node:http'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { keccak256, parseTransaction, recoverTransactionAddress, serializeTransaction } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { sendTransaction, signTransaction } from '../../../domain/service/signing.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { keyOf, type WalletKey } from '../../kit/device.ts'

/** The outside world: a chain's node that answers what it is told to, and remembers what was sent to it. */
const node = { sent: [] as string[], refuses: false }
let server: Server
let world: World
let host: SignedIn
let key: WalletKey
let address: string

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: string[] }
      response.setHeader('content-type', 'application/json')
      const answer = (result: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }))
      if (method === 'eth_getTransactionByHash') {
        const known = node.sent.find((raw) => keccak256(raw as `0x${string}`) === params[0])
        return answer({ result: known === undefined ? null : { hash: params[0] } })
      }
      if (node.refuses) return answer({ error: { code: -32000, message: 'insufficient funds' } })
      const [raw = '0x'] = params
      const { nonce } = parseTransaction(raw as `0x02${string}`)
      const isUsed = node.sent.some((one) => parseTransaction(one as `0x02${string}`).nonce === nonce)
      if (isUsed) return answer({ error: { code: -32000, message: 'nonce too low' } })
      node.sent.push(raw)
      return answer({ result: keccak256(raw as `0x${string}`) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  world = await startWorld({ configuration: { chains: new Map([['31337', `http://127.0.0.1:${port}`]]) } })
  const user = await makeUser(world)
  host = await signIn(world, user, await makePartner(world))
  const wallet = value(await host.createWallet({ type: 'EVM' }))
  const made = await host.device.keygen({ ...wallet, scheme: 'DKLS' }, user.rootPublicKey)
  key = keyOf(made)
  address = made.kind === 'done' ? (Frame.decodeConfirmed(made.body)?.address ?? '') : ''
})

afterAll(async () => {
  await world.stop()
  await new Promise((resolve) => server.close(resolve))
})

const transaction = (nonce: number, chainId = 31_337, amount = 1n) =>
  serializeTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: '0x52908400098527886E0F7030069857D2E4169EE7',
    value: amount,
    gas: 21_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
  })

const asked = (nonce: number, send: boolean, amount = 1n): SigningRequest => ({
  kind: 'transaction',
  transaction: transaction(nonce, 31_337, amount).slice(2),
  chainId: '31337',
  send,
})

it('signs a transaction and sends nothing unless asked to', async () => {
  const ended = await host.device.sign(key, asked(0, false))

  expect(ended.kind === 'done' && ended.body).toHaveLength(65)
  expect(node.sent).toEqual([])
})

it('sends a transaction once, whatever is repeated, and answers with its hash', async () => {
  const ended = await host.device.sign(key, asked(1, true))
  if (ended.kind !== 'done') throw new Error(ended.kind)
  const [raw = '0x'] = node.sent
  const repeated = await host.device.send(ended.requests.at(-1) ?? new Uint8Array(0))

  expect(node.sent).toHaveLength(1)
  expect(bytesToHex(ended.body.subarray(65))).toBe(keccak256(raw as `0x${string}`).slice(2))
  expect(repeated).toEqual({ status: 'OK', body: ended.body })
  expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(address)
  expect(parseTransaction(raw as `0x02${string}`)).toMatchObject({ nonce: 1, chainId: 31_337 })
})

it('returns the chain’s refusal, and sends again when asked again', async () => {
  node.refuses = true
  const requests: Uint8Array[] = []
  const refused = await host.device.sign(key, asked(2, true), {
    meddle: (request) => {
      requests.push(request)
      return request
    },
  })
  node.refuses = false
  const again = await host.device.send(requests.at(-1) ?? new Uint8Array(0))

  expect(refused).toMatchObject({ tag: 'BroadcastRefused' })
  expect(again).toMatchObject({ status: 'OK' })
  expect(node.sent).toHaveLength(2)
})

it('refuses a transaction of another chain than the one that is named', async () => {
  const bytes = transaction(3, 1).slice(2)
  const other: SigningRequest = { kind: 'transaction', transaction: bytes, chainId: '1', send: false }
  const foreign = Frame.encodeSign({
    request: { ...other, chainId: '31337' },
    digestClaim: new Uint8Array(0),
    timeoutMs: 0,
    otId: key.otId,
    message: new Uint8Array(8),
  })
  const refused = await host.device.sign(key, other, {
    meddle: (_, frame) => host.device.signFrame({ ...frame, body: foreign }),
  })

  expect(refused).toMatchObject({ tag: 'PayloadNotSupported', message: 'payload is not supported' })
})

it('lets other clients approve a transaction by a call of its own', async () => {
  const [protocolId, another] = [crypto.randomUUID(), crypto.randomUUID()]
  const { userId } = host.user
  const body = { transaction: Buffer.from(hexToBytes(transaction(4).slice(2))).toString('base64'), chainId: '31337' }
  const digest = keccak256(transaction(4)).slice(2)

  const approved = await host.as({}, sendTransaction(userId, key.walletId, { ...body, protocolId }))
  const onlySigned = await host.as({}, signTransaction(userId, key.walletId, { ...body, protocolId }))
  const ended = await host.device.sign(key, { kind: 'blind', digest }, { protocolId })

  expect(approved).toEqual({ kind: 'success', value: { signature: undefined } })
  expect(onlySigned).toMatchObject({ tag: 'ProtocolIdUsed', message: 'protocol id was used for another request' })
  expect(ended.kind).toBe('done')
  expect(node.sent).toHaveLength(3)
  expect(
    await host.as({}, signTransaction(userId, key.walletId, { ...body, chainId: '1', protocolId: another })),
  ).toMatchObject({ tag: 'InvalidTransaction', message: 'invalid transaction' })
})

it('answers the hash that was sent where another run signs the same transaction again', async () => {
  const sent = [...node.sent]
  const first = await host.device.sign(key, asked(5, true))
  const again = await host.device.sign(key, asked(5, true))
  const repeated = again.kind === 'done' ? await host.device.send(again.requests.at(-1) ?? new Uint8Array(0)) : again
  const [raw = '0x', ...others] = node.sent.slice(sent.length)
  const another = await host.device.sign(key, asked(5, true, 2n))

  expect(first.kind === 'done' && bytesToHex(first.body.subarray(65))).toBe(keccak256(raw as `0x${string}`).slice(2))
  expect(again.kind === 'done' && again.body.subarray(65)).toEqual(first.kind === 'done' && first.body.subarray(65))
  expect(again.kind === 'done' && again.body.subarray(0, 65)).not.toEqual(
    first.kind === 'done' && first.body.subarray(0, 65),
  )
  expect(repeated).toEqual({ status: 'OK', body: again.kind === 'done' && again.body })
  expect(others).toEqual([])
  expect(another).toMatchObject({ tag: 'BroadcastRefused', message: 'transaction refused: nonce too low' })
})
