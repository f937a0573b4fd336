/**
 * Signing, from an app's message or transaction to the verified signature of the co-signer's run
 * (domain/client/README.md#signing).
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import * as TypedData from '../mpc/TypedData.ts'
import { SigningFailed, TransactionSigningFailed } from '../model/Account.ts'
import * as Address from '../model/Address.ts'
import { isRefusal, isSilence } from '../model/ApiError.ts'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import * as EventNames from '../model/Events.ts'
import { retries, retryTimeoutMs } from '../model/Limits.ts'
import { OperationTimedOut } from '../model/Timeout.ts'
import { typeOf, type Wallet } from '../model/Wallet.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { heldShare, isLost, reattach, reattachIfBehind, reconcile, renewed, signLock } from './refreshKeys.ts'
import { signOnce } from './signOnce.ts'
import { selectWallet } from './wallets.ts'

/**
 * Signs a message as its chain has it: EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. Without a
 * wallet id it is the first usable one of the current wallets.
 */
export const signMessage = Effect.fn('signing.signMessage')(function* (
  walletId: string | undefined,
  message: Uint8Array,
) {
  const wallet = yield* selectWallet(walletId)
  return yield* announced(EventNames.signMessage, wallet, requestOf(wallet, message), SigningFailed)
})

const requestOf = (wallet: Wallet, message: Uint8Array): SigningRequest.SigningRequest => {
  switch (typeOf(wallet)) {
    case 'EVM':
      return { kind: 'eip191', message: bytesToHex(message) }
    case 'SOLANA':
      return { kind: 'solanaMessage', message: bytesToHex(message) }
    case 'COSMOS':
      return { kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(wallet.address ?? '', message)) }
  }
}

/** Signs typed data of EIP-712, as the tools of Ethereum have it. */
export const signTypedData = Effect.fn('signing.signTypedData')(function* (
  walletId: string | undefined,
  typedData: unknown,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const read = TypedData.read(typedData)
  if (read === undefined) return yield* new SigningRequest.PayloadRefused({ reason: 'malformed' })
  const request = { kind: 'eip712', typedData: read.text } as const
  return yield* announced(EventNames.signMessage, wallet, request, SigningFailed)
})

/** An account's word that the code at an address may act for it (EIP-7702). Numbers are decimal text. */
export type Authorization = { readonly address: string; readonly chainId: string; readonly nonce: string }

/** Signs an authorization, which takes effect when a transaction brings it to its chain. */
export const signAuthorization = Effect.fn('signing.signAuthorization')(function* (
  walletId: string | undefined,
  { address, chainId, nonce }: Authorization,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  if (!Address.isEvm(address)) return yield* new SigningRequest.PayloadRefused({ reason: 'malformed' })
  const asked = { kind: 'authorization', address: address.slice(2).toLowerCase(), chainId, nonce }
  const request = yield* Effect.fromResult(SigningRequest.read(asked))
  return yield* announced(EventNames.signMessage, wallet, request, SigningFailed)
})

/** An EVM transaction, serialised and not signed yet. `chainId` is decimal and must be the transaction's own. */
export type UnsignedTransaction = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs an EVM transaction; the caller assembles and sends it. */
export const signTransaction = Effect.fn('signing.signTransaction')(function* (
  walletId: string | undefined,
  unsigned: UnsignedTransaction,
) {
  return yield* signEvmTransaction(walletId, unsigned, false)
})

/** Signs an EVM transaction and has the co-signer's side send it: the hash is in the answer. */
export const sendTransaction = Effect.fn('signing.sendTransaction')(function* (
  walletId: string | undefined,
  unsigned: UnsignedTransaction,
) {
  const { transactionHash, ...signed } = yield* signEvmTransaction(walletId, unsigned, true)
  if (transactionHash === undefined) return yield* new TransactionNotSent()
  return { ...signed, transactionHash }
})

const signEvmTransaction = Effect.fn('signing.signEvmTransaction')(function* (
  walletId: string | undefined,
  { transaction, chainId }: UnsignedTransaction,
  send: boolean,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const request = { kind: 'transaction', transaction: bytesToHex(transaction), chainId, send } as const
  return yield* announced(EventNames.signTransaction, wallet, request, TransactionSigningFailed)
})

/** The wallet with what it signed. The app's listeners hear how it ended; a run that failed is the account's error. */
export const announced = Effect.fnUntraced(function* (
  event: typeof EventNames.signMessage | typeof EventNames.signTransaction,
  wallet: Wallet,
  request: SigningRequest.SigningRequest,
  Failed: typeof SigningFailed | typeof TransactionSigningFailed,
) {
  const data = { walletId: wallet.id }
  const { emit } = yield* Events
  const failed = (cause: unknown) => new Failed({ userId: wallet.userId ?? '', walletId: wallet.id, cause })
  const signed = yield* sign(wallet.id, request).pipe(
    Effect.catchTags({ ProtocolAborted: failed, WorkerFailed: failed, OperationTimedOut: failed }),
    Effect.tapError((error) => emit(event, { data, error })),
  )
  yield* emit(event, { data })
  return { wallet, ...signed }
})

/** The transaction is signed, but the answer has no hash: the app has to look for it before it sends it again. */
export class TransactionNotSent extends Data.TaggedError('TransactionNotSent') {
  override readonly message = 'the transaction was signed, but its hash was not told'
}

/**
 * Signs with the share on this device (domain/client/README.md#signing). Into silence the same bytes go again first, so
 * that the co-signer does not repeat finished work; lasting silence is met by a new run with fresh nonces, twice at
 * most and 10 s each. A failed check, a refusal or an abort is never tried again. A device signs one thing at a time
 * with a wallet. A locked wallet is refreshed first; after a failed check the co-signer allows that only to a session
 * with a fresh login. A provider that has lost its share gets it back from this device first
 * (adapters/service/vault/README.md#what-a-loss-costs).
 */
export const sign = Effect.fn('signing.sign')(function* (walletId: string, request: SigningRequest.SigningRequest) {
  const once = signHeld(walletId, request)
  const mended = once.pipe(
    // After a refresh whose confirmation got no answer: its share is staged here and may be the active one.
    Effect.catchIf(isOutOfDate, () =>
      reconcile(walletId).pipe(Effect.andThen(reattachIfBehind(walletId)), Effect.andThen(once)),
    ),
    Effect.catchIf(isLost, (refusal) => Effect.andThen(reattach(walletId, refusal), once)),
    Effect.catchIf(isLocked, () =>
      reattachIfBehind(walletId).pipe(Effect.andThen(renewed(walletId)), Effect.andThen(once)),
    ),
  )
  return yield* (yield* Locks).alone(signLock(walletId), mended)
})

const isOutOfDate = (error: unknown): boolean => isRefusal(error, 'KeyShareOutOfDate')
const isLocked = (error: unknown): boolean => isRefusal(error, 'KeyShareLocked')

const signHeld = Effect.fn('signing.signHeld')(function* (walletId: string, request: SigningRequest.SigningRequest) {
  const { user } = yield* heldShare(walletId)
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, user.share.scheme))

  return yield* withTries(signOnce(user, request, payload))
})

/** Into silence a new run goes, twice at most and 10 s each. */
export const withTries = <A, E extends { readonly _tag: string }, R>(once: Effect.Effect<A, E, R>) =>
  once.pipe(
    Effect.retry({ times: busyTries, schedule: Schedule.spaced(busyPauseMs), while: isBusy }),
    Effect.timeoutOrElse({
      duration: retryTimeoutMs,
      orElse: () => Effect.fail(new OperationTimedOut({ ms: retryTimeoutMs })),
    }),
    Effect.tapError((error) => Effect.logWarning('a try to sign failed', error._tag)),
    Effect.retry({ times: retries, while: (error) => isSilence(error) || error._tag === 'OperationTimedOut' }),
  )

/** Another device of the user is signing with the wallet: nothing was computed yet, and it is soon over. */
const isBusy = (error: unknown): boolean => isRefusal(error, 'AnotherRunInProgress')
const busyTries = 20
const busyPauseMs = 250
