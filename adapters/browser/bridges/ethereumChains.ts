/** The chains of a provider: what of JSON-RPC goes to their nodes, and what a node's silence is. */
import { codes, RpcError, toRpcError } from './RpcError.ts'

/** A JSON-RPC request of EIP-1193. */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

export type EthereumChain = {
  readonly id: number
} & (
  | { readonly rpcUrl: string }
  /** Instead of an address: asks the chain's node. */
  | { readonly request: (asked: RpcRequest) => Promise<unknown> }
)

const reads = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'web3_clientVersion',
])

/** Whether a node answers it, and no account is needed. */
export const isRead = (method: string): boolean => reads.has(method)

/** Asks the chain's node. Its own refusal keeps its code and data; without an answer it is 4901. */
export const askNode = async (chain: EthereumChain, asked: RpcRequest): Promise<unknown> => {
  if ('request' in chain) {
    return chain.request(asked).catch((error: unknown) => {
      throw isRefusal(error)
        ? new RpcError(error.code, error.message, { cause: error, data: error.data })
        : silent(chain, error)
    })
  }
  const answer = await post(chain.rpcUrl, asked).catch((error: unknown) => {
    throw silent(chain, error)
  })
  const { error, result } = (answer ?? {}) as { readonly error?: unknown; readonly result?: unknown }
  if (isRefusal(error)) throw new RpcError(error.code, error.message, { data: error.data })
  if (result === undefined) throw silent(chain, error)
  return result
}

const post = async (url: string, { method, params = [] }: RpcRequest): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const signal = AbortSignal.timeout(answersWithin)
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
  return response.json()
}

const answersWithin = 10_000

type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

/** Libraries number their own failures, for example of a connection, by none or by other codes than a node's. */
const isRefusal = (error: unknown): error is Refusal => {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>
  return typeof code === 'number' && Number.isInteger(code) && code !== -1 && typeof message === 'string'
}

const silent = ({ id }: EthereumChain, cause: unknown) =>
  new RpcError(codes.chainDisconnected, `the node of chain ${id} does not answer`, { cause: toRpcError(cause) })
