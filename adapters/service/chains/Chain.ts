/** EVM chains over JSON-RPC. viem parses the bytes; the domain extracts the signed part, as the co-signer does. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { parseTransaction, serializeTransaction, toHex } from 'viem'
import { unsignedTransaction } from '../../../domain/mpc/EvmTransaction.ts'
import {
  BroadcastRefused,
  Chain,
  ChainNotConfigured,
  InvalidTransaction,
  type ChainSignature,
  type DecodedTransaction,
} from '../../../domain/service/ports/Chain.ts'
import { anotherHash, askRpc, reasonOf, type RpcUrls } from './node.ts'

export const ChainRpc = (urls: RpcUrls): Layer.Layer<Chain> =>
  Layer.succeed(Chain, {
    decodeTransaction: decode,
    assemble,
    broadcast: Effect.fnUntraced(function* (signed: Uint8Array, chainId: string) {
      const url = urls.get(chainId)
      if (url === undefined) return yield* new ChainNotConfigured({ chainId })
      const hash = `0x${bytesToHex(keccak_256(signed))}`
      const sent = yield* askRpc(url, chainId, 'eth_sendRawTransaction', [`0x${bytesToHex(signed)}`])
      if (sent.result === hash) return hash
      // It may have been sent before: the node refuses the second time, but the chain has it.
      const known = yield* askRpc(url, chainId, 'eth_getTransactionByHash', [hash])
      if (isTransaction(known.result) && known.result.hash === hash) return hash
      return yield* new BroadcastRefused({ reason: sent.error ? reasonOf(sent.error.message) : anotherHash })
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

const isTransaction = Schema.is(Schema.Struct({ hash: Schema.String }))
