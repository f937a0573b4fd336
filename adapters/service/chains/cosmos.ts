import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import { BroadcastRefused, ChainUnavailable } from '../../../domain/service/ports/Chain.ts'
import type { SignedTransaction } from '../../../domain/service/ports/ChainNodes.ts'
import { anotherHash, askJson, reasonOf } from './node.ts'

/** Has a node of the Cosmos SDK check the transaction (CheckTx) and take it into its mempool. */
export const sendCosmos = Effect.fnUntraced(function* (url: string, { chainId, bytes, hash }: SignedTransaction) {
  const body = { tx_bytes: base64.encode(bytes), mode: 'BROADCAST_MODE_SYNC' }
  const sent = yield* askJson(pathOf(url, transactions), chainId, body)
  const checked = Option.getOrUndefined(readChecked(sent.json))?.tx_response
  const isTaken = checked?.code === 0 || (checked?.code === inMempool && checked.codespace === 'sdk')
  if (isTaken && checked.txhash === hash) return
  // It may have been sent before: its own sequence is used up then, but the chain has it.
  const found = yield* askJson(pathOf(url, `${transactions}/${hash}`), chainId)
  if (found.status === 200 && Option.getOrUndefined(readChecked(found.json))?.tx_response.txhash === hash) return
  if (isTaken) return yield* new BroadcastRefused({ reason: anotherHash })
  if (checked !== undefined) return yield* new BroadcastRefused({ reason: reasonOf(checked.raw_log) })
  // Bytes that the node cannot read. After any other failure it may have passed them on.
  if (sent.status !== 400) return yield* new ChainUnavailable({ chainId })
  return yield* new BroadcastRefused({ reason: reasonOf(Option.getOrUndefined(readProblem(sent.json))?.message) })
})

const transactions = '/cosmos/tx/v1beta1/txs'

/** ErrTxInMempoolCache of the codespace `sdk`. */
const inMempool = 19

/** An address with a path or a query, in which providers have a key, keeps both. */
const pathOf = (url: string, path: string): string => {
  const address = new URL(url)
  address.pathname = address.pathname.replace(/\/$/, '') + path
  return address.href
}

/** TxResponse of cosmos.base.abci.v1beta1. */
const Checked = Schema.Struct({
  tx_response: Schema.Struct({
    code: Schema.Number,
    codespace: Schema.optionalKey(Schema.String),
    txhash: Schema.String,
    raw_log: Schema.optionalKey(Schema.String),
  }),
})
const readChecked = Schema.decodeUnknownOption(Checked)

/** An error of the gateway: google.rpc.Status. */
const readProblem = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.String }))
