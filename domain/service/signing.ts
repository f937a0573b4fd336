/**
 * The path of public clients of the contract; the SDK signs by exchangeFrame alone (openapi/README.md#public-client). A
 * call says what is signed, under the protocol id of a run whose first frame carries the bare digest. Either may come
 * first. The call binds the content; it alone signs nothing (domain/service/README.md#signing-requests).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { equal } from '../crypto/Equal.ts'
import { reviewTimeoutMs } from '../model/Limits.ts'
import { chainOf } from '../model/NamedChain.ts'
import { schemes } from '../model/Wallet.ts'
import { InvalidWalletParams } from '../model/WalletReference.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import { protocolOf } from '../mpc/Scheme.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { callersPartner } from './partners.ts'
import { isJudged } from './policies.ts'
import { Chain } from './ports/Chain.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Intents, type Intent } from './ports/Intents.ts'
import { Runs } from './ports/Runs.ts'
import { Transaction as DatabaseTransaction } from './ports/Transaction.ts'
import { Wallets } from './ports/Wallets.ts'
import { judged, type Judged } from './protocol/judging.ts'
import { DeniedByPolicy, KeyShareLocked, PayloadNotSupported } from './protocol/refusals.ts'
import { meantBy, requireOptIn } from './protocol/sign.ts'
import { requireOfWallet } from './protocol/walletPayload.ts'
import { sendSigned } from './sending.ts'
import type { SessionRecord } from './Session.ts'
import { sessionOf } from './sessions.ts'
import { hasKey, type ActiveWallet } from './Wallet.ts'
import { requireOwned } from './wallets.ts'

export type Message = {
  /** base64: with DKLS of the 32-byte digest, with ED25519 of the message. */
  readonly message: string
  readonly scheme?: string | null | undefined
  /** base64: of a COSMOS wallet the document that `message` is the SHA-256 of. */
  readonly cosmosSignDoc?: string | undefined
  /** Made by the client. */
  readonly protocolId: string
  readonly walletId?: string | undefined
  /** How long the client waits for a review, in milliseconds. */
  readonly timeout?: number | undefined
}

export const signMessage = Effect.fn('signing.signMessage')(function* (
  userId: string,
  walletId: string,
  { message, scheme, cosmosSignDoc, protocolId, walletId: bodyWalletId, timeout }: Message,
) {
  const wallet = yield* signable(userId, walletId, bodyWalletId)
  yield* requireScheme(wallet, scheme)
  const bytes = yield* fromBase64(message)
  const protocol = protocolOf(wallet.scheme)
  const request = { kind: 'blind', digest: bytesToHex(bytes) } as const
  const payload = SigningRequest.payloadDigest(request, protocol)
  if (Result.isFailure(payload)) return yield* new PayloadNotSupported()
  if (cosmosSignDoc !== undefined) {
    const document = yield* fromBase64(cosmosSignDoc)
    if (wallet.type !== 'COSMOS' || !equal(sha256(document), bytes)) return yield* new PayloadNotSupported()
  }
  const digest = bytesToHex(SigningRequest.digestClaim(payload.success, protocol))
  const said = { kind: 'message', message, scheme: scheme ?? null, cosmosSignDoc: cosmosSignDoc ?? null }
  return yield* record(userId, wallet, protocolId, said, {
    digest,
    transaction: null,
    cosmosSignDoc: cosmosSignDoc ?? null,
    request,
    timeoutMs: timeout,
  })
})

export type Transaction = {
  /** base64 of the serialised transaction, whose signature fields may be there and empty. */
  readonly transaction: string
  readonly chainId: string
  readonly protocolId: string
  readonly walletId?: string | undefined
  readonly timeout?: number | undefined
}

export const signTransaction = Effect.fn('signing.signTransaction')(function* (
  userId: string,
  walletId: string,
  transaction: Transaction,
) {
  return yield* approve(userId, walletId, transaction, false)
})

/** Of Solana and Cosmos the transaction is signed already, and `chainId` is the CAIP-2 identifier of its chain. */
type ToSend = Transaction & {
  /** base64: of a COSMOS wallet the document that was signed. */
  readonly cosmosSignDoc?: string | undefined
}

/**
 * Of EVM the same as signTransaction; the co-signer also broadcasts the signed transaction. Of Solana and Cosmos the
 * run that the protocol id names is over: the client holds the transaction with all its signatures, and it is passed on.
 */
export const sendTransaction = Effect.fn('signing.sendTransaction')(function* (
  userId: string,
  walletId: string,
  asked: ToSend,
) {
  const chain = chainOf(asked.chainId)
  if (chain === undefined) return yield* approve(userId, walletId, asked, true)
  const { chainId, protocolId } = asked
  const wallet = yield* signable(userId, walletId, asked.walletId)
  const transaction = yield* fromBase64(asked.transaction)
  const signDoc = yield* fromBase64(asked.cosmosSignDoc ?? '')
  const txHash = yield* sendSigned(userId, wallet, { chain, chainId, protocolId, transaction, signDoc })
  return { txHash } satisfies Answer
})

const approve = Effect.fnUntraced(function* (userId: string, walletId: string, asked: Transaction, send: boolean) {
  const { transaction, chainId, protocolId, timeout } = asked
  const wallet = yield* signable(userId, walletId, asked.walletId)
  yield* requireScheme(wallet, 'DKLS')
  const chain = yield* Chain
  const { digest, unsigned } = yield* Effect.fromResult(
    chain.decodeTransaction(yield* fromBase64(transaction), chainId),
  )
  const said = { kind: send ? 'send' : 'transaction', transaction, chainId }
  return yield* record(userId, wallet, protocolId, said, {
    digest: bytesToHex(digest),
    transaction: { unsigned, chainId, send },
    cosmosSignDoc: null,
    request: { kind: 'blind', digest: bytesToHex(digest) },
    timeoutMs: timeout,
  })
})

/** How long a call waits for the frame of its run: as long as a client tries before it begins another. */
const intentLife = 90_000

type Content = Pick<Intent, 'digest' | 'transaction' | 'cosmosSignDoc'> & {
  /** What the run's first frame has. */
  readonly request: Extract<SigningRequest.SigningRequest, { kind: 'blind' }>
  readonly timeoutMs: number | undefined
}

/** What a call is answered: nothing, the signature once it is there, what it is held for, or the hash of what was sent. */
export type Answer = {
  readonly signature?: WireSignature | undefined
  readonly pendingTransactionId?: string | undefined
  readonly txHash?: string | undefined
}

type WireSignature = { readonly r: string; readonly s: string; readonly v: '00' | '01' }

/** The same call again has no effect. Another one under its protocol id is refused. */
const record = Effect.fnUntraced(function* (
  userId: string,
  wallet: ActiveWallet,
  protocolId: string,
  said: unknown,
  { request, timeoutMs, ...content }: Content,
) {
  yield* requireOptIn
  const session = yield* sessionOf(userId)
  const now = yield* Clock.currentTimeMillis
  const bodyHash = bytesToHex(sha256(utf8ToBytes(JSON.stringify(said))))
  const failpoints = yield* Failpoints
  yield* failpoints.reach('signing.record.before')
  const intent = yield* (yield* Intents).findOrCreate({
    ...content,
    walletId: wallet.id,
    protocolId: protocolId.toLowerCase(),
    sessionId: session.id,
    userId,
    bodyHash,
    createdAt: now,
    expiresAt: now + intentLife,
  })
  yield* failpoints.reach('signing.record.after')
  if (intent.bodyHash !== bodyHash || intent.sessionId !== session.id) return yield* new ProtocolIdUsed()
  const meant = meantBy(intent, { request, payloadClass: request.kind }, protocolOf(wallet.scheme))
  yield* requireOfWallet(meant.request, wallet)
  if (yield* isJudged(wallet.partnerId)) {
    const held = yield* heldFor(wallet, session, userId, intent, { ...meant, timeoutMs })
    if (held !== undefined) return { pendingTransactionId: held.id } satisfies Answer
  }
  return { signature: yield* signatureOf(wallet.id, intent) } satisfies Answer
})

/**
 * The pending transaction, if the policy holds what the call asks for. What it lets through is counted with the run's
 * first frame, which is judged in the same way; a run that was let through is not judged again.
 */
const heldFor = Effect.fnUntraced(function* (
  wallet: ActiveWallet,
  session: SessionRecord,
  userId: string,
  intent: Intent,
  { timeoutMs, ...meant }: Pick<Judged, 'request' | 'payloadClass'> & Pick<Content, 'timeoutMs'>,
) {
  const { protocolId, digest } = intent
  const scheme = protocolOf(wallet.scheme)
  const verdict = yield* (yield* DatabaseTransaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(wallet.id)
      const run = Option.getOrUndefined(yield* (yield* Runs).find({ walletId: wallet.id, protocolId }))
      if (run !== undefined && run.policyVersion !== null) return undefined
      return yield* judged({
        ...meant,
        wallet,
        session,
        userId,
        protocolId,
        scheme,
        digest,
        timeoutMs: timeoutMs ?? reviewTimeoutMs,
        canReview: scheme === 'DKLS',
      })
    }),
  )
  if (verdict?.kind === 'deny') return yield* new DeniedByPolicy()
  return verdict?.kind === 'hold' ? verdict.pending : undefined
})

/** The signature, once the run under this protocol id is done. */
const signatureOf = Effect.fnUntraced(function* (walletId: string, { protocolId, digest }: Intent) {
  const run = Option.getOrUndefined(yield* (yield* Runs).find({ walletId, protocolId }))
  if (run?.scheme !== 'DKLS' || run.finalBody === null || run.digest !== digest) return undefined
  const [r, s] = [bytesToHex(run.finalBody.subarray(0, 32)), bytesToHex(run.finalBody.subarray(32, 64))]
  return { r, s, v: run.finalBody[64] === 1 ? '01' : '00' } as const
})

/** A wallet of the user that can sign now. */
const signable = Effect.fnUntraced(function* (userId: string, walletId: string, bodyWalletId: string | undefined) {
  if (bodyWalletId !== undefined && bodyWalletId !== walletId) return yield* new InvalidWalletParams()
  const session = yield* sessionOf(userId)
  const { supportedWalletTypes: supported } = yield* callersPartner
  const wallet = yield* requireOwned(userId, session.partnerId, walletId)
  yield* Effect.fromResult(WalletSelection.select([wallet], walletId, { user: { userId }, supported }))
  if (!hasKey(wallet)) return yield* new WalletSelection.NoValidWallet()
  return wallet.state === 'BURNED' ? yield* new KeyShareLocked() : wallet
})

const requireScheme = Effect.fnUntraced(function* (wallet: ActiveWallet, scheme: string | null | undefined) {
  if (scheme === undefined || scheme === null || scheme === wallet.scheme) return
  const known = schemes.find((name) => name === scheme)
  if (known === undefined) return yield* new PayloadNotSupported()
  return yield* new WalletSelection.WalletSchemeNotSelectable({ walletId: wallet.id, scheme: wallet.scheme })
})

const fromBase64 = (text: string) =>
  Effect.try({ try: () => base64.decode(text), catch: () => new PayloadNotSupported() })

/** Its run, or a call before this one, is about something else. */
export class ProtocolIdUsed extends Data.TaggedError('ProtocolIdUsed') {
  override readonly message = 'protocol id was used for another request'
}
