/**
 * The SDK's verbs. The class of the SDK, its engine and the hooks of React are derived from this table, and flows.ts has
 * the flow of each.
 */
import type { Entered, Resumed } from '../../domain/client/accountEntry.ts'
import type { NewWallet } from '../../domain/client/createWallet.ts'
import type { PrivateKeyExport } from '../../domain/client/exportPrivateKey.ts'
import type { Login } from '../../domain/client/login.ts'
import type { Logout } from '../../domain/client/logout.ts'
import type { Step } from '../../domain/client/ports/Progress.ts'
import type { PreSigned } from '../../domain/client/preSignMessage.ts'
import type { AccountSetup } from '../../domain/client/setUpAccount.ts'
import type { AminoDocument, DirectDocument } from '../../domain/model/CosmosMessage.ts'
import type { AuthMethod } from '../../domain/model/Credential.ts'
import type { TrackedMethod } from '../../domain/model/Diagnostics.ts'
import type { KeyGeneration } from '../../domain/model/KeyShare.ts'
import type { Kind } from '../../domain/model/Popup.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'

/** The last argument of every verb: cancellation and progress. */
export type CallOptions = {
  readonly signal?: AbortSignal
  /** Called with each step when it begins. */
  readonly onProgress?: (step: Step) => void
}

/** An e-mail address, as the verbs take it. */
export type ByEmail = { readonly email: string }

/** Without `walletId` it is the first usable one of the current wallets. */
export type OfWallet = { readonly walletId?: string }

export type Signing = OfWallet & {
  /**
   * How long a review may take where a policy asks for one, in milliseconds: within 1 s and 10 min, by default 30 s. The
   * step 'reviewing' of `onProgress` names the review's page.
   */
  readonly timeoutMs?: number
}

export type SignMessageInput = Signing & {
  /** Text is signed as UTF-8. */
  readonly message: string | Uint8Array
}

/** A signature over a message. Wallets of EVM and Cosmos have r, s and v; Solana's is 64 bytes in base64. */
export type MessageSignature = {
  readonly walletId: string
  readonly address: string
  /** EVM and Cosmos: r 64, s 64 and v 2 hexadecimal digits, v being 00 or 01. Solana: base64. */
  readonly signature: string
  /** EVM: the same with 0x and v as 1b or 1c, as Ethereum's tools expect it. */
  readonly ethereumSignature?: `0x${string}`
  /** What `signature` spells: r ‖ s ‖ v in 65 bytes, v being 0 or 1; Solana: 64 bytes. */
  readonly bytes: Uint8Array
}

export type TypedDataInput = Signing & {
  /**
   * EIP-712, as Ethereum's tools have it. Integers are numbers up to 2^53, bigints or text; without `EIP712Domain` it is
   * made of the domain's fields.
   */
  readonly typedData: {
    readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[] | undefined>>
    readonly primaryType: string
    readonly domain?: object | undefined
    readonly message: object
  }
}

export type AuthorizationInput = Signing & {
  /** The contract whose code acts for the account; the zero address revokes. */
  readonly address: `0x${string}`
  /** Never 0, which would mean every chain. */
  readonly chainId: number
  /** The account's own; one more where the account itself sends the transaction that brings the authorization. */
  readonly nonce: number
}

/** As transactions of type 4 take it. Scalars are 32 bytes in hexadecimal digits with 0x. */
export type SignedAuthorization = Omit<AuthorizationInput, keyof Signing> & {
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}

export type TransactionInput = Signing & {
  /** Serialised and not signed: bytes, or hexadecimal digits with or without 0x. */
  readonly transaction: string | Uint8Array
  /** Decimal, and the same as in the transaction. */
  readonly chainId: string | number | bigint
}

/** Scalars are 32 bytes in hexadecimal digits with 0x; `yParity` is v as 0 or 1. */
export type TransactionSignature = {
  readonly walletId: string
  readonly address: string
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}

export type SolanaTransactionInput = Signing & {
  /** What the signers of a transaction sign, legacy or version 0: its message, without signatures. */
  readonly message: Uint8Array
}

/** The 64 bytes of a signature, and the same in base58, as Solana's tools show it. */
export type SolanaSignature = {
  readonly walletId: string
  readonly address: string
  readonly signature: string
  readonly bytes: Uint8Array
}

export type SolanaSendInput = Signing & {
  /**
   * A transaction as the network has it, legacy or version 0, as `serialize` of web3.js and the encoder of kit write it:
   * with the signatures of all other signers. In the wallet's place are zeros.
   */
  readonly transaction: Uint8Array
  /** CAIP-2, under which the operator has named the cluster's node: `solana:mainnet`. */
  readonly chainId: string
}

/** A transaction of Solana or Cosmos that was sent. */
export type Sent = {
  /** With all signatures, as the network has it. The same bytes may be sent again: a chain executes them once. */
  readonly transaction: Uint8Array
  /** By which the chain names it. Solana: the first signature in base58; Cosmos: the SHA-256 in upper-case hex. */
  readonly transactionHash: string
}

export type SentSolanaTransaction = SolanaSignature & Sent

export type OfCosmosWallet = Signing & {
  /** The wallet's address under the prefix. */
  readonly signerAddress: string
  /** Of the chain's addresses; by default the wallet's. */
  readonly prefix?: string
}

export type CosmosDirectInput = OfCosmosWallet & { readonly signDoc: DirectDocument }
export type CosmosAminoInput = OfCosmosWallet & { readonly signDoc: AminoDocument }

/** As a signer of cosmjs answers: the document as it came, and r and s in base64 with the public key. */
export type CosmosSignature<Document> = {
  readonly signed: Document
  readonly signature: {
    readonly pub_key: { readonly type: 'tendermint/PubKeySecp256k1'; readonly value: string }
    readonly signature: string
  }
}

export type SentCosmosTransaction = CosmosSignature<DirectDocument> & Sent

export type PreSignMessageInput = Signing & PreSigned

/** The run under `protocolId` may begin, is held for review, or has signed already (DKLS). */
export type PreSignedMessage = {
  readonly walletId: string
  readonly protocolId: string
  readonly pendingTransactionId?: string
  readonly signature?: { readonly r: string; readonly s: string; readonly v: '00' | '01' }
}

/** The hash is 32 bytes in hexadecimal digits with 0x. */
export type SentTransaction = TransactionSignature & { readonly transactionHash: `0x${string}` }

/**
 * What each verb takes, at most one input before the options of the call, and what it gives. A call that fails rejects
 * with an `SdkError`, whose `code` says why: 'OperationTimedOut' when it took longer than the verb may take,
 * 'ConnectionCanceled' when its signal was aborted, 'InvalidInput' when an argument has another type.
 */
export interface Verbs {
  /** Whether a user with this e-mail address can log in. Always true when the partner's strict mode hides it. */
  checkUserExists(identity: ByEmail, call?: CallOptions): Promise<boolean>

  /** Signs a user up by an e-mail address, to which a code is mailed. Returns the user's id. */
  createUser(identity: ByEmail, call?: CallOptions): Promise<string>

  /** Proves the e-mail address by the mailed code. */
  verifyEmail(code: string, call?: CallOptions): Promise<void>

  /** Mails another code; the one before is no longer valid. */
  resendVerificationCode(call?: CallOptions): Promise<void>

  /** The credentials with which the user can log in. */
  getSupportedAuthMethods(identity: ByEmail, call?: CallOptions): Promise<readonly AuthMethod[]>

  /**
   * Opens the portal, in which a verified user makes a password, and then creates a wallet of each supported type. The
   * recovery secret opens the user's half of the keys: show it once, store it nowhere and send it nowhere. Call it in a
   * click, and await nothing before. Where the browser opens no window it fails with `PopupBlocked`, whose `continueUrl`
   * a link may follow.
   */
  setUpPassword(call?: CallOptions): Promise<AccountSetup>

  /** The same with a passkey, which the user's device keeps. It works on pages of this portal only. */
  setUpPasskey(call?: CallOptions): Promise<AccountSetup>

  /** Makes the wallets that an interrupted sign-up left out, for a session that 'needs-setup'. */
  finishSetup(call?: CallOptions): Promise<AccountSetup>

  /**
   * Opens the portal, in which the user logs in, by default with a passkey where there is one; brings the key shares to
   * this device. Call it in a click, and await nothing before. Where the browser opens no window it fails with
   * `PopupBlocked`, whose `continueUrl` a link may follow. While another user is signed in it fails with
   * `OtherAccountSignedIn` and opens no page.
   */
  login(user: ByEmail & Login, call?: CallOptions): Promise<Entered>

  /**
   * Waits for the end of what was begun at the portal before this page was loaded, or by a followed link. Returns what
   * it was, or `null`. A page does this by itself as soon as its session has a subscriber.
   */
  resume(call?: CallOptions): Promise<Resumed>

  /** Whether a user is signed in. */
  isSessionActive(call?: CallOptions): Promise<boolean>

  /** Extends the session; false on any failure. */
  keepSessionAlive(call?: CallOptions): Promise<boolean>

  /**
   * A JWT of the session for the app's own server, which verifies it by the published keys. It is valid for five minutes:
   * ask for one for each request, or each time before one is over.
   */
  getToken(call?: CallOptions): Promise<string>

  /** Ends the session and deletes its key shares from this device. Refuses to delete the only copy of one. */
  logout(options?: Logout, call?: CallOptions): Promise<void>

  /**
   * Cancels a recovery of the signed-in account that a mail has announced and its user did not begin. The answer is the
   * same when there was none.
   */
  cancelRecovery(call?: CallOptions): Promise<void>

  /** The user's wallets of the app's types; `address` is null until the key of a wallet was generated. */
  getWallets(call?: CallOptions): Promise<readonly Wallet[]>

  /**
   * The user's wallet with this address: of EVM in any case, of Cosmos under the wallet's own prefix. Fails with
   * `WalletAddressNotFound` where none of the app's types has it on this device.
   */
  findWallet(wallet: { readonly address: string }, call?: CallOptions): Promise<Wallet>

  /**
   * Makes a wallet of a type, also where the user has one. After a failure the same call continues where it can.
   * Concurrent calls make one wallet and all return it.
   */
  createWallet(wallet?: NewWallet, call?: CallOptions): Promise<KeyGeneration>

  /**
   * Makes new key shares for a wallet; its key and address stay. The shares of all other devices are out of date
   * afterwards, and those devices have to log in again.
   */
  refreshKeys(wallet?: OfWallet, call?: CallOptions): Promise<void>

  /**
   * Opens the portal, in which the user exports the private key of a DKLS wallet. Only that page shows the key; the app
   * never gets it. Returns 'accepted' when the page had the key to show, else 'cancelled'. Call it in a click, and await
   * nothing before. Where the browser opens no window it fails with `PopupBlocked`.
   */
  exportPrivateKey(wallet?: OfWallet, call?: CallOptions): Promise<PrivateKeyExport>

  /** Signs text or bytes: EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. */
  signMessage(input: SignMessageInput, call?: CallOptions): Promise<MessageSignature>

  /** Signs typed data (EIP-712). The answer is r, s and v with 0x, v being 1b or 1c. EVM wallets only. */
  signTypedData(input: TypedDataInput, call?: CallOptions): Promise<`0x${string}`>

  /** Signs that the code of a contract acts for the account on one chain (EIP-7702). EVM wallets only. */
  signAuthorization(input: AuthorizationInput, call?: CallOptions): Promise<SignedAuthorization>

  /** Signs a serialised EVM transaction, which the app sends itself. */
  signTransaction(input: TransactionInput, call?: CallOptions): Promise<TransactionSignature>

  /**
   * Signs a serialised EVM transaction and has the service send it. The same transaction takes effect once, because it
   * uses up its nonce: a second call answers the hash of the one that was sent. If it is not known whether it was sent,
   * the call fails with `TransactionNotSent`. Where a policy asks for a review it fails at once with
   * `TransactionReviewError`, whose `transactionReviewUrl` is the page to open: once it is accepted there, the same call
   * sends the transaction.
   */
  sendTransaction(input: TransactionInput, call?: CallOptions): Promise<SentTransaction>

  /** Signs the message of a Solana transaction. The wallet may be any of its signers. */
  signSolanaTransaction(input: SolanaTransactionInput, call?: CallOptions): Promise<SolanaSignature>

  /**
   * Signs a Solana transaction and has the service send it. The same transaction takes effect once, also if this is
   * called again. If it is not known whether it was sent, it fails with `SendingUnclear`, which has the signed
   * `transaction` and its `transactionHash`; 'transaction refused: …' is the node's reason. A review it treats as
   * `sendTransaction`.
   */
  sendSolanaTransaction(input: SolanaSendInput, call?: CallOptions): Promise<SentSolanaTransaction>

  /** Signs a protobuf document of Cosmos, as `signDirect` of a signer of cosmjs. */
  signCosmosDirect(input: CosmosDirectInput, call?: CallOptions): Promise<CosmosSignature<DirectDocument>>

  /** Signs an amino document of Cosmos, as `signAmino` of a signer of cosmjs. */
  signCosmosAmino(input: CosmosAminoInput, call?: CallOptions): Promise<CosmosSignature<AminoDocument>>

  /**
   * Signs a protobuf document of Cosmos and has the service send its transaction, whose only signer the wallet is. The
   * same document takes effect once, because it uses up the account's sequence. It fails as `sendSolanaTransaction`.
   */
  sendCosmosTransaction(input: CosmosDirectInput, call?: CallOptions): Promise<SentCosmosTransaction>

  /**
   * Says for a run of the app's own, by the id of its protocol, which digest (Solana: which bytes) it will sign. Alone it
   * signs nothing. In BETA and PROD the partner has to allow bare digests.
   */
  preSignMessage(input: PreSignMessageInput, call?: CallOptions): Promise<PreSignedMessage>

  /**
   * Always fails with 'not implemented': nothing can say what a raw hash means. Sign the message, the typed data or the
   * transaction itself.
   */
  signRawHash(input: OfWallet & { readonly hash: string | Uint8Array }, call?: CallOptions): Promise<never>

  /**
   * A session for a server of the app, as text: it signs, and does nothing else that this device may do. It ends after
   * `lifetimeMs`, with `endDelegation`, or when this device logs out. The text contains the user's key shares and has to be
   * protected like them, unless they are excluded: then the session reads only.
   */
  exportSession(options?: ExportedSession, call?: CallOptions): Promise<string>

  /** In Node, takes over a session that was exported as text. */
  importSession(text: string, call?: CallOptions): Promise<void>

  /** The user's exported sessions at this partner that are alive, by whichever device, the oldest first. */
  listDelegations(call?: CallOptions): Promise<readonly DelegatedSession[]>

  /** Ends an exported session, by its id in the list. */
  endDelegation(input: { readonly id: string }, call?: CallOptions): Promise<void>

  /**
   * A short address for a page of the portal, for example the `continueUrl` of `PopupBlocked`. It opens once, within
   * ten minutes; its key is in the fragment, which is not sent to a server.
   */
  createShortLink(link: string, call?: CallOptions): Promise<string>
}

export type ExportedSession = {
  /** Without key shares the session reads only. */
  readonly excludeSigners?: boolean
  /** In milliseconds, 60000 (a minute) or more, by default an hour. It ends a day after this device's login at the latest. */
  readonly lifetimeMs?: number
}

export type DelegatedSession = {
  readonly id: string
  readonly scope: 'READ' | 'SIGN'
  /** This device made it. */
  readonly isOwn: boolean
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly lastUsedAt: string
  /** ISO 8601. */
  readonly expiresAt: string
}

export type VerbName = keyof Verbs

/** A verb's arguments before the options of its call. */
export type InputOf<Name extends VerbName> =
  Parameters<Verbs[Name]> extends Options
    ? readonly []
    : Parameters<Verbs[Name]> extends readonly [input: infer Input, ...options: Options]
      ? readonly [input: Input]
      : Parameters<Verbs[Name]> extends readonly [input?: infer Input, ...options: Options]
        ? readonly [input?: Input]
        : never

type Options = readonly [call?: CallOptions | undefined]

export type ResultOf<Name extends VerbName> = Awaited<ReturnType<Verbs[Name]>>

/** How a verb runs. */
export type Verb = {
  /** Its arguments before the options of its call. */
  readonly inputs: 0 | 1
  /** The call fails when it did not end in this time, in milliseconds. A signature may take its `timeoutMs` longer. */
  readonly withinMs: number
  /** Its failures are reported to the operator outside of PROD. */
  readonly tracked?: TrackedMethod
  /** It ends the wait for what an earlier page load began at the portal. */
  readonly ends?: true
  /** It changes who is signed in. The session view is updated when it is over. */
  readonly entering?: true
  /** Its flow opens this window of the portal, and the SDK opens it within the click. */
  readonly opens?: Kind
  /** It takes what the portal returned in the page's address, which is cleared at once. */
  readonly readsAddress?: true
  /** Once the portal is done it goes on without the component that called it: a key that is being made is finished. */
  readonly makesKeys?: true
  /** It may return a recovery secret, which the caller shows: Tandem's dialog does not open for it. */
  readonly saysSecret?: true
}

/** The service answers it at once. */
const asked = { withinMs: 60_000 } as const
/** A protocol, after it the device's enrolment and again, and the usual time of a review. */
const signing = { inputs: 1, withinMs: 150_000 } as const
const signingMessage = { ...signing, tracked: 'signMessage' } as const
const signingTransaction = { ...signing, tracked: 'signTransaction' } as const
/** Protocols of new shares, and their backups. */
const sharing = { inputs: 1, withinMs: 300_000 } as const
/** A portal session lives for ten minutes; after it key shares are received or made. */
const visiting = { withinMs: 900_000 } as const

const settingUp = {
  ...visiting,
  inputs: 0,
  tracked: 'waitForPasskeyAndCreateWallet',
  ends: true,
  entering: true,
  makesKeys: true,
  saysSecret: true,
} as const
const loggingIn = { ...visiting, tracked: 'waitForLoginAndSetup', ends: true, entering: true } as const

export const verbs: {
  readonly [Name in VerbName]: Verb & { readonly inputs: InputOf<Name> extends readonly [] ? 0 : 1 }
} = {
  checkUserExists: { ...asked, inputs: 1 },
  createUser: { ...asked, inputs: 1, tracked: 'createUser', ends: true },
  verifyEmail: { ...asked, inputs: 1 },
  resendVerificationCode: { ...asked, inputs: 0 },
  getSupportedAuthMethods: { ...asked, inputs: 1 },
  setUpPassword: { ...settingUp, opens: 'CREATE_PASSKEY' },
  setUpPasskey: { ...settingUp, opens: 'CREATE_PASSKEY' },
  finishSetup: settingUp,
  login: { ...loggingIn, inputs: 1, opens: 'LOGIN_PASSKEY', makesKeys: true, saysSecret: true },
  resume: { ...loggingIn, inputs: 0, readsAddress: true },
  isSessionActive: { ...asked, inputs: 0 },
  keepSessionAlive: { ...asked, inputs: 0 },
  getToken: { ...asked, inputs: 0 },
  logout: { ...asked, inputs: 1, ends: true },
  cancelRecovery: { ...asked, inputs: 0 },
  getWallets: { ...asked, inputs: 0 },
  findWallet: { ...asked, inputs: 1 },
  createWallet: { ...sharing, makesKeys: true },
  refreshKeys: sharing,
  exportPrivateKey: { ...visiting, inputs: 1, opens: 'LOGIN_PASSKEY' },
  signMessage: signingMessage,
  signTypedData: signingMessage,
  signAuthorization: signingMessage,
  signTransaction: signingTransaction,
  sendTransaction: signingTransaction,
  signSolanaTransaction: signingTransaction,
  sendSolanaTransaction: signingTransaction,
  signCosmosDirect: signingTransaction,
  signCosmosAmino: signingTransaction,
  sendCosmosTransaction: signingTransaction,
  preSignMessage: signingMessage,
  signRawHash: { ...asked, inputs: 1 },
  exportSession: { ...asked, inputs: 1 },
  importSession: { ...asked, inputs: 1, ends: true },
  listDelegations: { ...asked, inputs: 0 },
  endDelegation: { ...asked, inputs: 1 },
  createShortLink: { ...asked, inputs: 1 },
}

export const verbNames = Object.keys(verbs) as readonly VerbName[]
