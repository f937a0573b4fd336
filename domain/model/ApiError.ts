/**
 * How a call fails. Only status 200 is a success. For a status from 400 on, the body is the message; the service sends
 * one sentence as plain text. Any other status is 'Invalid status code' (openapi/README.md#errors).
 */
import * as Data from 'effect/Data'

/** What is known of an answer. `code` is the value of `x-error-code`, absent when the answer has none. */
export type CallAnswer = {
  readonly status: number
  readonly body?: unknown
  readonly code?: string | undefined
  readonly responseURL?: string | undefined
}

/** Only 200: the wire has no other success. */
export const isSuccess = (status: number): boolean => status === 200

/** The error of an answer that is no success. */
export const fromAnswer = ({ status, body, code, responseURL }: CallAnswer): ApiError => {
  const said = status >= 400 ? (textOf(body) ?? jsonOf(body)) : undefined
  return new ApiError({ message: said ?? 'Invalid status code', code, status, responseURL })
}

/** No answer at all: the network failed. */
export const connectionError = (responseURL?: string): ApiError =>
  new ApiError({ message: 'Connection error', responseURL })

/** Whether the service refused with this error code. */
export const isRefusal = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code

/** No answer arrived. It is the only failure after which the same request is sent again: a refusal is final. */
export const isSilence = (error: { readonly _tag: string; readonly status?: number | undefined }): boolean =>
  error._tag === 'ApiError' && error.status === undefined

/** It is not known whether the request was carried out: no answer, or a fault of the service or of what it asks. */
export const isUnclear = (error: { readonly _tag: string; readonly status?: number | undefined }): boolean =>
  error._tag === 'ApiError' && (error.status ?? 500) >= 500

/** The caller cancelled the request. */
export const connectionCanceled = (responseURL?: string): ApiError =>
  new ApiError({ message: 'Connection canceled', responseURL })

/** Any other failure, for example an answer that cannot be read. */
export const fromCause = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause
  if (cause === null) return new ApiError({ message: 'Error is null' })
  return new ApiError({ message: textOf(cause) ?? 'Unknown error' })
}

/** A text as it is, or an object's `message`; `undefined` when it is empty. */
const textOf = (failure: unknown): string | undefined => {
  const text = typeof failure === 'object' && failure !== null && 'message' in failure ? failure.message : failure
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** A body that is a JSON object becomes its JSON text. */
const jsonOf = (body: unknown): string | undefined => {
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0
  return isEmpty ? undefined : JSON.stringify(body)
}

/** The one error of a call. `status` is absent when there was no answer. */
export class ApiError extends Data.TaggedError('ApiError')<{
  readonly message: string
  readonly code?: string | undefined
  readonly status?: number | undefined
  readonly responseURL?: string | undefined
  /** For developers: what to do about it, where that is known. */
  readonly fix?: string | undefined
}> {}
