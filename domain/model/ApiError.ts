/**
 * How a call fails (spec §8). Success is status 200 and nothing else. Another status is an invalid status code, unless
 * it is a failure that says more: then its body is the message, which from our service is a sentence of the catalogue
 * (contract-facts 0, error message).
 */
import * as Data from 'effect/Data'

/** What is known of an answer: `code` is the header with the error's tag, where there is one. */
export type Answer = {
  readonly status: number
  readonly body?: unknown
  readonly code?: string | undefined
  readonly responseURL?: string | undefined
}

export const isSuccess = (status: number): boolean => status === 200

/** The error of an answer that is no success. */
export const fromAnswer = ({ status, body, code, responseURL }: Answer): ApiError => {
  const said = status >= 400 ? (textOf(body) ?? jsonOf(body)) : undefined
  return new ApiError({ message: said ?? 'Invalid status code', code, status, responseURL })
}

/** No answer at all: the network failed. */
export const connectionError = (responseURL?: string): ApiError =>
  new ApiError({ message: 'Connection error', responseURL })

/** Nobody answered: the only failure after which asking again is allowed (design 8.22). */
export const isSilence = (error: { readonly _tag: string; readonly status?: number | undefined }): boolean =>
  error._tag === 'ApiError' && error.status === undefined

/** The caller cancelled the request. */
export const connectionCanceled = (responseURL?: string): ApiError =>
  new ApiError({ message: 'Connection canceled', responseURL })

/** Any other failure, for example an answer that cannot be read. */
export const fromCause = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause
  if (cause === null) return new ApiError({ message: 'Error is null' })
  return new ApiError({ message: textOf(cause) ?? 'Unknown error' })
}

/** What a failure says: a text as it is, of an object its `message`. Nothing for what is empty. */
const textOf = (failure: unknown): string | undefined => {
  const text = typeof failure === 'object' && failure !== null && 'message' in failure ? failure.message : failure
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** A body of another shape, which is JSON, is shown as such. */
const jsonOf = (body: unknown): string | undefined => {
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0
  return isEmpty ? undefined : JSON.stringify(body)
}

/** Wraps message, code, status and response URL (spec §8). `status` is absent when there was no answer. */
export class ApiError extends Data.TaggedError('ApiError')<{
  readonly message: string
  readonly code?: string | undefined
  readonly status?: number | undefined
  readonly responseURL?: string | undefined
}> {}
