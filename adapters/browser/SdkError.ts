/** How the verbs fail: each error has a `code`, which stays when its sentence changes. */
import * as Data from 'effect/Data'
import type { ErrorCode as RefusalCode } from '../../generated/errors.ts'

export type { RefusalCode }

/** What the SDK refuses itself, or what came of a call that the service did not refuse. */
export type SdkErrorCode =
  | 'AccountCreationFailed'
  | 'AddressNotInWallet'
  | 'AllWalletTypesOptional'
  | 'ApiKeyRequired'
  | 'BackupEncryptionFailed'
  | 'BackupNotStored'
  | 'BrowserRequired'
  | 'ConnectionCanceled'
  | 'ConnectionError'
  | 'DelegatedToServer'
  | 'DeviceKeyMissing'
  | 'EnvNotSupported'
  | 'ExitedWithoutSetup'
  | 'InvalidAuthObject'
  | 'InvalidInput'
  | 'InvalidStatusCode'
  | 'InvalidUrlType'
  | 'InvalidWalletScheme'
  | 'KeyRefreshFailed'
  | 'KeyShareLocked'
  | 'KeyShareNotLoaded'
  | 'LocalFilesOnlyLocally'
  | 'LoginKeyLost'
  | 'NoSignedInUser'
  | 'NoValidWalletId'
  | 'NotDelegated'
  | 'OpenerNotProven'
  | 'OperationTimedOut'
  | 'OtherAccountSignedIn'
  | 'PayloadRefused'
  | 'PopupBlocked'
  | 'PopupClosed'
  | 'PregenWalletNotSelectable'
  | 'RawHashSigningNotImplemented'
  | 'RecoverySecretNotShown'
  | 'RefreshFailed'
  | 'RefreshInProgress'
  | 'RootKeyUnknown'
  | 'SecureContextRequired'
  | 'SendingUnclear'
  | 'SessionTextRefused'
  | 'ShareTextRefused'
  | 'ShortLinkRefused'
  | 'SignatureHeld'
  | 'SigningFailed'
  | 'StorageFailed'
  | 'TransactionNotSent'
  | 'TransactionReviewDenied'
  | 'TransactionReviewError'
  | 'TransactionReviewTimeout'
  | 'TransactionReviewUsed'
  | 'TransactionSigningFailed'
  | 'UnknownError'
  | 'UnsupportedEnv'
  | 'UnsupportedWalletType'
  | 'WalletAddressNotFound'
  | 'WalletAddressTimedOut'
  | 'WalletBeingMade'
  | 'WalletDoesNotExist'
  | 'WalletNotFound'
  | 'WalletNotOwned'
  | 'WalletNotSupported'
  | 'WalletOnOtherDevice'
  | 'WalletSchemeNotSelectable'
  | 'WalletTypeNotSelectable'
  | 'WalletTypeNotSupported'
  | 'WasmFetchDisabled'

/** Every code: of the SDK, and of refusals of the service (`x-error-code`), under which the same thing has one name. */
export type ErrorCode = SdkErrorCode | RefusalCode

/** What errors have beside code and sentence, by their code. */
export type ErrorFields = {
  readonly BackupNotStored: { readonly walletIds: readonly string[] }
  /** `continueUrl`: the page that was to open, for a link. */
  readonly PopupBlocked: { readonly continueUrl?: string }
  /** It was signed. The same bytes may be sent again. */
  readonly SendingUnclear: { readonly transaction: Uint8Array; readonly transactionHash: string }
  readonly TransactionReviewError: { readonly transactionReviewUrl: string }
  readonly TransactionReviewTimeout: { readonly transactionReviewUrl: string; readonly pendingTransactionId: string }
  /** In milliseconds. */
  readonly OperationTimedOut: { readonly ms: number }
}

/** An error of the SDK with one of its codes. */
export type Coded<Code extends ErrorCode> = Error & {
  readonly code: Code
  readonly status?: number | undefined
  readonly responseURL?: string | undefined
  readonly fix?: string | undefined
}

/**
 * The error of every verb. `status` and `responseURL` are those of the service's answer, where there was one; `fix` says
 * to developers what to do, where that is known.
 */
export type SdkError =
  | Coded<Exclude<ErrorCode, keyof ErrorFields>>
  | { [Code in keyof ErrorFields]: Coded<Code> & ErrorFields[Code] }[keyof ErrorFields]

/** Whether a caught value is an error of the SDK: it has a code as text. A later service may send codes that are not listed. */
export const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** The verb opens a page of the portal, and there is no browser that could. */
export class BrowserRequired extends Data.TaggedError('BrowserRequired')<{ readonly verb: string }> {
  override readonly message = `${this.verb} opens a page of the portal and needs a browser`
}

/** The page came by http and not from this machine: browsers give such a page no cryptography. */
export class SecureContextRequired extends Data.TaggedError('SecureContextRequired') {
  override readonly message = 'wallets need https, or localhost'
}

/** The same error with its code, if it has none. */
export const withCode = (error: Error, code: string = codeOf(error)): SdkError => {
  if (!isSdkError(error)) Object.defineProperty(error, 'code', { value: code, enumerable: true })
  return error as SdkError
}

const codeOf = (error: Error & { readonly _tag?: unknown; readonly status?: unknown }): string => {
  const { _tag: tag, message, status } = error
  if (tag !== 'ApiError') return typeof tag === 'string' ? tag : 'UnknownError'
  return status === undefined ? (withoutAnswer[message] ?? 'UnknownError') : 'InvalidStatusCode'
}

const withoutAnswer: Readonly<Record<string, SdkErrorCode>> = {
  'Connection error': 'ConnectionError',
  'Connection canceled': 'ConnectionCanceled',
}
