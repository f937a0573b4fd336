/** A request as it was received, and an answer before it is written. */
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/** Before any check. */
export type RawRequest = {
  readonly method: string
  /** Path and query exactly as in the request line; the device signature covers them. */
  readonly target: string
  readonly path: Readonly<Record<string, string>>
  readonly query: unknown
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty if there is no body. */
  readonly body: Uint8Array
  /** Of the client, as limits count it. */
  readonly network: string
  /** Done when the client is gone before its answer. */
  readonly left: Effect.Effect<void>
}

export const headerOf = (request: RawRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `field`: the path of the invalid field, as `body.keyShares.0.walletId`. */
export class InvalidRequest extends Data.TaggedError('InvalidRequest')<{ readonly field: string }> {
  override readonly message = `${this.field} is not as the contract has it`
}

export type HttpAnswer = {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export const text = 'text/plain; charset=utf-8'
export const json = 'application/json; charset=utf-8'
