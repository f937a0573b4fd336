/** EVM chains over JSON-RPC. viem parses the bytes; the domain extracts the signed part, as the co-signer does. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { parseTransaction, serializeTransaction, toHex } from 'viem'
import { unsignedTransaction } from '../../../domain/mpc/EvmTransaction.ts'
import {
  BroadcastRefused,
  Chain,
  ChainNotConfigured,
  ChainUnavailable,
  InvalidTransaction,
  type ChainSignature,
  type DecodedTransaction,
} from '../../../domain/service/ports/Chain.ts'

/** RPC addresses by decimal chain id. */
export type RpcUrls = ReadonlyMap<string, string>

export const ChainRpc = (urls: RpcUrls): Layer.Layer<Chain> =>
  Layer.succeed(Chain, {
    decodeTransaction: decode,
    assemble,
    broadcast: Effect.fnUntraced(function* (signed: Uint8Array, chainId: string) {
      const url = urls.get(chainId)
      if (url === undefined) return yield* new ChainNotConfigured({ chainId })
      const hash = `0x${bytesToHex(keccak_256(signed))}`
      const sent = yield* ask(url, chainId, 'eth_sendRawTransaction', [`0x${bytesToHex(signed)}`])
      if (sent.error === undefined) return hash
      // It may have been sent before: the node refuses the second time, but the chain has it.
      const known = yield* ask(url, chainId, 'eth_getTransactionByHash', [hash])
      if (known.error === undefined && known.result !== null) return hash
      return yield* new BroadcastRefused({ reason: sent.error })
    }),
  })

const decode = (bytes: Uint8Array, chainId: string): Result.Result<DecodedTransaction, InvalidTransaction> => {
  const invalid = Result.fail(new InvalidTransaction())
  if (!/^[1-9][0-9]{0,15}$/.test(chainId)) return invalid
  const unsigned = unsignedTransaction(bytes, BigInt(chainId))
  if (unsigned === undefined) return invalid
  try {
    const fields = parse(unsigned)
    return Result.succeed({
      chainId,
      to: fields.to?.toLowerCase() ?? null,
      value: String(fields.value ?? 0n),
      data: fields.data ?? '0x',
      nonce: fields.nonce ?? 0,
      unsigned,
      digest: keccak_256(unsigned),
    })
  } catch {
    return invalid
  }
}

const parse = (unsigned: Uint8Array) => parseTransaction(toHex(unsigned))

const assemble = (transaction: DecodedTransaction, { r, s, v }: ChainSignature): Uint8Array => {
  const signature = { r: toHex(r), s: toHex(s), yParity: v, v: BigInt(27 + v) }
  return hexToBytes(serializeTransaction(parse(transaction.unsigned), signature).slice(2))
}

/** Timeout of a chain's node, and how many characters of its error are passed on. */
const answerWithinMs = 5_000
const reasonLength = 200

type RpcAnswer = { readonly result: unknown; readonly error: string | undefined }

const ask = (url: string, chainId: string, method: string, params: readonly unknown[]) =>
  Effect.tryPromise({
    try: async (interrupted): Promise<RpcAnswer> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal: AbortSignal.any([interrupted, AbortSignal.timeout(answerWithinMs)]),
      })
      return answerOf(await response.json())
    },
    catch: () => new ChainUnavailable({ chainId }),
  })

const answerOf = (body: unknown): RpcAnswer => {
  if (typeof body !== 'object' || body === null) throw new TypeError('not an answer of JSON-RPC')
  const result = 'result' in body ? body.result : null
  if (!('error' in body) || typeof body.error !== 'object' || body.error === null) return { result, error: undefined }
  const reason =
    'message' in body.error && typeof body.error.message === 'string' ? body.error.message : 'no reason given'
  return { result, error: reason.slice(0, reasonLength) }
}
