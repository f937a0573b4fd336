/**
 * What the app asks to be signed. Both sides compute from it what the protocol signs; a client's digest is a claim that
 * is compared, never trusted. domain/mpc/README.md#what-is-signed
 *
 * - `eip191`: a personal message of Ethereum; the message's bytes, without the prefix.
 * - `transaction`: an unsigned Ethereum transaction, whose signature fields may be there if they are empty; `send` asks
 *   for its broadcast.
 * - `solanaMessage`: a message of Solana that is not a transaction.
 * - `solanaTransaction`: the message of a Solana transaction, which all of its signers sign.
 * - `cosmosDirect`, `cosmosAmino`: the sign document of Cosmos, protobuf or canonical JSON; `prefix` is that of the
 *   chain's addresses, by default the wallet's.
 * - `blind`: a bare digest (ED25519: bare bytes), whose meaning cannot be known. The partner has to allow it.
 * - `eip712` and `authorization` (EIP-7702) are known names, refused as not supported yet.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { fromHex } from '../crypto/Hex.ts'
import { isCosmosPrefix } from '../model/Address.ts'
import { unsignedTransaction } from './EvmTransaction.ts'
import type { Scheme, SigningPayload } from './Protocol.ts'
import { isTransactionMessage } from './SolanaTransaction.ts'

/** Bytes are lower-case hex without 0x, numbers decimal text. */
export type SigningRequest =
  | { readonly kind: 'eip191'; readonly message: string }
  | { readonly kind: 'transaction'; readonly transaction: string; readonly chainId: string; readonly send: boolean }
  | { readonly kind: 'solanaMessage'; readonly message: string }
  | { readonly kind: 'solanaTransaction'; readonly message: string }
  | { readonly kind: 'cosmosDirect'; readonly signDoc: string; readonly prefix?: string }
  | { readonly kind: 'cosmosAmino'; readonly signDoc: string; readonly prefix?: string }
  | { readonly kind: 'blind'; readonly digest: string }

export const unsupportedKinds = ['eip712', 'authorization'] as const

/** Reads parsed JSON strictly: an unknown, missing or malformed field is refused. */
export const read = (value: unknown): Result.Result<SigningRequest, PayloadRefused> => {
  if (typeof value !== 'object' || value === null) return refused('malformed')
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const has = (...names: readonly string[]) => Object.keys(fields).every((name) => ['kind', ...names].includes(name))
  const { kind, message, transaction, chainId, send, signDoc, prefix, digest } = fields
  if (unsupportedKinds.some((name) => name === kind)) return refused('not supported yet')
  if (kind === 'eip191' || kind === 'solanaMessage' || kind === 'solanaTransaction') {
    return has('message') && isHex(message) ? Result.succeed({ kind, message }) : refused('malformed')
  }
  if (kind === 'transaction' && has('transaction', 'chainId', 'send')) {
    return isHex(transaction) && isChainId(chainId) && typeof send === 'boolean'
      ? Result.succeed({ kind, transaction, chainId, send })
      : refused('malformed')
  }
  if ((kind === 'cosmosDirect' || kind === 'cosmosAmino') && has('signDoc', 'prefix') && isHex(signDoc)) {
    if (prefix === undefined) return Result.succeed({ kind, signDoc })
    return typeof prefix === 'string' && isCosmosPrefix(prefix)
      ? Result.succeed({ kind, signDoc, prefix })
      : refused('malformed')
  }
  return kind === 'blind' && has('digest') && isHex(digest) ? Result.succeed({ kind, digest }) : refused('malformed')
}

/** What the protocol signs: with DKLS the 32-byte digest, with ED25519 the message itself; and the request's class. */
export const payloadDigest = (
  request: SigningRequest,
  scheme: Scheme,
): Result.Result<SigningPayload, PayloadRefused> => {
  switch (request.kind) {
    case 'eip191':
      return digested(request, scheme, request.message, (message) =>
        keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message)),
      )
    case 'transaction': {
      const unsigned = unsignedTransaction(fromHex(request.transaction) ?? none, BigInt(request.chainId))
      if (unsigned === undefined) return refused('no such transaction')
      return scheme === 'DKLS' ? payload(request, keccak_256(unsigned)) : refused('another scheme')
    }
    case 'cosmosDirect':
    case 'cosmosAmino':
      return digested(request, scheme, request.signDoc, sha256)
    case 'solanaMessage': {
      const message = fromHex(request.message)
      if (message === undefined) return refused('malformed')
      if (scheme !== 'ED25519') return refused('another scheme')
      return isTransactionMessage(message) ? refused('a transaction as a message') : payload(request, message)
    }
    case 'solanaTransaction': {
      const message = fromHex(request.message)
      if (message === undefined) return refused('malformed')
      if (scheme !== 'ED25519') return refused('another scheme')
      return isTransactionMessage(message) ? payload(request, message) : refused('no such transaction')
    }
    case 'blind': {
      const digest = fromHex(request.digest)
      if (digest === undefined || (scheme === 'DKLS' && digest.length !== 32)) return refused('malformed')
      return payload(request, digest)
    }
  }
}

/** The digest claim of a frame, 32 bytes: the digest itself, with ED25519 the SHA-256 of the message. */
export const digestClaim = (signed: SigningPayload, scheme: Scheme): Uint8Array =>
  scheme === 'DKLS' ? signed.message : sha256(signed.message)

const none = new Uint8Array(0)

const refused = (reason: PayloadRefused['reason']) => Result.fail(new PayloadRefused({ reason }))

const payload = (request: SigningRequest, message: Uint8Array): Result.Result<SigningPayload, PayloadRefused> =>
  Result.succeed({ message, class: request.kind })

const digested = (
  request: SigningRequest,
  scheme: Scheme,
  hex: string,
  digest: (bytes: Uint8Array) => Uint8Array,
): Result.Result<SigningPayload, PayloadRefused> => {
  const bytes = fromHex(hex)
  if (bytes === undefined) return refused('malformed')
  return scheme === 'DKLS' ? payload(request, digest(bytes)) : refused('another scheme')
}

const isHex = (value: unknown): value is string => typeof value === 'string' && fromHex(value) !== undefined

const isChainId = (value: unknown): value is string => typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value)

/** `reason` is for logs. */
export class PayloadRefused extends Data.TaggedError('PayloadRefused')<{
  readonly reason:
    'malformed' | 'not supported yet' | 'another scheme' | 'no such transaction' | 'a transaction as a message'
}> {}
