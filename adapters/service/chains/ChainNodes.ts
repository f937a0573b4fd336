import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { ChainNotConfigured } from '../../../domain/service/ports/Chain.ts'
import { ChainNodes, type SignedTransaction } from '../../../domain/service/ports/ChainNodes.ts'
import { sendCosmos } from './cosmos.ts'
import type { RpcUrls } from './node.ts'
import { sendSolana } from './solana.ts'

/** Nodes over HTTP: Solana's by JSON-RPC, those of Cosmos by the REST gateway of the Cosmos SDK. */
export const ChainNodesHttp = (urls: RpcUrls): Layer.Layer<ChainNodes> =>
  Layer.succeed(ChainNodes, {
    send: Effect.fnUntraced(function* (transaction: SignedTransaction) {
      const { chainId } = transaction
      const url = urls.get(chainId)
      if (url !== undefined && chainId.startsWith('solana:')) return yield* sendSolana(url, transaction)
      if (url !== undefined && chainId.startsWith('cosmos:')) return yield* sendCosmos(url, transaction)
      return yield* new ChainNotConfigured({ chainId })
    }),
  })
