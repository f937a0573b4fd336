import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import { BroadcastRefused, ChainUnavailable } from '../../../domain/service/ports/Chain.ts'
import type { SignedTransaction } from '../../../domain/service/ports/ChainNodes.ts'
import { anotherHash, askRpc, reasonOf } from './node.ts'

/** Has a node of Solana execute the transaction without effect (preflight), and pass it on. */
export const sendSolana = Effect.fnUntraced(function* (url: string, { chainId, bytes, hash }: SignedTransaction) {
  // The same commitment as the blockhash that an app takes by default; a node's own default is older.
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  const sent = yield* askRpc(url, chainId, 'sendTransaction', [base64.encode(bytes), options])
  if (sent.result === hash) return
  // It may have been sent before: the preflight refuses what is processed already, but the chain has it.
  const status = yield* askRpc(url, chainId, 'getSignatureStatuses', [[hash], { searchTransactionHistory: true }])
  if (isKnown(status.result)) return
  if (!sent.error) return yield* new BroadcastRefused({ reason: anotherHash })
  const { code, message } = sent.error
  return yield* refusals.includes(code)
    ? new BroadcastRefused({ reason: reasonOf(message) })
    : new ChainUnavailable({ chainId })
})

/** Invalid parameters, a failed preflight, an invalid signature. After any other error the node may have passed it on. */
const refusals: readonly (number | undefined)[] = [-32_602, -32_002, -32_003]

/** One status, that of the transaction; null where the node does not know it. */
const isKnown = Schema.is(Schema.Struct({ value: Schema.Tuple([Schema.Struct({ slot: Schema.Number })]) }))
