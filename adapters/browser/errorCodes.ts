/** The page react/pack/ERRORS.md: every code, what came before it, and what to do about it. */
import { errors as refusals } from '../../generated/errors.ts'
import { again, another, logIn, ofService, ours, wait, type Explained } from './refusalCodes.ts'
import type { SdkErrorCode } from './SdkError.ts'

const ofSdk: { readonly [Code in SdkErrorCode]: Explained } = {
  AccountCreationFailed: {
    sentence: 'error creating account of type … with userId … and walletId …',
    cause: 'The key of a new wallet was not made.',
    mend: 'Call `createWallet` or `finishSetup` again; it goes on where it can. `cause` has the reason.',
  },
  AddressNotInWallet: {
    cause: 'The signer of a Cosmos document is not an address of the wallet under this prefix.',
    mend: 'Give `signerAddress` and `prefix` of one chain, or another `walletId`.',
  },
  AllWalletTypesOptional: {
    sentence: 'at least one wallet type must be non-optional',
    cause: 'The option `supportedWalletTypes` asks for no type.',
    mend: 'Set one type to `true`.',
  },
  ApiKeyRequired: { cause: 'The SDK was made without an API key.', mend: 'Give the publishable key of the operator.' },
  BackupEncryptionFailed: {
    sentence: 'Error encrypting backup',
    cause: 'A key share could not be encrypted for its backup.',
    mend: again,
  },
  BackupNotStored: {
    sentence: 'a wallet has no backup yet, logging out would delete its only key share',
    cause:
      '`logout` would delete the only copy of a key share of `walletIds`: of the user’s, which has no backup yet, or of the provider’s, which the service has lost and did not take back now.',
    mend: 'Call `finishSetup`, then `logout` again. `evenWithoutBackup` gives the wallet up.',
  },
  BrowserRequired: {
    sentence: '… opens a page of the portal and needs a browser',
    cause: 'The verb was called on a server.',
    mend: 'Call it in the page. A server imports a session with `importSession`.',
  },
  ConnectionCanceled: {
    sentence: 'Connection canceled',
    cause: 'The `signal` of the call was aborted, or its component unmounted.',
    mend: 'None, because the app asked for it. After a verb that sends, look for the transaction on the chain.',
  },
  ConnectionError: {
    sentence: 'Connection error',
    cause: 'No answer came: the page is offline, `hosts` are wrong, or a policy of the page forbids the connection.',
    mend: 'Call it again when the page is online. Check `hosts`, and `connect-src` of the content security policy.',
  },
  DelegatedToServer: {
    sentence: 'a delegated session is for a server, without an origin',
    cause: 'A session that was exported for a server is imported by a page, or with the option `origin`.',
    mend: 'Import it in Node, without that option.',
  },
  DeviceKeyMissing: {
    sentence: 'this device has no key for its session, log in again',
    cause: 'The session is over, or the browser has cleared its storage.',
    mend: logIn,
  },
  EnvNotSupported: {
    sentence: 'env: … not supported',
    cause:
      'The option `hosts` lacks the host that the sentence names, or it is no origin or, outside of DEV, not by https.',
    mend: 'Give `api`, `cosigner`, `portal` and `connect` of your deployment, each as `https://host` without a path.',
  },
  ExitedWithoutSetup: {
    sentence: 'exitted login without setting up user',
    cause: 'The user closed the portal before a password or passkey was made.',
    mend: 'Offer it again.',
  },
  InvalidAuthObject: { cause: 'The identity is empty or not an e-mail address.', mend: 'Ask for the address again.' },
  InvalidInput: {
    sentence: '… takes … as …',
    cause: 'An argument has another type or value than the verb takes, or is missing.',
    mend: 'Give what the sentence names.',
  },
  InvalidStatusCode: {
    sentence: 'Invalid status code',
    cause: 'What answered is not the service, or a proxy refused in its place.',
    mend: 'Check `hosts`; `status` and `responseURL` say what answered.',
  },
  InvalidUrlType: { sentence: 'invalid URL type …', cause: 'The portal has no such page.', mend: ours },
  InvalidWalletScheme: { cause: 'Wallets of this scheme cannot do it.', mend: another },
  KeyRefreshFailed: {
    sentence: 'error refreshing keys for account with userId … and walletId …',
    cause: 'New key shares were not made; the old ones go on to hold.',
    mend: again,
  },
  KeyShareLocked: {
    cause: 'A check of a protocol failed, and the service locked the wallet.',
    mend: 'Let the user log in again, then call it again within ten minutes: the shares are refreshed first.',
  },
  KeyShareNotLoaded: {
    sentence: 'the key share of wallet with id … is not on this device, log in again',
    cause: 'This device has no share of the wallet: it never had one, or its storage was cleared.',
    mend: logIn,
  },
  LocalFilesOnlyLocally: {
    sentence: 'useLocalFiles only supported locally',
    cause: 'The option `useLocalFiles` outside of DEV.',
    mend: 'Leave the option out.',
  },
  LoginKeyLost: {
    sentence: 'login key is lost, log in again',
    cause: 'The page was reloaded during a login, and its key went with it.',
    mend: logIn,
  },
  NoSignedInUser: { cause: 'There is no session, or it has ended.', mend: 'Let the user log in.' },
  NoValidWalletId: { cause: 'The user has no wallet that can do it.', mend: 'Call `createWallet`.' },
  NotDelegated: {
    sentence: 'a delegated session may not do this',
    cause: 'A delegated session signs and reads, and does nothing else; without key shares it reads only.',
    mend: 'Call it in the page that made the session.',
  },
  OpenerNotProven: {
    cause: 'The portal could not prove which page had opened it.',
    mend: 'Cross-Origin-Opener-Policy of the app must not be `same-origin`; then offer it again.',
  },
  OperationTimedOut: {
    sentence: 'Operation timed out after …ms',
    cause: 'The call did not end within its limit, `ms`. What it had begun is ended.',
    mend: 'Call it again; of a verb that sends, look for the transaction on the chain first.',
  },
  OtherAccountSignedIn: {
    sentence: 'another user is signed in, log out first',
    cause: 'A login of a user while another one is signed in, in this tab or in another.',
    mend: 'Call `logout`, then log in.',
  },
  PayloadRefused: {
    sentence: 'payload is not supported',
    cause: 'What is to be signed cannot be read, or is not of the wallet’s kind; `reason` says which.',
    mend: 'Give it in the form of its chain’s tools.',
  },
  PopupBlocked: {
    sentence: 'the popup was blocked',
    cause: 'The browser opened no window, because the call was not made within a click.',
    mend: 'Call the verb in the click and await nothing before, or show `continueUrl` as a link.',
  },
  PopupClosed: {
    sentence: 'popup was closed before it was done',
    cause: 'The user closed the portal.',
    mend: 'Offer it again.',
  },
  PregenWalletNotSelectable: { cause: 'The wallet has not been claimed by a user.', mend: another },
  RawHashSigningNotImplemented: {
    sentence: 'not implemented',
    cause: 'A raw hash does not say what it signs.',
    mend: 'Sign the message, the typed data or the transaction itself.',
  },
  RecoverySecretNotShown: {
    sentence: 'the recovery secret was not shown yet, logging out would delete it',
    cause: '`logout` would delete the only copy of the recovery secret.',
    mend: 'Call `finishSetup` and show its secret, then `logout`.',
  },
  RefreshFailed: {
    sentence: 'refresh failed',
    cause: 'The service did not confirm a refresh in time. The wallet signs all the same.',
    mend: 'Call `refreshKeys` again later.',
  },
  RefreshInProgress: {
    sentence: 'a refresh of this wallet is under way, try again in two minutes',
    cause: 'Another page of this browser has begun a refresh.',
    mend: 'Call it again in two minutes.',
  },
  RootKeyUnknown: {
    sentence: 'this device does not know the root key, log in again',
    cause: 'The browser has cleared its storage.',
    mend: logIn,
  },
  SecureContextRequired: {
    sentence: 'wallets need https, or localhost',
    cause: 'The page came by `http` from another machine, for example to a phone in the same network.',
    mend: 'Serve it by `https`; in development a proxy or tunnel does. `localhost` is secure without.',
  },
  SendingUnclear: {
    sentence: 'the transaction was signed, but it is not known whether it was sent',
    cause: 'The service, or the chain’s node, did not answer after the transaction was signed.',
    mend: 'Look for `transactionHash` on the chain. `transaction` may be sent again: it takes effect once.',
  },
  SessionTextRefused: {
    sentence: 'invalid session text',
    cause: 'The text is not of `exportSession`.',
    mend: 'Export the session again.',
  },
  ShareTextRefused: {
    sentence: 'key share text refused',
    cause: 'A key share is damaged or belongs to another key; `reason` says which.',
    mend: logIn,
  },
  ShortLinkRefused: {
    sentence: 'invalid link',
    cause: 'The link is incomplete, or leads to no page of this deployment’s portal.',
    mend: 'Give a `continueUrl` as it came.',
  },
  SignatureHeld: {
    sentence: 'the signature is held for review',
    cause: 'A policy holds it, where the call cannot wait for the review.',
    mend: 'Call it again when the user has accepted the review.',
  },
  SigningFailed: {
    sentence: 'error signing for account with userId … and walletId …',
    cause: 'The protocol with the co-signer ended without a signature.',
    mend: 'Call it again. `cause` has the reason.',
  },
  StorageFailed: {
    sentence: 'key shares cannot be stored here',
    cause:
      'The disk is full, the browser gives the page no storage, or the option `storage` failed. Nothing was changed.',
    mend: 'Let the user make room or leave private browsing, or mend `storage`; then call it again.',
  },
  TransactionNotSent: {
    sentence: 'it is not known whether the transaction was sent',
    cause:
      'The service, or the chain’s node, did not answer while the transaction was sent, or this device could not read the answer.',
    mend: 'Call it again with the same transaction: if it was sent, the answer is its hash. Another nonce could pay twice.',
  },
  TransactionReviewDenied: {
    sentence: 'transaction review has been denied by the user',
    cause: 'The user, or the partner’s approver, refused it.',
    mend: 'Say that nothing was signed.',
  },
  TransactionReviewError: {
    sentence: 'transaction review error',
    cause: 'A policy asks for a review before the transaction is sent.',
    mend: 'Open `transactionReviewUrl`; call it again within five minutes of the acceptance.',
  },
  TransactionReviewTimeout: {
    sentence: 'transaction review has timed out',
    cause: 'Not all who have to accept did so within `timeoutMs`.',
    mend: 'Call it again, with `transactionReviewUrl` as a link.',
  },
  TransactionReviewUsed: {
    sentence: 'transaction review was already used',
    cause:
      'The review was used by another window that signed the same, or by this call, whose answer was lost; or it no longer counts because the policy has changed since.',
    mend: 'Look whether it was done; else call it again for another review.',
  },
  TransactionSigningFailed: {
    sentence: 'error signing transaction for account with userId … and walletId …',
    cause: 'The protocol with the co-signer ended without a signature.',
    mend: 'Call it again. `cause` has the reason.',
  },
  UnknownError: {
    cause: 'A defect: the sentence is that of what was thrown.',
    mend: 'Report it to the makers of the SDK, with its stack.',
  },
  UnsupportedEnv: {
    sentence: 'unsupported env',
    cause: 'The environment has no such name.',
    mend: 'Give DEV, SANDBOX, BETA or PROD.',
  },
  UnsupportedWalletType: { cause: 'There is no such wallet type.', mend: 'Give EVM, SOLANA or COSMOS.' },
  WalletAddressNotFound: {
    sentence: 'wallet with address … not found',
    cause: 'No wallet of the app’s types has this address on this device.',
    mend: another,
  },
  WalletAddressTimedOut: {
    sentence: 'timed out waiting for wallet address',
    cause: 'The service did not say in time that the new wallet is there.',
    mend: 'Call `createWallet` again; it goes on where it can.',
  },
  WalletBeingMade: {
    sentence: 'a wallet is being made, log out when it is there',
    cause: '`logout` while a key is being made.',
    mend: wait,
  },
  WalletDoesNotExist: { cause: 'There is no wallet with this `walletId`.', mend: another },
  WalletNotFound: { cause: 'There is no such wallet.', mend: another },
  WalletNotOwned: { cause: 'The wallet is another user’s.', mend: another },
  WalletNotSupported: {
    cause: 'The app does not support wallets of this type.',
    mend: 'Give another `walletId`, or name the type in `supportedWalletTypes`.',
  },
  WalletOnOtherDevice: {
    sentence: 'wallet with id … was created on another device, log in again to use it here',
    cause: 'Another device has made the wallet meanwhile.',
    mend: logIn,
  },
  WalletSchemeNotSelectable: { cause: 'The wallet’s scheme cannot do it.', mend: another },
  WalletTypeNotSelectable: { cause: 'The wallet’s type cannot do it.', mend: another },
  WalletTypeNotSupported: {
    cause: 'The app does not support this type.',
    mend: 'Name it in `supportedWalletTypes`, or ask the operator for it.',
  },
  WasmFetchDisabled: {
    sentence: 'fetching wasm file is disabled',
    cause: 'The options forbid every source of the kernel.',
    mend: 'Leave the options of its sources out.',
  },
}

const all: Readonly<Record<string, Explained>> = { ...ofSdk, ...ofService }

/** `undefined`: no such code, or none of its own. */
export const sentenceOf = (code: string): string | undefined => {
  const { sentence } = all[code] ?? {}
  const refusal = (refusals as Readonly<Record<string, { readonly sentence: string } | undefined>>)[code]
  return sentence ?? refusal?.sentence
}

const rowOf = (code: string): string => {
  const { cause = '', mend = '' } = all[code] ?? {}
  return `| \`${code}\` | ${sentenceOf(code) ?? ''} | ${cause} | ${mend} |`
}

/** The page, as Markdown. */
export const errorsPage = (): string => `# Errors

Every verb that fails rejects with an error that has a \`code\`. Codes stay; sentences may change. \`isSdkError\` tells such an
error from others, and \`code\` narrows its type to the fields that it has. A refusal of the service also has its \`status\`, and
\`fix\` where the SDK knows what a developer has to do. A later service may send a code that is not here.

| code | sentence | cause | what to do |
| --- | --- | --- | --- |
${Object.keys(all).sort().map(rowOf).join('\n')}
`
