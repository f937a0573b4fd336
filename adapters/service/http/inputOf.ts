/** A request's parts validated against the contract, or the refusal of the first invalid one. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import * as v from 'valibot'
import { operations, type Operation, type OperationId } from '../../../generated/operations.ts'
import { validators } from '../../../generated/validators.ts'
import { InvalidAuthObject } from '../../../domain/model/Identity.ts'
import { NotFound } from '../../../domain/service/NotFound.ts'
import type { RawRequest } from './RawRequest.ts'

/** Fields that identify a person, in any part of a request. */
const identityFields: readonly string[] = [
  'email',
  'phone',
  'countryCode',
  'farcasterUsername',
  'telegramUserId',
  'externalWalletAddress',
]

export type ParsedRequest = {
  /** Path, query, header and body as the contract's validators return them. */
  readonly input: unknown
  readonly rawBody: unknown
}

export const inputOf = (
  id: OperationId,
  { path, query, headers: header, body: bytes }: RawRequest,
): Result.Result<ParsedRequest, InvalidRequest | InvalidAuthObject | NotFound> => {
  const operation: Operation = operations[id]
  const rawBody = operation.binary ? bytes : parseJson(bytes)
  if (rawBody === malformed) return Result.fail(new InvalidRequest({ field: 'body' }))
  // A text column cannot hold NUL, so no stored id has one.
  if (hasNul(path)) return Result.fail(new NotFound())
  if (hasNul(query)) return Result.fail(new InvalidRequest({ field: 'query' }))
  const raw = { path, query, header, body: rawBody }
  const parsed = v.safeParse(validators[id].request, raw)
  if (!parsed.success) return Result.fail(refusalOf(parsed.issues))
  const list = listForObject(parsed.output, raw, [])
  if (list !== undefined) return Result.fail(refusalOf([{ path: list.map((key) => ({ key })) }]))
  return Result.succeed({ input: parsed.output, rawBody })
}

/** The path of a list where an object is expected: validators take its indices for unknown fields and drop them. */
const listForObject = (output: unknown, raw: unknown, path: readonly string[]): readonly string[] | undefined => {
  if (output === raw || typeof output !== 'object' || output === null) return undefined
  if (Array.isArray(raw) && !Array.isArray(output)) return path
  for (const [key, item] of Object.entries(output)) {
    const found = listForObject(item, fieldOf(raw, key), [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined

type Issue = { readonly path?: readonly { readonly key?: unknown }[] | undefined }

const refusalOf = ([issue]: readonly [Issue, ...Issue[]]): InvalidRequest | InvalidAuthObject | NotFound => {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  if (keys[0] === 'path') return new NotFound()
  if (keys.some((key) => identityFields.includes(key))) return new InvalidAuthObject()
  return new InvalidRequest({ field: keys.join('.') })
}

const malformed = Symbol('malformed')

/**
 * Undefined if there is no body. A call without one is valid whatever content type it names, as public clients send it.
 */
const parseJson = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return hasNul(value) ? malformed : value
  } catch {
    return malformed
  }
}

/** Walks without recursion, so that deep nesting cannot overflow the stack. */
const hasNul = (root: unknown): boolean => {
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (key.includes('\0')) return true
        rest.push(item)
      }
    }
  }
  return false
}

/** `field`: the path of the invalid field, as `body.keyShares.0.walletId`. */
export class InvalidRequest extends Data.TaggedError('InvalidRequest')<{ readonly field: string }> {
  override readonly message = `${this.field} is not as the contract has it`
}
