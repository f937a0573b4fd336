/**
 * Questions to the nodes of chains. Anything but an answer in JSON within the time is `ChainUnavailable`. A node's
 * address may have a key in it, so it is in no error.
 */
import * as Effect from 'effect/Effect'
import * as Schema from 'effect/Schema'
import { ChainUnavailable } from '../../../domain/service/ports/Chain.ts'

/**
 * Addresses of nodes. An EVM chain is named by its decimal id, every other by its CAIP-2 identifier, for example
 * `solana:mainnet` or `cosmos:cosmoshub-4`.
 */
export type RpcUrls = ReadonlyMap<string, string>

/** Timeout of a chain's node. */
const answerWithinMs = 5_000

/** The status and the JSON of an answer; a body is sent by POST. */
export const askJson = (url: string, chainId: string, body?: unknown) =>
  Effect.tryPromise({
    try: async (interrupted) => {
      const response = await fetch(url, {
        ...(body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.any([interrupted, AbortSignal.timeout(answerWithinMs)]),
      })
      const json: unknown = await response.json()
      return { status: response.status, json }
    },
    catch: () => new ChainUnavailable({ chainId }),
  })

/** JSON-RPC 2.0, section 5: a result, or an error. Nodes also write the one that there is not as null. */
const RpcAnswer = Schema.Struct({
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ code: Schema.optionalKey(Schema.Number), message: Schema.String })),
  ),
})
const readRpcAnswer = Schema.decodeUnknownEffect(RpcAnswer)

export const askRpc = Effect.fnUntraced(function* (
  url: string,
  chainId: string,
  method: string,
  params: readonly unknown[],
) {
  const { json } = yield* askJson(url, chainId, { jsonrpc: '2.0', id: 1, method, params })
  return yield* Effect.mapError(readRpcAnswer(json), () => new ChainUnavailable({ chainId }))
})

/** What of a node's own words is passed on; some nodes send none. */
export const reasonOf = (words: string | undefined): string =>
  words === undefined || words === '' ? 'the node gives no reason' : words.slice(0, reasonLength)

export const anotherHash = 'the node answered with another hash'

const reasonLength = 200
