/**
 * The jobs that the public client gives to the portal's worker (openapi/README.md#public-client): the client holds the
 * shares as text and says what is signed by calls of its own session. Its wallets pin no root key, and its device key
 * signs frames alone.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as v from 'valibot'
import { equal } from '../crypto/Equal.ts'
import {
  AccountCreationFailed,
  KeyRefreshFailed,
  PrivateKeyExportFailed,
  SigningFailed,
  TransactionSigningFailed,
} from '../model/WalletKeyFailures.ts'
import * as Address from '../model/Address.ts'
import type { ApiError } from '../model/ApiError.ts'
import * as Json from '../model/Json.ts'
import type { KeyGeneration } from '../model/KeyShare.ts'
import { defaultCosmosPrefix, reviewTimeoutMs } from '../model/Limits.ts'
import { parseFunctionType } from '../model/MpcWorker.ts'
import { requireUser } from '../model/Session.ts'
import * as Wallet from '../model/Wallet.ts'
import { InvalidWalletParams } from '../model/WalletReference.ts'
import { InvalidWalletScheme } from '../model/WalletSelection.ts'
import type { WalletType } from '../model/WalletTypes.ts'
import * as Frame from '../mpc/Frame.ts'
import * as ShareText from '../mpc/ShareText.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { generateKey } from './createWallet.ts'
import { Api } from './ports/Api.ts'
import { Locks } from './ports/Locks.ts'
import { RefreshAnswers, type RefreshAnswer } from './ports/RefreshAnswers.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { exchangeStatus, signLock } from './heldShare.ts'
import { confirm, prepareAttempt } from './refreshKeys.ts'
import { beginningAgain, ProtocolAborted, runFailures } from './runProtocol.ts'
import { prepareDeviceKey } from './sessionKeys.ts'
import { withTries } from './sign.ts'
import { signAsked } from './signOnce.ts'
import { currentSession } from './touch.ts'

export type PublicJob = {
  readonly functionType: string
  readonly params: unknown
  readonly cosmosPrefix: string | undefined
}

/** What a job answers: fields as the public client reads them. */
export type PublicResult =
  | KeyGeneration
  | { readonly signature: string }
  | { readonly pendingTransactionId: string }
  | { readonly protocolId: string; readonly signer: string }

/** Registers a device key for the session, which the frames of all its jobs are signed with. */
export const openSession = Effect.gen(function* () {
  const session = yield* currentSession
  yield* Effect.fromResult(requireUser(session))
  yield* prepareDeviceKey(session)
}).pipe(Effect.withSpan('publicClient.openSession'))

export const runJob = Effect.fn('publicClient.runJob')(function* (job: PublicJob) {
  const functionType = yield* Effect.fromResult(parseFunctionType(job.functionType))
  switch (functionType) {
    case 'KEYGEN': {
      const { userId, type = 'EVM' } = yield* read(ofUser, job)
      return yield* generate(userId, type, job.cosmosPrefix)
    }
    case 'ED25519_KEYGEN':
      return yield* generate((yield* read(ofUser, job)).userId, 'SOLANA', undefined)
    case 'PREKEYGEN':
    case 'ED25519_PREKEYGEN':
      return yield* new JobNotImplemented()
    case 'SIGN_MESSAGE': {
      const { message, cosmosSignDoc, ...of } = yield* read(ofMessage, job)
      return yield* signBytes(yield* openShare(of, 'DKLS'), message, cosmosSignDoc ?? undefined)
    }
    case 'ED25519_SIGN': {
      const { base64Bytes, ...of } = yield* read(ofBytes, job)
      return yield* signBytes(yield* openShare(of, 'ED25519'), base64Bytes, undefined)
    }
    case 'SIGN_TRANSACTION':
    case 'SEND_TRANSACTION': {
      const { tx, chainId, ...of } = yield* read(ofTransaction, job)
      const user = yield* openShare(of, 'DKLS')
      return yield* signTransaction(user, { transaction: tx, chainId }, functionType === 'SEND_TRANSACTION')
    }
    case 'REFRESH':
      return yield* refresh(yield* openShare(yield* read(ofShare, job)))
    case 'GET_PRIVATE_KEY':
      return yield* exportKey(yield* openShare(yield* read(ofShare, job)))
  }
})

/** A new wallet. The answer has the share's only text: the client stores it and makes its backups. */
const generate = Effect.fn('publicClient.generate')(function* (
  userId: string,
  type: WalletType,
  cosmosPrefix: string | undefined,
) {
  const api = yield* Api
  const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
  const prefix = cosmosPrefix ?? (yield* currentSession).cosmosPrefix ?? defaultCosmosPrefix
  const made = Effect.gen(function* () {
    const { walletId, protocolId, cosigner } = yield* api.call('createWallet', {
      path: { userId },
      body:
        scheme === 'ED25519'
          ? { scheme, type }
          : { useTwoSigners: true, scheme, type, ...(type === 'COSMOS' ? { cosmosPrefix: prefix } : {}) },
    })
    const { shareText } = yield* generateKey({
      userId,
      type,
      scheme,
      cosmosPrefix: prefix,
      rootPublicKey: none,
      walletId,
      protocolId,
      cosigner: { name: cosigner.name, publicKey: hexToBytes(cosigner.publicKey) },
    }).pipe(Effect.mapError((cause) => new AccountCreationFailed({ type, userId, walletId, cause })))
    return { signer: Redacted.value(shareText), walletId, recoveryShare: null } satisfies KeyGeneration
  })
  return yield* beginningAgain(made)
})

/** The digest of a message, or for Solana the message, in base64. What it means is the client's to say. */
const signBytes = Effect.fn('publicClient.signBytes')(function* (
  user: ShareText.UserShare,
  message: string,
  cosmosSignDoc: string | undefined,
) {
  const { scheme, walletId } = user.share
  const request = { kind: 'blind', digest: bytesToHex(yield* fromBase64(message)) } as const
  const api = yield* Api
  const body = {
    message,
    scheme: scheme === 'ED25519' ? scheme : null,
    ...(cosmosSignDoc === undefined ? {} : { cosmosSignDoc }),
  }
  const ask = (protocolId: string) =>
    api.call('signMessage', { path: { userId: user.userId, walletId }, body: { ...body, protocolId } })
  return yield* signed(user, request, ask, SigningFailed)
})

const signTransaction = Effect.fn('publicClient.signTransaction')(function* (
  user: ShareText.UserShare,
  { transaction, chainId }: { readonly transaction: string; readonly chainId: string },
  send: boolean,
) {
  const bytes = bytesToHex(yield* fromBase64(transaction))
  const asked = { kind: 'transaction', transaction: bytes, chainId, send }
  const request = yield* Effect.fromResult(SigningRequest.read(asked))
  const api = yield* Api
  const path = { userId: user.userId, walletId: user.share.walletId }
  const ask = (protocolId: string) => {
    const body = { transaction, chainId, protocolId }
    return send ? api.call('sendTransaction', { path, body }) : api.call('signTransaction', { path, body })
  }
  return yield* signed(user, request, ask, TransactionSigningFailed)
})

/** Each run has a call of its own before it, which says under the run's id what is signed. */
const signed = Effect.fnUntraced(function* (
  user: ShareText.UserShare,
  request: SigningRequest.SigningRequest,
  call: (protocolId: string) => Effect.Effect<{ readonly pendingTransactionId?: string | undefined }, ApiError>,
  Failed: typeof SigningFailed | typeof TransactionSigningFailed,
) {
  const { scheme, walletId } = user.share
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, scheme))
  const ask = (protocolId: string) =>
    Effect.flatMap(call(protocolId), ({ pendingTransactionId }) =>
      pendingTransactionId === undefined ? Effect.void : Effect.fail(new HeldForReview({ pendingTransactionId })),
    )
  const failed = (cause: unknown) => new Failed({ userId: user.userId, walletId, cause })
  const toSign = { request, payload, timeoutMs: reviewTimeoutMs }
  return yield* withSigningShare(user, (share) => withTries(signAsked(share, toSign, ask))).pipe(
    Effect.map(({ signature }): PublicResult => ({
      signature: scheme === 'ED25519' ? base64.encode(signature) : bytesToHex(signature),
    })),
    Effect.catchTags({
      HeldForReview: pendingOf,
      SignatureHeld: pendingOf,
      ...runFailures(failed),
    }),
  )
})

const pendingOf = ({ pendingTransactionId }: { readonly pendingTransactionId: string }) =>
  Effect.succeed<PublicResult>({ pendingTransactionId })

/** The new share signs from now on. The client stores it and makes its backups. */
const refresh = Effect.fn('publicClient.refresh')(function* (user: ShareText.UserShare) {
  const { share, userId } = user
  const { walletId } = share
  const { wallets } = yield* (yield* Api).call('listWallets', { path: { userId } })
  const address = wallets.find(({ id }) => id === walletId)?.address
  if (typeof address !== 'string' || !isAddressOf(share.publicKey, address)) return yield* new InvalidWalletParams()
  const failed = (cause: unknown) => new KeyRefreshFailed({ userId, walletId, cause })
  const { protocolId, shareText } = yield* withSigningShare(user, (_, unused) =>
    unused === undefined ? renewed(user, address) : Effect.succeed(unused),
  ).pipe(Effect.catchTags(runFailures(failed)))
  return { protocolId, signer: Redacted.value(shareText) }
})

/** The new share is kept before it is confirmed: from then on it alone signs, and its answer may be lost. */
const renewed = Effect.fnUntraced(function* (user: ShareText.UserShare, address: string) {
  const { walletId, rootPublicKey } = user.share
  const { candidate, protocolId } = yield* prepareAttempt({ user, address, rootPublicKey })
  const answer: RefreshAnswer = { protocolId, shareText: candidate.shareText }
  yield* (yield* RefreshAnswers).keep(walletId, answer)
  yield* (yield* ShareStore).promote(walletId, yield* confirm(candidate))
  return answer
})

/** The provider's half goes to a page of the portal alone: the service refuses a session with its own sentence. */
const exportKey = Effect.fn('publicClient.exportKey')(function* ({ share, userId }: ShareText.UserShare) {
  if (share.scheme !== 'DKLS') return yield* new InvalidWalletScheme()
  const { walletId } = share
  yield* (yield* Api).call('getCapsuleShare', { path: { userId, walletId } })
  return yield* new PrivateKeyExportFailed({ userId, walletId })
})

/** The share of a job, which has to be of the wallet, the user and the scheme that the job names. */
const openShare = Effect.fnUntraced(function* (
  { share: text, walletId, userId }: v.InferOutput<typeof ofShare>,
  scheme?: Wallet.Scheme,
) {
  const shareText = Redacted.make(text, { label: 'key share' })
  const user = yield* Effect.fromResult(ShareText.open(shareText))
  const isOfJob = user.share.walletId === walletId && user.userId === userId
  if (!isOfJob || (scheme !== undefined && user.share.scheme !== scheme)) return yield* new InvalidWalletParams()
  return user
})

/**
 * Runs with the share that signs, alone among the tabs. It is the job's, unless a REFRESH replaced that one and the client has
 * not used what it answered.
 */
const withSigningShare = Effect.fnUntraced(function* <A, E, R>(
  user: ShareText.UserShare,
  run: (signing: ShareText.UserShare, unused: RefreshAnswer | undefined) => Effect.Effect<A, E, R>,
) {
  const { walletId } = user.share
  return yield* (yield* Locks).alone(
    signLock(walletId),
    Effect.gen(function* () {
      const unused = yield* unusedAnswer(user)
      const signing = unused === undefined ? user : yield* Effect.fromResult(ShareText.open(unused.shareText))
      // The store keeps an OT record only beside the share that it is of.
      const shareText = ShareText.write(signing)
      yield* (yield* ShareStore).put({ walletId, userId: signing.userId, address: '', shareText })
      return yield* run(signing, unused)
    }),
  )
})

/**
 * The kept answer of the wallet's last REFRESH if its share signs, as the co-signer says under its key. It is dropped once
 * the client has its share, or once that share can never sign.
 */
const unusedAnswer = Effect.fnUntraced(function* (user: ShareText.UserShare) {
  const answers = yield* RefreshAnswers
  const { walletId, shareId } = user.share
  const answer = Option.getOrUndefined(yield* answers.find(walletId))
  if (answer === undefined) return undefined
  const opened = Result.getOrUndefined(ShareText.open(answer.shareText))
  // A share that cannot be read, as one of a later version, counts as none: the co-signer refuses the job's where it does not sign.
  if (opened === undefined) return undefined
  const { share: made } = opened
  if (!equal(made.shareId, shareId)) {
    const status = Frame.decodeWalletStatus(yield* exchangeStatus(user, 'RECONCILE', answer.protocolId))
    if (status === undefined) return yield* new ProtocolAborted({ by: 'client', reason: 'no standing' })
    if (equal(status.shareId, made.shareId)) return answer
    // An attempt that a restored database does not know is in doubt, unless the job's share signs.
    const isUnknown = status.attempt === 'NONE' && !equal(status.shareId, shareId)
    if (status.attempt === 'LIVE' || isUnknown) return undefined
  }
  yield* answers.drop(walletId)
  return undefined
})

/** Whatever the prefix of a Cosmos address is. */
const isAddressOf = (publicKey: Uint8Array, address: string): boolean => {
  if (publicKey.length === 32) return Address.solana(publicKey) === address
  if (address.startsWith('0x')) return Address.evm(publicKey) === address
  const prefix = address.slice(0, address.lastIndexOf('1'))
  return Address.isCosmosPrefix(prefix) && Address.cosmos(publicKey, prefix) === address
}

const read = <A>(form: Json.Schema<A>, { params }: PublicJob) => {
  const found = Json.check(form, params)
  return found === undefined ? Effect.fail(new InvalidWalletParams()) : Effect.succeed(found)
}

const fromBase64 = (text: string) =>
  Effect.try({
    try: () => base64.decode(text),
    catch: () => new SigningRequest.PayloadRefused({ reason: 'malformed' }),
  })

const text = v.pipe(v.string(), v.nonEmpty())
const ofUser = v.object({ userId: text, type: v.optional(v.picklist(['EVM', 'COSMOS'])) })
const ofShare = v.object({ share: text, walletId: text, userId: text })
const ofMessage = v.object({ ...ofShare.entries, message: text, cosmosSignDoc: v.nullish(text) })
const ofBytes = v.object({ ...ofShare.entries, base64Bytes: text })
const ofTransaction = v.object({ ...ofShare.entries, tx: text, chainId: text })

const none = new Uint8Array(0)

/** A person has to accept it first: the client opens the review page of this id. */
class HeldForReview extends Data.TaggedError('HeldForReview')<{ readonly pendingTransactionId: string }> {
  override readonly message = 'held for review'
}

/** There are no pregenerated wallets yet. */
class JobNotImplemented extends Data.TaggedError('JobNotImplemented') {
  override readonly message = 'not implemented'
}
