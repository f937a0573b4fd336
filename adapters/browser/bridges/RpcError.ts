/**
 * How a bridge fails: by the codes of EIP-1193, EIP-1474 and EIP-5792, whatever the library
 * (adapters/browser/bridges/README.md#errors).
 */
import type { ErrorCode } from '../SdkError.ts'

export const codes = {
  rejected: 4001,
  unauthorized: 4100,
  unsupported: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unrecognizedChain: 4902,
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownBundle: 5730,
  bundleTooLarge: 5740,
  atomicityNotSupported: 5760,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const

type Details = { readonly cause?: unknown; readonly data?: unknown }

/** `cause` is the SDK's own error, `data` what a chain's node or EIP-1193 says beside the code. */
export class RpcError extends Error {
  override readonly name: string = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, { cause, data }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.data = data
  }
}

/** The answer, or the failure under its code. */
export const coded = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw toRpcError(error)
  }
}

export const toRpcError = (error: unknown): RpcError => {
  if (error instanceof RpcError) return error
  const { message } = fieldsOf(error)
  return new RpcError(codeOf(error), typeof message === 'string' ? message : 'Unknown error', { cause: error })
}

/**
 * By name and not by class: an app may have two copies of the SDK, and its tests make errors that have the SDK's code
 * alone.
 */
const codeOf = (error: unknown): number => {
  const { _tag, name, message, status, code } = fieldsOf(error)
  const known = codesByName.get(_tag) ?? codesByName.get(code)
  if (known !== undefined) return known
  if (_tag === 'ApiError') return codeOfAnswer(message, status)
  return name === 'AbortError' ? codes.rejected : codes.internal
}

const codesByName: ReadonlyMap<unknown, number> = new Map(
  Object.entries({
    [codes.rejected]: ['TransactionReviewDenied', 'PopupClosed', 'ExitedWithoutSetup', 'ConnectionCanceled'],
    [codes.unauthorized]: [
      'NoSignedInUser',
      'NotDelegated',
      'KeyShareNotLoaded',
      'KeyShareLocked',
      'KeyShareOutOfDate',
      'DeviceKeyMissing',
      'OtherAccountSignedIn',
      'NoValidWalletId',
      'WalletDoesNotExist',
      'WalletNotOwned',
      'WalletNotSupported',
      'WalletTypeNotSelectable',
      'WalletSchemeNotSelectable',
      'PregenWalletNotSelectable',
      'DeniedByPolicy',
    ],
    [codes.unsupported]: ['RawHashSigningNotImplemented'],
    [codes.invalidParams]: ['PayloadRefused', 'InvalidInput'],
    [codes.disconnected]: ['ConnectionError'],
  } satisfies Readonly<Record<number, readonly ErrorCode[]>>).flatMap(([code, names]) =>
    names.map((name) => [name, Number(code)] as const),
  ),
)

/** Of an answer of the service; without a status there was none. */
const codeOfAnswer = (message: unknown, status: unknown): number => {
  if (message === 'Connection canceled') return codes.rejected
  if (message === 'Connection error') return codes.disconnected
  if (status === 401 || status === 403) return codes.unauthorized
  return status === 400 || status === 422 ? codes.invalidParams : codes.internal
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
