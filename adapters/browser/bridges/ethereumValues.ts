/** Values of JSON-RPC (EIP-1474), read strictly: what is another fails with -32602. */
import { codes, RpcError } from './RpcError.ts'

export type Hex = `0x${string}`

export type Fields = Readonly<Record<string, unknown>>

export const invalid = (message: string) => new RpcError(codes.invalidParams, message)

export const fieldsOf = (value: unknown, name: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${name} is no object`)
  return value as Fields
}

/** A number; leading zeros are let pass. */
export const quantityOf = (value: unknown, name = 'the answer of the node'): bigint => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) throw invalid(`${name} is no quantity`)
  return BigInt(value)
}
