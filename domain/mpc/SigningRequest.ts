/**
 * What the app asks to be signed. Both sides compute from it what the protocol signs; a client's digest is a claim that
 * is compared, never trusted. domain/mpc/README.md#what-is-signed
 *
 * - `eip191`: a personal message of Ethereum; the message's bytes, without the prefix. Exactly 32 bytes may be the hash of
 *   a smart account's operation, so they are a class of their own, `eip191Hash`.
 * - `eip712`: typed data, as the canonical text of TypedData.ts.
 * - `authorization`: EIP-7702; the account acts by the code at an address. Never for all chains at once.
 * - `transaction`: an unsigned Ethereum transaction, whose signature fields may be there if they are empty; `send` asks
 *   for its broadcast.
 * - `solanaMessage`: a message of Solana that is not a transaction.
 * - `solanaTransaction`: the message of a Solana transaction, which all of its signers sign.
 * - `cosmosDirect`, `cosmosAmino`: the sign document of Cosmos, protobuf or canonical JSON; `prefix` is that of the
 *   chain's addresses, by default the wallet's.
 * - `blind`: a bare digest (ED25519: bare bytes), whose meaning cannot be known. The partner has to allow it.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as Result from 'effect/Result'
import { fromHex } from '../crypto/Hex.ts'
import { isCosmosPrefix } from '../model/CosmosPrefix.ts'
import { authorizationDigest, nonceLimit } from './EvmAuthorization.ts'
import { unsignedTransaction } from './EvmTransaction.ts'
import type { Scheme, SigningPayload } from './Protocol.ts'
import { messagePayload, ofDkls, refused, type PayloadRefused } from './SigningPayload.ts'
import { isTransactionMessage } from './SolanaTransaction.ts'
import * as TypedData from './TypedData.ts'

export { digestClaim, PayloadRefused } from './SigningPayload.ts'

/** Bytes are lower-case hex without 0x, numbers decimal text. */
export type SigningRequest =
  | { readonly kind: 'eip191'; readonly message: string }
  | { readonly kind: 'eip712'; readonly typedData: string }
  | { readonly kind: 'authorization'; readonly address: string; readonly chainId: string; readonly nonce: string }
  | { readonly kind: 'transaction'; readonly transaction: string; readonly chainId: string; readonly send: boolean }
  | { readonly kind: 'solanaMessage'; readonly message: string }
  | { readonly kind: 'solanaTransaction'; readonly message: string }
  | { readonly kind: 'cosmosDirect'; readonly signDoc: string; readonly prefix?: string }
  | { readonly kind: 'cosmosAmino'; readonly signDoc: string; readonly prefix?: string }
  | { readonly kind: 'blind'; readonly digest: string }

/** Reads parsed JSON strictly: an unknown, missing or malformed field is refused. */
export const read = (value: unknown): Result.Result<SigningRequest, PayloadRefused> => {
  if (typeof value !== 'object' || value === null) return refused('malformed')
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const has = (...names: readonly string[]) => Object.keys(fields).every((name) => ['kind', ...names].includes(name))
  const { kind, message, typedData, address, chainId, nonce, transaction, send, signDoc, prefix, digest } = fields
  if (kind === 'eip191' || kind === 'solanaMessage' || kind === 'solanaTransaction') {
    return has('message') && isHex(message) ? Result.succeed({ kind, message }) : refused('malformed')
  }
  if (kind === 'eip712' && has('typedData') && typeof typedData === 'string') return Result.succeed({ kind, typedData })
  if (kind === 'authorization' && has('address', 'chainId', 'nonce')) {
    return isAddress(address) && isChainId(chainId) && isNonce(nonce)
      ? Result.succeed({ kind, address, chainId, nonce })
      : refused('malformed')
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
      return messagePayload(request.message, scheme)
    case 'eip712': {
      const typedData = TypedData.parse(request.typedData)
      return typedData === undefined ? refused('malformed') : ofDkls(scheme, request.kind, typedData.digest)
    }
    case 'authorization': {
      const address = fromHex(request.address, 20)
      if (address === undefined) return refused('malformed')
      const digest = authorizationDigest(address, BigInt(request.chainId), BigInt(request.nonce))
      return ofDkls(scheme, request.kind, digest)
    }
    case 'transaction': {
      const unsigned = unsignedTransaction(fromHex(request.transaction) ?? none, BigInt(request.chainId))
      return unsigned === undefined
        ? refused('no such transaction')
        : ofDkls(scheme, request.kind, keccak_256(unsigned))
    }
    case 'cosmosDirect':
    case 'cosmosAmino': {
      const signDoc = fromHex(request.signDoc)
      return signDoc === undefined ? refused('malformed') : ofDkls(scheme, request.kind, sha256(signDoc))
    }
    case 'solanaMessage': {
      const message = fromHex(request.message)
      if (message === undefined) return refused('malformed')
      if (scheme !== 'ED25519') return refused('another scheme')
      return isTransactionMessage(message) ? refused('a transaction as a message') : payload(request.kind, message)
    }
    case 'solanaTransaction': {
      const message = fromHex(request.message)
      if (message === undefined) return refused('malformed')
      if (scheme !== 'ED25519') return refused('another scheme')
      return isTransactionMessage(message) ? payload(request.kind, message) : refused('no such transaction')
    }
    case 'blind': {
      const digest = fromHex(request.digest)
      if (digest === undefined || (scheme === 'DKLS' && digest.length !== 32)) return refused('malformed')
      return payload(request.kind, digest)
    }
  }
}

const none = new Uint8Array(0)

const payload = (ofClass: string, message: Uint8Array): Result.Result<SigningPayload, PayloadRefused> =>
  Result.succeed({ message, class: ofClass })

const isHex = (value: unknown): value is string => typeof value === 'string' && fromHex(value) !== undefined

const isAddress = (value: unknown): value is string => isHex(value) && value.length === 40

const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) < nonceLimit

const isChainId = (value: unknown): value is string => typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value)
