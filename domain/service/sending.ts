/**
 * Transactions of Solana and Cosmos on their way to the chain. The client alone has all signatures: the co-signer never
 * holds a whole signature of a Solana wallet, and other signers may have signed too. So the client hands the transaction
 * back, and the service passes on only what its co-signer signed (domain/service/README.md#sending).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import type { NamedChain } from '../model/NamedChain.ts'
import { WalletTypeNotSelectable } from '../model/WalletSelection.ts'
import { protocolOf } from '../mpc/Scheme.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import * as SolanaTransaction from '../mpc/SolanaTransaction.ts'
import { InvalidTransaction } from './ports/Chain.ts'
import { ChainNodes } from './ports/ChainNodes.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Runs } from './ports/Runs.ts'
import { Signatures } from './ports/Signatures.ts'
import { isSignedBy, readDirect } from './protocol/cosmosDocument.ts'
import { requiredSigners } from './protocol/solanaTransaction.ts'
import { Rates, userAt } from './rates.ts'
import type { ActiveWallet } from './Wallet.ts'

export type ToSend = {
  readonly chain: NamedChain
  readonly chainId: string
  /** Of the run that signed it. */
  readonly protocolId: string
  /** Solana: the transaction as the network has it; Cosmos: TxRaw. */
  readonly transaction: Uint8Array
  /** Cosmos: the direct document that was signed; Solana: empty. */
  readonly signDoc: Uint8Array
}

/** Answers the hash by which the chain names the transaction. The same call again sends the same transaction. */
export const sendSigned = Effect.fn('sending.sendSigned')(function* (
  userId: string,
  wallet: ActiveWallet,
  toSend: ToSend,
) {
  const { chain, chainId, transaction } = toSend
  yield* (yield* RateLimits).take('sending', userAt(wallet.partnerId, userId), (yield* Rates).R4_SIGN)
  if (wallet.type !== chain.type) return yield* new WalletTypeNotSelectable({ walletId: wallet.id, type: wallet.type })
  const hash = yield* chain.type === 'SOLANA' ? checkedSolana(wallet, toSend) : checkedCosmos(wallet, toSend)
  yield* (yield* ChainNodes).send({ chainId, bytes: transaction, hash })
  return hash
})

/** Every signature is checked, because a chain takes no transaction with a wrong one. */
const checkedSolana = Effect.fnUntraced(function* (wallet: ActiveWallet, toSend: ToSend) {
  const read = SolanaTransaction.readTransaction(toSend.transaction)
  const named = read && requiredSigners(read.message)
  if (read === undefined || named?.includes(wallet.address) !== true) return yield* new InvalidTransaction()
  const { message, signers, signatures } = read
  yield* requireRun(wallet, toSend.protocolId, { kind: 'solanaTransaction', message: bytesToHex(message) })
  const { ed25519 } = yield* Signatures
  const isSigned = signers.every((key, index) => ed25519(key, message, signatures[index] ?? new Uint8Array(0)))
  if (!isSigned) return yield* new InvalidTransaction()
  return base58.encode(signatures[0] ?? new Uint8Array(0))
})

const checkedCosmos = Effect.fnUntraced(function* (wallet: ActiveWallet, toSend: ToSend) {
  const { chain, protocolId, transaction, signDoc } = toSend
  if (readDirect(signDoc)?.chainId !== chain.reference) return yield* new InvalidTransaction()
  yield* requireRun(wallet, protocolId, { kind: 'cosmosDirect', signDoc: bytesToHex(signDoc) })
  if (!isSignedBy(hexToBytes(wallet.publicKey), signDoc, transaction)) return yield* new InvalidTransaction()
  return bytesToHex(sha256(transaction)).toUpperCase()
})

/** The run has ended with a signature over exactly this, which the co-signer decoded and the partner's policy let through. */
const requireRun = Effect.fnUntraced(function* (
  { id: walletId, scheme }: ActiveWallet,
  protocolId: string,
  request: SigningRequest.SigningRequest,
) {
  const of = protocolOf(scheme)
  const payload = SigningRequest.payloadDigest(request, of)
  if (Result.isFailure(payload)) return yield* new InvalidTransaction()
  const run = Option.getOrUndefined(yield* (yield* Runs).find({ walletId, protocolId: protocolId.toLowerCase() }))
  const digest = bytesToHex(SigningRequest.digestClaim(payload.success, of))
  const isOfIt = run?.kind === 'sign' && run.payloadClass === payload.success.class && run.digest === digest
  if (!isOfIt || run.state !== 'DONE') return yield* new TransactionNotSigned()
})

/** No run of this wallet under the protocol id has signed it, or its wallet has new shares since. */
export class TransactionNotSigned extends Data.TaggedError('TransactionNotSigned') {
  override readonly message = 'the co-signer has not signed this transaction'
}
