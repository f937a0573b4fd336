/**
 * Signing. The co-signer decodes and hashes the payload itself; the client's digest is only compared. A bare digest
 * waits for the call that says what it is, and nothing is computed before (domain/service/README.md#signing-requests).
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as Address from '../../model/Address.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import type { Scheme } from '../../mpc/Protocol.ts'
import * as SigningRequest from '../../mpc/SigningRequest.ts'
import { isTransactionMessage } from '../../mpc/SolanaTransaction.ts'
import { Caller } from '../Caller.ts'
import { tellCallersPartner } from '../events.ts'
import { allowsUnprovenClients } from '../Partner.ts'
import { Chain, type ChainSignature } from '../ports/Chain.ts'
import { Deployment } from '../ports/Deployment.ts'
import type { Intent } from '../ports/Intents.ts'
import type { SeenToClaim } from '../ports/Runs.ts'
import { Wallets } from '../ports/Wallets.ts'
import type { RunRecord, Sending } from '../Run.ts'
import type { WalletRecord } from '../Wallet.ts'
import { namedSigners, readDirect } from './cosmosDocument.ts'
import { requireOnlyRun } from './ending.ts'
import { complete, judged, use, type Judged } from './judging.ts'
import type { Beginning, Done, Plan, Request } from './Plan.ts'
import {
  AnotherRunInProgress,
  BlindSigningRefused,
  DigestDiffers,
  InvalidFrame,
  PayloadNotSupported,
} from './refusals.ts'
import { requireOfWallet } from './walletPayload.ts'
import { requireActive, sealedShareAndOtOf, sealedShareOf } from './walletStatus.ts'

/**
 * The plan of SIGN. Request 1 carries the payload, which is decoded and hashed here; a later request carries the
 * protocol's message alone.
 */
export const sign = Effect.fnUntraced(function* (request: Request) {
  const { frame } = request
  if (frame.step > 1) {
    return planOf(request, { message: frame.body, firstRequest: undefined, payload: undefined }, undefined)
  }
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
  const first = { request: asked, digest: bytesToHex(digest), payloadClass: payload.class, timeoutMs: body.timeoutMs }
  return planOf(request, { message: body.message, firstRequest, payload }, { ...first, sending })
})

/** What request 1 asks for. */
type First = Pick<Judged, 'request' | 'digest' | 'payloadClass' | 'timeoutMs'> & { readonly sending: Sending | null }

const planOf = (
  request: Request,
  of: Pick<Plan, 'message' | 'firstRequest' | 'payload'>,
  first: First | undefined,
): Plan => ({
  ...of,
  kind: 'sign',
  operation: 'sign',
  newRoot: false,
  admit: (wallet) => requireActive(wallet, request.frame),
  begin: (wallet, seen, isWaiting) =>
    first === undefined ? Effect.succeed(noCall) : begin(request, first, { wallet, seen, isWaiting }),
  materials,
  expiresAt: (run) => run.expiresAt,
  finish,
})

/**
 * A call under the same protocol id decides the content; a bare digest needs one. What it says is judged, and what is
 * let through is counted with the claim.
 */
const begin = Effect.fnUntraced(function* (
  { frame, header, session, userId }: Request,
  first: First,
  {
    wallet,
    seen,
    isWaiting,
  }: { readonly wallet: WalletRecord; readonly seen: SeenToClaim; readonly isWaiting: boolean },
) {
  const { deviceKeyThumb } = header
  const { digest, payloadClass, sending } = first
  const { intent } = seen
  if (!isWaiting) yield* requireOnlyRun(seen, { kind: 'sign', deviceKeyThumb, digest })
  const isBlind = payloadClass === 'blind'
  if (intent === undefined && isBlind) return noCall
  if (intent !== undefined && (intent.digest !== digest || intent.sessionId !== frame.sessionId)) return otherCall
  const said = intent === undefined || !isBlind ? first : meantBy(intent, first, frame.scheme)
  // The plan has checked what the frame itself says.
  const isOfWallet = said === first || Option.isSome(yield* Effect.option(requireOfWallet(said.request, wallet)))
  if (!isOfWallet) return ofAnother
  const asked: Judged = {
    ...said,
    digest,
    timeoutMs: first.timeoutMs,
    wallet,
    session,
    userId,
    protocolId: frame.protocolId,
    scheme: frame.scheme,
    canReview: !isBlind || frame.scheme === 'DKLS',
  }
  const verdict = yield* judged(asked)
  if (verdict.kind !== 'allow') return verdict
  const { allowed } = verdict
  if (allowed !== undefined && !(yield* use(asked, allowed))) return yield* new AnotherRunInProgress()
  const transaction = intent?.transaction
  const toSend = transaction?.send === true ? sent(transaction.unsigned, transaction.chainId) : sending
  return { kind: 'go', sending: toSend, allowed } satisfies Beginning
})

const noCall: Beginning = { kind: 'wait' }

const otherCall: Beginning = { kind: 'refuse', reason: 'the call was about something else' }

const ofAnother: Beginning = { kind: 'refuse', reason: 'the call was about what is not the wallet’s' }

/**
 * What a bare digest is judged as: the transaction or the document that its call was about, if that has this digest. With
 * ED25519 the bytes themselves are the message or the transaction. The run stays one of a bare digest.
 */
export const meantBy = (
  { transaction, cosmosSignDoc, digest }: Pick<Intent, 'transaction' | 'cosmosSignDoc' | 'digest'>,
  bare: Pick<Judged, 'request' | 'payloadClass'>,
  scheme: Scheme,
): Pick<Judged, 'request' | 'payloadClass'> => {
  const request = requestOf({ transaction, cosmosSignDoc }, bare.request, scheme)
  if (request === undefined) return bare
  const payload = SigningRequest.payloadDigest(request, scheme)
  if (Result.isFailure(payload)) return bare
  const isSame = bytesToHex(SigningRequest.digestClaim(payload.success, scheme)) === digest
  return isSame ? { request, payloadClass: payload.success.class } : bare
}

const requestOf = (
  { transaction, cosmosSignDoc }: Pick<Intent, 'transaction' | 'cosmosSignDoc'>,
  bare: SigningRequest.SigningRequest,
  scheme: Scheme,
): SigningRequest.SigningRequest | undefined => {
  if (scheme === 'ED25519') {
    if (bare.kind !== 'blind') return undefined
    const isTransaction = isTransactionMessage(fromHex(bare.digest) ?? new Uint8Array(0))
    return { kind: isTransaction ? 'solanaTransaction' : 'solanaMessage', message: bare.digest }
  }
  if (transaction !== null) {
    const { unsigned, chainId, send } = transaction
    return { kind: 'transaction', transaction: bytesToHex(unsigned), chainId, send }
  }
  return cosmosSignDoc === null ? undefined : cosmosRequest(base64.decode(cosmosSignDoc))
}

/** A call names no prefix, so a plain message is read under that of its signer: the key has to be the wallet's all the same. */
const cosmosRequest = (document: Uint8Array): SigningRequest.SigningRequest => {
  const signDoc = bytesToHex(document)
  if (readDirect(document) !== undefined) return { kind: 'cosmosDirect', signDoc }
  const signer = namedSigners(document)?.[0] ?? ''
  const prefix = signer.slice(0, signer.lastIndexOf('1'))
  return Address.isCosmosPrefix(prefix) ? { kind: 'cosmosAmino', signDoc, prefix } : { kind: 'cosmosAmino', signDoc }
}

/** The partner may withdraw the opt-in to blind signing between two requests, so each request checks it. */
const materials = Effect.fnUntraced(function* (run: RunRecord, seen: SeenToClaim) {
  if (run.payloadClass === 'blind') yield* requireOptIn
  return run.scheme === 'DKLS'
    ? yield* sealedShareAndOtOf(run, seen)
    : { sealedShare: yield* sealedShareOf(run, seen), sealedOt: null }
})

/** The engine has verified the signature under the wallet's key and that s is low. An accepted review is used up by it. */
const finish = Effect.fnUntraced(function* (
  wallet: WalletRecord,
  run: RunRecord,
  { response, made }: Done,
  now: number,
) {
  const { pendingTransactionId } = run
  const isReviewed = pendingTransactionId === null || (yield* complete(pendingTransactionId, run.protocolId, now))
  if (!isReviewed) return undefined
  yield* (yield* Wallets).use(wallet.id, run.partnerId, now)
  const body = yield* bodyOf(run, response, made.signature)
  const { userId, walletId, protocolId } = run
  if (body !== undefined) yield* tellCallersPartner('signature.completed', { userId, walletId, protocolId })
  return body
})

const bodyOf = Effect.fnUntraced(function* (run: RunRecord, response: Uint8Array, signature: Uint8Array | undefined) {
  if (run.scheme === 'ED25519') return response
  if (signature === undefined || run.sending === null) return signature
  const signed = yield* assembled(run.sending, signature)
  return signed === undefined ? undefined : concatBytes(signature, keccak_256(signed))
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

/** A bare digest does not say what is signed, so the partner has to allow it in BETA and PROD. */
export const requireOptIn = Effect.gen(function* () {
  const { partner } = yield* Caller
  const { environment } = yield* Deployment
  if (partner === undefined || !allowsUnprovenClients(partner, environment)) return yield* new BlindSigningRefused()
})

const orUnsupported = <A>(result: Result.Result<A, SigningRequest.PayloadRefused>) =>
  Effect.mapError(Effect.fromResult(result), () => new PayloadNotSupported())
