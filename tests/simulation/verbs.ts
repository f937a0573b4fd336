/** What people do, each as one flow of the SDK on one tab. */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import * as Result from 'effect/Result'
import * as Schedule from 'effect/Schedule'
import { finishSetup } from '../../domain/client/accountEntry.ts'
import { enrolDevice } from '../../domain/client/enrolDevice.ts'
import { passwordSetup, setUpCredential } from '../../domain/client/setUpCredential.ts'
import { createUser, verifyEmail } from '../../domain/client/users.ts'
import { createWallet, resumeWallets } from '../../domain/client/createWallet.ts'
import { exportPrivateKey } from '../../domain/client/exportPrivateKey.ts'
import { forgetSession } from '../../domain/client/forgetSession.ts'
import { KeyShareNotLoaded, ShareStore } from '../../domain/client/ports/ShareStore.ts'
import { login } from '../../domain/client/login.ts'
import { logout } from '../../domain/client/logout.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import { openBackups } from '../../domain/client/recovery/openBackups.ts'
import { recoverWallets } from '../../domain/client/recovery/recoverWallets.ts'
import { renewCredential } from '../../domain/client/recovery/renewCredential.ts'
import { startRecovery, verifyRecovery } from '../../domain/client/recovery/startRecovery.ts'
import { forgetRecovery } from '../../domain/client/recovery/unacknowledgedSecret.ts'
import { asked } from '../../domain/client/otherRequests.ts'
import { signLock } from '../../domain/client/heldShare.ts'
import { refresh } from '../../domain/client/refreshKeys.ts'
import { sign } from '../../domain/client/sign.ts'
import { signOnce, type Signed } from '../../domain/client/signOnce.ts'
import { currentSession } from '../../domain/client/touch.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import { selectWallet } from '../../domain/client/selectWallet.ts'
import { listWallets } from '../../domain/client/wallets.ts'
import * as CosmosMessage from '../../domain/model/CosmosMessage.ts'
import { isSilence } from '../../domain/model/ApiError.ts'
import { BackupDecryptionFailed } from '../../domain/model/KeyShare.ts'
import { reviewTimeoutMs } from '../../domain/model/Limits.ts'
import type { Scheme } from '../../domain/mpc/Scheme.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../domain/mpc/TypedData.ts'

export const text = (words: string): SigningRequest.SigningRequest => ({
  kind: 'eip191',
  message: bytesToHex(utf8ToBytes(words)),
})

/** EIP-1559, chain 1, to the zero address: 1 wei. */
export const transaction = {
  kind: 'transaction',
  transaction: `02df0180010182520894${'00'.repeat(20)}0180c0`,
  chainId: '1',
  send: false,
} satisfies SigningRequest.SigningRequest

/** The same, which the service sends. */
export const sentTransaction = { ...transaction, send: true } satisfies SigningRequest.SigningRequest

/** Another one of the same nonce: 2 wei. */
export const otherSentTransaction = {
  ...sentTransaction,
  transaction: sentTransaction.transaction.replace(/0180c0$/, '0280c0'),
} satisfies SigningRequest.SigningRequest

/** A permit, as tokens have it. */
export const permit: SigningRequest.SigningRequest = {
  kind: 'eip712',
  typedData:
    TypedData.read({
      types: {
        Permit: [
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      domain: { name: 'Coin', chainId: 1 },
      message: { spender: `0x${'00'.repeat(20)}`, value: 1 },
    })?.text ?? '',
}

/** EIP-7702: the account acts by the code at an address. */
export const authorization: SigningRequest.SigningRequest = {
  kind: 'authorization',
  address: '11'.repeat(20),
  chainId: '1',
  nonce: '0',
}

/** One instruction of no effect, whose fee this key pays. */
const solanaTransaction = (payer: Uint8Array): SigningRequest.SigningRequest => {
  const [header, program, blockhash] = [Uint8Array.of(1, 0, 1), new Uint8Array(32), new Uint8Array(32).fill(7)]
  const instruction = Uint8Array.of(1, 1, 1, 0, 0)
  const message = concatBytes(header, Uint8Array.of(2), payer, program, blockhash, instruction)
  return { kind: 'solanaTransaction', message: bytesToHex(message) }
}

/** A transfer of nothing, whose signer's key is left to the chain. */
const cosmosDirect = (fromAddress: string): SigningRequest.SigningRequest => {
  const value = MsgSend.encode(MsgSend.fromPartial({ fromAddress, toAddress: fromAddress })).finish()
  const body = TxBody.fromPartial({ messages: [{ typeUrl: MsgSend.typeUrl, value }] })
  const signerInfos = [{ modeInfo: { single: { mode: 1 } } }]
  const signDoc = CosmosMessage.directBytes({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ signerInfos, fee: {} })).finish(),
    chainId: 'cosmoshub-4',
    accountNumber: 1,
  })
  return { kind: 'cosmosDirect', signDoc: bytesToHex(signDoc ?? new Uint8Array(0)) }
}

/** The types of wallets of which the sign-up made none. */
export type OtherType = 'SOLANA' | 'COSMOS'

/** A message, or a transaction, of this wallet. */
export const signingOf = (walletId: string, type: OtherType, isTransaction: boolean) =>
  Effect.gen(function* () {
    const address = (yield* selectWallet(walletId)).address ?? ''
    const words = utf8ToBytes('hello')
    const { share } = yield* heldShare(walletId)
    const of = {
      SOLANA: () =>
        isTransaction
          ? solanaTransaction(share.publicKey)
          : ({ kind: 'solanaMessage', message: bytesToHex(words) } as const),
      COSMOS: () =>
        isTransaction
          ? cosmosDirect(address)
          : ({ kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(address, words)) } as const),
    }
    return { walletId, ...(yield* signing(walletId, of[type]())) }
  })

/** A person sends it again who was told that it is not known whether it was sent. */
export const sendingAgain = (walletId: string, request: SigningRequest.SigningRequest) =>
  Effect.retry(signing(walletId, request), {
    schedule: Schedule.spaced('3 seconds'),
    times: 2,
    while: ({ _tag }) => _tag === 'TransactionNotSent',
  })

const digest = 'ab'.repeat(32)

/** `timeoutMs`: how long a review may take, if a policy holds it. */
export const signing = (walletId: string, request: SigningRequest.SigningRequest, timeoutMs = reviewTimeoutMs) =>
  Effect.map(
    sign(walletId, asked(request), { kind: 'SIGN_MESSAGE_REVIEW', timeoutMs }),
    ({ signature, transactionHash }) => ({
      request,
      signature,
      transactionHash,
    }),
  )

/** A bare digest, as other clients sign it: beside the first frame goes the call that says what it is (`signing.ts`). */
export const signingDigest = (walletId: string) =>
  Effect.gen(function* () {
    const cosigner = yield* Cosigner
    const { call } = yield* Api
    const { userId } = yield* currentSession
    const exchange: Cosigner['Service']['exchange'] = (bytes) => {
      const frame = MpcFrame.decode(bytes)?.frame
      if (frame?.operation !== 'SIGN' || frame.step !== 1) return cosigner.exchange(bytes)
      const message = Buffer.from(digest, 'hex').toString('base64')
      const path = { userId: userId ?? '', walletId }
      const told = Effect.ignore(call('signMessage', { path, body: { message, protocolId: frame.protocolId } }))
      return Effect.map(Effect.all([cosigner.exchange(bytes), told], { concurrency: 2 }), ([answer]) => answer)
    }
    return yield* Effect.provideService(signing(walletId, { kind: 'blind', digest }), Cosigner, {
      ...cosigner,
      exchange,
    })
  })

export type SignedRequest = { readonly request: SigningRequest.SigningRequest } & Pick<Signed, 'signature'>

export type SentRequest = SignedRequest & { readonly transactionHash: Uint8Array | undefined }

export const refreshing = (walletId: string) =>
  Effect.flatMap(Locks, ({ alone }) => alone(signLock(walletId), refresh(walletId)))

/** An app asks for it again where no answer came: the attempt before may be anywhere. */
export const refreshingAgain = (walletId: string) =>
  Effect.retry(refreshing(walletId), { schedule: Schedule.spaced('3 seconds'), times: 3, while: isSilence })

/** As a page that opens: it lists the wallets, and finishes what is unfinished. */
export const resuming = Effect.andThen(Effect.ignore(listWallets()), resumeWallets())

const heldShare = Effect.fnUntraced(function* (walletId: string) {
  const held = Option.getOrUndefined(yield* (yield* ShareStore).find(walletId))
  if (held === undefined) return yield* new KeyShareNotLoaded({ walletId })
  return yield* Effect.fromResult(ShareText.open(held.shareText))
})

/** As a device does whose OT state was deleted. */
export const enrolling = (walletId: string) =>
  Effect.flatMap(Locks, ({ alone }) => alone(signLock(walletId), Effect.flatMap(heldShare(walletId), enrolDevice)))

export const loggingIn = (email: string) => login({ kind: 'email', email }, { method: 'PASSWORD' })

export const loggingOut = logout()

/** Although shares may be lost with it. */
export const leaving = logout({ evenWithoutBackup: true })

/** Another wallet of the user, of a type that the sign-up made none of, and its first signature. */
export const makingWallet = (type: OtherType, isTransaction = false) =>
  Effect.flatMap(createWallet({ type }), ({ walletId }) => signingOf(walletId, type, isTransaction))

/** One more of the type that the sign-up made. */
export const makingSecondWallet = createWallet({ type: 'EVM' })

/** The page ends it as well without a key, for whatever reason: it is the host that ends then as if nothing had failed. */
export const exporting = (walletId: string) =>
  Effect.filterOrFail(
    exportPrivateKey(walletId),
    (ended) => ended === 'accepted',
    () => new ExportCancelled(),
  )

class ExportCancelled extends Data.TaggedError('ExportCancelled') {}

/** The last code that came to each address. */
export type Mailbox = { readonly get: (email: string) => string | undefined }

/** A person looks for the code of a mail that comes at once, or with the outbox's worker; at last for the one that they have. */
const codeIn = (mailbox: Mailbox, email: string, before: string | undefined) =>
  Effect.suspend(() => {
    const code = mailbox.get(email)
    return code === before ? Effect.fail(new NoMail()) : Effect.succeed(code ?? '')
  }).pipe(
    Effect.retry({ schedule: Schedule.spaced('3 seconds'), times: 10 }),
    Effect.orElseSucceed(() => before ?? ''),
  )

class NoMail extends Data.TaggedError('NoMail') {}

export const signingUp = (email: string, mailbox: Mailbox) =>
  Effect.gen(function* () {
    const before = mailbox.get(email)
    yield* createUser({ kind: 'email', email })
    yield* verifyEmail(yield* codeIn(mailbox, email, before))
    return yield* Effect.andThen(setUpCredential(passwordSetup), finishSetup())
  })

/** A person presses the button of a failed step again. */
const patiently = Effect.retry({ schedule: Schedule.spaced('3 seconds'), times: 3 })

/**
 * Every step of the recovery page, for a person who keeps their secret. Gives the new one. `leaves`: the person goes on without
 * wallets that do not open; `shown`: told of the new secret before the page forgets it.
 */
export const recovering = (
  email: string,
  secret: string,
  mailbox: Mailbox,
  leaves: boolean,
  shown: (secret: string) => void,
) =>
  Effect.gen(function* () {
    const before = mailbox.get(email)
    yield* patiently(startRecovery(email))
    const recoverable = yield* verifyRecovery(email, yield* codeIn(mailbox, email, before))
    const opening = Effect.filterOrElse(
      openBackups(recoverable, secret),
      ({ leftBehind }) => leaves || leftBehind.length === 0,
      ({ leftBehind }) => Effect.fail(leftBehind[0]?.cause ?? new BackupDecryptionFailed()),
    )
    const backups = yield* patiently(opening)
    const owner = { userId: backups.userId, identity: { kind: 'email', email } as const }
    yield* patiently(renewCredential(passwordSetup, owner))
    const prepared = yield* Ref.make<ReadonlySet<string>>(new Set<string>())
    const { secret: renewed } = yield* patiently(recoverWallets(backups, prepared))
    shown(renewed)
    yield* forgetRecovery(renewed)
    yield* forgetSession()
    return renewed
  })

/** One run without the care that the SDK takes: what a cheater does. */
export const signingOnce = (walletId: string, request: SigningRequest.SigningRequest) =>
  Effect.gen(function* () {
    const share = yield* heldShare(walletId)
    const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, share.share.scheme))
    return yield* signOnce(share, { request, payload, timeoutMs: reviewTimeoutMs })
  })

export const schemeOf = ({ kind }: SigningRequest.SigningRequest): Scheme =>
  kind === 'solanaMessage' || kind === 'solanaTransaction' ? 'ED25519' : 'DKLS'

export const messageOf = (request: SigningRequest.SigningRequest): Uint8Array =>
  Result.match(SigningRequest.payloadDigest(request, schemeOf(request)), {
    onFailure: () => new Uint8Array(0),
    onSuccess: ({ message }) => message,
  })
