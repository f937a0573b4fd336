/** The flow of each verb, from an app's inputs to an app's results. They are loaded with the first of them. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Result from 'effect/Result'
import { fromHex } from '../../domain/crypto/Hex.ts'
import * as AccountEntry from '../../domain/client/accountEntry.ts'
import { createWallet } from '../../domain/client/createWallet.ts'
import { exportPrivateKey } from '../../domain/client/exportPrivateKey.ts'
import { logout } from '../../domain/client/logout.ts'
import { stopRecovery } from '../../domain/client/recovery/cancelRecovery.ts'
import { preSignMessage } from '../../domain/client/preSignMessage.ts'
import { refreshKeys } from '../../domain/client/refreshKeys.ts'
import { refreshSession } from '../../domain/client/refreshSession.ts'
import { sendCosmosTransaction } from '../../domain/client/sendCosmosTransaction.ts'
import { sendSolanaTransaction } from '../../domain/client/sendSolanaTransaction.ts'
import { passkeySetup, passwordSetup, setUpCredential } from '../../domain/client/setUpCredential.ts'
import { createShortLink } from '../../domain/client/shortLink.ts'
import * as Sign from '../../domain/client/sign.ts'
import { signCosmos } from '../../domain/client/signCosmos.ts'
import { signSolanaTransaction } from '../../domain/client/signSolanaTransaction.ts'
import { tellTabs } from '../../domain/client/tabNews.ts'
import { getToken, keepSessionAlive, touch } from '../../domain/client/touch.ts'
import * as Transfer from '../../domain/client/transferSession.ts'
import * as Users from '../../domain/client/users.ts'
import { findWallet, listOwnWallets } from '../../domain/client/wallets.ts'
import { RawHashSigningNotImplemented } from '../../domain/model/Account.ts'
import * as Signature from '../../domain/model/Signature.ts'
import { PayloadRefused } from '../../domain/mpc/SigningRequest.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { takeReturned } from './returned.ts'
import type { makeRuntime } from './runtime.ts'
import type { SdkErrorCode } from './SdkError.ts'
import type {
  ByEmail,
  CosmosSignature,
  InputOf,
  MessageSignature,
  ResultOf,
  SentTransaction,
  SignMessageInput,
  SolanaSignature,
  TransactionInput,
  TransactionSignature,
  VerbName,
} from './verbs.ts'

export { awaitPortalSession } from '../../domain/client/accountEntry.ts'
export { resumeWallets } from '../../domain/client/createWallet.ts'

/** Everything that a page's runtime provides. */
export type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

/** Each error is named by its code. Those of ApiError are the service's. */
type Failure = { readonly _tag: SdkErrorCode | 'ApiError' }

type Flows = {
  readonly [Name in VerbName]: (...input: InputOf<Name>) => Effect.Effect<ResultOf<Name>, Failure, Services>
}

export const flows: Flows = {
  checkUserExists: (identity) => Users.checkUserExists(emailOf(identity)),
  createUser: (identity) => Users.createUser(emailOf(identity)),
  /** Afterwards touch names the user. */
  verifyEmail: (code) => Effect.asVoid(Effect.andThen(Users.verifyEmail(code), touch(false))),
  resendVerificationCode: () => Users.resendVerificationCode(),
  getSupportedAuthMethods: (identity) => Users.getSupportedAuthMethods(emailOf(identity)),
  setUpPassword: () => Effect.andThen(setUpCredential(passwordSetup), AccountEntry.finishSetup()),
  setUpPasskey: () => Effect.andThen(setUpCredential(passkeySetup), AccountEntry.finishSetup()),
  finishSetup: () => AccountEntry.finishSetup(),
  login: ({ email, ...login }) => AccountEntry.enter(emailOf({ email }), login),
  resume: () =>
    Effect.suspend(() => {
      const address = takeReturned()
      return address === undefined
        ? AccountEntry.resume()
        : Effect.andThen(AccountEntry.receive(address), AccountEntry.resume())
    }),
  isSessionActive: () => Effect.map(touch(false), ({ isAuthenticated }) => isAuthenticated),
  keepSessionAlive: () => keepSessionAlive(),
  getToken: () => getToken(),
  logout: (options) => logout(options),
  cancelRecovery: () => stopRecovery(),
  getWallets: () => listOwnWallets(),
  findWallet: ({ address }) => findWallet(address),
  createWallet: (wallet = {}) => Effect.tap(createWallet(wallet), tellTabs({ type: 'wallets' })),
  refreshKeys: (wallet) => refreshKeys(wallet?.walletId),
  exportPrivateKey: (wallet) => exportPrivateKey(wallet?.walletId),
  signMessage: (input) => Effect.map(Sign.signMessage(input, messageOf(input)), toMessageSignature),
  signTypedData: (input) => Effect.map(Sign.signTypedData(input, input.typedData), toEthereumSignature),
  signAuthorization: ({ address, chainId, nonce, ...signing }) =>
    Effect.map(
      Sign.signAuthorization(signing, { address, chainId: String(chainId), nonce: String(nonce) }),
      (signed) => ({ address, chainId, nonce, ...toScalars(signed) }),
    ),
  signTransaction: (input) =>
    Effect.flatMap(unsigned(input), (transaction) =>
      Effect.map(Sign.signTransaction(input, transaction), toTransactionSignature),
    ),
  sendTransaction: (input) =>
    Effect.flatMap(unsigned(input), (transaction) =>
      Effect.map(Sign.sendTransaction(input, transaction), toSentTransaction),
    ),
  signSolanaTransaction: ({ message, ...signing }) =>
    Effect.map(signSolanaTransaction(signing, message), toSolanaSignature),
  sendSolanaTransaction: (input) =>
    Effect.map(sendSolanaTransaction(input, input), ({ transaction, transactionHash, ...signed }) => ({
      ...toSolanaSignature(signed),
      transaction,
      transactionHash,
    })),
  signCosmosDirect: (input) =>
    Effect.map(signCosmos(input, { kind: 'cosmosDirect', document: input.signDoc }), (signed) =>
      toCosmosSignature(input.signDoc, signed),
    ),
  signCosmosAmino: (input) =>
    Effect.map(signCosmos(input, { kind: 'cosmosAmino', document: input.signDoc }), (signed) =>
      toCosmosSignature(input.signDoc, signed),
    ),
  sendCosmosTransaction: (input) =>
    Effect.map(sendCosmosTransaction(input, input.signDoc), ({ transaction, transactionHash, ...signed }) => ({
      ...toCosmosSignature(input.signDoc, signed),
      transaction,
      transactionHash,
    })),
  preSignMessage: (input) => preSignMessage(input, input),
  signRawHash: () => Effect.fail(new RawHashSigningNotImplemented()),
  exportSession: (options) => Transfer.exportSession(options),
  /** The other tabs have the same session then. */
  importSession: (text) =>
    Effect.andThen(Transfer.importSession(text), Effect.andThen(refreshSession(), tellTabs({ type: 'signed-in' }))),
  createShortLink: (link) => createShortLink(link),
}

/** A redirect's result is handled once: by the page's start or by the first call. */
export const resumeFromRedirect = () =>
  Effect.suspend(() => {
    const address = takeReturned()
    return address === undefined ? Effect.void : AccountEntry.resumeFromRedirect(address)
  })

const emailOf = ({ email }: ByEmail) => ({ kind: 'email', email }) as const

/** The bytes to sign; text becomes UTF-8. */
const messageOf = ({ message }: SignMessageInput): Uint8Array =>
  typeof message === 'string' ? utf8ToBytes(message) : message

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

const toMessageSignature = ({ wallet, signature }: Signed): MessageSignature => {
  const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
  if (wallet.scheme === 'ED25519') return { ...common, signature: base64.encode(signature) }
  const parts = Result.getOrThrow(Signature.fromBytes(signature))
  return {
    ...common,
    signature: Signature.toHex(parts),
    ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
  }
}

/** The transaction's bytes, and its chain id as decimal text. */
const unsigned = ({ transaction, chainId }: TransactionInput) => {
  const bytes = typeof transaction === 'string' ? fromHex(transaction.replace(/^0x/, '').toLowerCase()) : transaction
  return bytes === undefined
    ? Effect.fail(new PayloadRefused({ reason: 'malformed' }))
    : Effect.succeed<Sign.UnsignedTransaction>({ transaction: bytes, chainId: String(chainId) })
}

const toEthereumSignature = ({ signature }: Signed) =>
  Signature.toEthereumHex(Result.getOrThrow(Signature.fromBytes(signature)))

const toScalars = ({ signature }: Signed) => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  return { r: toHex(r), s: toHex(s), yParity: v }
}

const toTransactionSignature = (signed: Signed): TransactionSignature => ({
  walletId: signed.wallet.id,
  address: signed.wallet.address ?? '',
  ...toScalars(signed),
})

const toSentTransaction = (sent: Signed & { readonly transactionHash: Uint8Array }): SentTransaction => ({
  ...toTransactionSignature(sent),
  transactionHash: toHex(sent.transactionHash),
})

const toSolanaSignature = ({ wallet, signature }: Signed): SolanaSignature => ({
  walletId: wallet.id,
  address: wallet.address ?? '',
  signature: base58.encode(signature),
  bytes: signature,
})

const toCosmosSignature = <Document>(
  signed: Document,
  { publicKey, signature }: { readonly publicKey: Uint8Array; readonly signature: Uint8Array },
): CosmosSignature<Document> => ({
  signed,
  signature: {
    pub_key: { type: 'tendermint/PubKeySecp256k1', value: base64.encode(publicKey) },
    signature: base64.encode(signature.subarray(0, 64)),
  },
})

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
