/**
 * Signing. The co-signer decodes and hashes the payload itself; the client's digest is only compared. A bare digest
 * waits for the call that says what it is, and nothing is computed before (domain/service/README.md#signing-requests).
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import * as SigningRequest from '../../mpc/SigningRequest.ts'
import { Caller } from '../Caller.ts'
import { allowsUnprovenClients } from '../Partner.ts'
import { Chain, type ChainSignature } from '../ports/Chain.ts'
import { Deployment } from '../ports/Deployment.ts'
import { Intents } from '../ports/Intents.ts'
import { Wallets } from '../ports/Wallets.ts'
import type { RunRecord, Sending } from '../Run.ts'
import type { WalletRecord } from '../Wallet.ts'
import { requireOnlyRun } from './ending.ts'
import type { Beginning, Done, Plan, Request } from './Plan.ts'
import { BlindSigningRefused, DigestDiffers, InvalidFrame, PayloadNotSupported } from './refusals.ts'
import { requireOfWallet } from './walletPayload.ts'
import { requireActive, sealedOtOf, sealedShareOf } from './walletStatus.ts'

/**
 * The plan of SIGN. Request 1 carries the payload, which is decoded and hashed here; a later request carries the
 * protocol's message alone.
 */
export const sign = Effect.fnUntraced(function* (request: Request) {
  const { frame } = request
  if (frame.step > 1)
    return planOf(request, { message: frame.body, firstRequest: undefined, payload: undefined }, notSent)
  const body = MpcFrame.decodeSign(frame.body)
  if (body === undefined) return yield* new InvalidFrame()
  const asked = yield* orUnsupported(body.request)
  const payload = yield* orUnsupported(SigningRequest.payloadDigest(asked, frame.scheme))
  const digest = SigningRequest.digestClaim(payload, frame.scheme)
  if (body.digestClaim.length > 0 && !equal(body.digestClaim, digest)) return yield* new DigestDiffers()
  if (asked.kind === 'blind') yield* requireOptIn
  yield* requireOfWallet(asked, request.wallet)
  const sending = asked.kind === 'transaction' ? yield* checkedTransaction(asked, digest) : notSent
  const firstRequest = {
    otId: bytesToHex(body.otId),
    rootPublicKey: request.wallet.rootPublicKey ?? '',
    payloadClass: payload.class,
    digest: bytesToHex(digest),
  }
  return planOf(request, { message: body.message, firstRequest, payload }, sending)
})

const planOf = (
  request: Request,
  of: Pick<Plan, 'message' | 'firstRequest' | 'payload'>,
  sending: Sending | null,
): Plan => ({
  ...of,
  kind: 'sign',
  operation: 'sign',
  newRoot: false,
  admit: (wallet) => requireActive(wallet, request.frame),
  begin: (wallet, isWaiting) =>
    begin(request, of.firstRequest?.digest ?? '', of.payload?.class, sending, { wallet, isWaiting }),
  materials,
  expiresAt: (run) => run.expiresAt,
  finish,
})

/** A call under the same protocol id decides the content. A bare digest needs one. */
const begin = Effect.fnUntraced(function* (
  { frame, header }: Request,
  digest: string,
  payloadClass: string | undefined,
  sending: Sending | null,
  { wallet, isWaiting }: { readonly wallet: WalletRecord; readonly isWaiting: boolean },
) {
  const { deviceKeyThumb } = header
  const intent = Option.getOrUndefined(yield* (yield* Intents).find(wallet.id, frame.protocolId))
  if (!isWaiting) yield* requireOnlyRun(wallet.id, { kind: 'sign', deviceKeyThumb, digest })
  const go = (sent: Sending | null): Beginning => ({ kind: 'go', sending: sent })
  const wait: Beginning = { kind: 'wait' }
  if (intent === undefined) return payloadClass === 'blind' ? wait : go(sending)
  const refuse: Beginning = { kind: 'refuse', reason: 'the call was about something else' }
  if (intent.digest !== digest || intent.sessionId !== frame.sessionId) return refuse
  const { transaction } = intent
  return go(transaction?.send === true ? sent(transaction.unsigned, transaction.chainId) : sending)
})

/** The partner may withdraw the opt-in to blind signing between two requests, so each request checks it. */
const materials = Effect.fnUntraced(function* (run: RunRecord) {
  if (run.payloadClass === 'blind') yield* requireOptIn
  const sealedShare = yield* sealedShareOf(run)
  return { sealedShare, sealedOt: run.scheme === 'DKLS' ? yield* sealedOtOf(run) : null }
})

/** The engine has verified the signature under the wallet's key and that s is low. */
const finish = Effect.fnUntraced(function* (
  wallet: WalletRecord,
  run: RunRecord,
  { response, made }: Done,
  now: number,
) {
  yield* (yield* Wallets).use(wallet.id, run.partnerId, now)
  if (run.scheme === 'ED25519') return response
  if (made.signature === undefined) return undefined
  if (run.sending === null) return made.signature
  const signed = yield* assembled(run.sending, made.signature)
  return signed === undefined ? undefined : concatBytes(made.signature, keccak_256(signed))
})

/** The transaction with the signature of the run's answer. */
export const assembled = Effect.fnUntraced(function* (sending: Sending, signature: Uint8Array) {
  const chain = yield* Chain
  const decoded = chain.decodeTransaction(sending.transaction, sending.chainId)
  return Result.isSuccess(decoded) ? chain.assemble(decoded.success, signatureOf(signature)) : undefined
})

const signatureOf = (signature: Uint8Array): ChainSignature => ({
  r: signature.slice(0, 32),
  s: signature.slice(32, 64),
  v: signature[64] === 1 ? 1 : 0,
})

/** The chain's own library decodes the transaction again and must find the same chain and digest. */
const checkedTransaction = Effect.fnUntraced(function* (
  { transaction, chainId, send }: Extract<SigningRequest.SigningRequest, { kind: 'transaction' }>,
  digest: Uint8Array,
) {
  const decoded = (yield* Chain).decodeTransaction(fromHex(transaction) ?? new Uint8Array(0), chainId)
  if (Result.isFailure(decoded)) return yield* new PayloadNotSupported()
  const isSame = decoded.success.chainId === chainId && equal(decoded.success.digest, digest)
  if (!isSame) return yield* new DigestDiffers()
  return send ? sent(decoded.success.unsigned, chainId) : notSent
})

const sent = (transaction: Uint8Array, chainId: string): Sending => ({ transaction, chainId, broadcastAt: null })

const notSent: Sending | null = null

/** A bare digest does not say what is signed, so the partner has to allow it in PROD. */
export const requireOptIn = Effect.gen(function* () {
  const { partner } = yield* Caller
  const { environment } = yield* Deployment
  if (partner === undefined || !allowsUnprovenClients(partner, environment)) return yield* new BlindSigningRefused()
})

const orUnsupported = <A>(result: Result.Result<A, SigningRequest.PayloadRefused>) =>
  Effect.mapError(Effect.fromResult(result), () => new PayloadNotSupported())
