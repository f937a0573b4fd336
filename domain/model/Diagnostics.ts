/** Failures that are told to the service, outside production (spec §8; contract-facts 2.4). */
import type { Environment } from './Environment.ts'

export const sdkTypes = ['WEB', 'SERVER', 'BRIDGE', 'REACT_NATIVE'] as const
export type SdkType = (typeof sdkTypes)[number]

/** The key methods whose failures are sent, and then thrown again. */
export const trackedMethods = [
  'createUser',
  'initiateUserLoginV2',
  'waitForPasskeyAndCreateWallet',
  'waitForOAuth',
  'waitForLoginAndSetup',
  'createPregenWallet',
  'claimPregenWallets',
  'signMessage',
  'signTransaction',
] as const
export type TrackedMethod = (typeof trackedMethods)[number]

/** The body of the call: method, SDK type, user id, and the error's name and message, never its fields. */
export type Report = {
  readonly methodName: string
  readonly sdkType: SdkType
  readonly userId?: string
  readonly error: { readonly name: string; readonly message: string }
}

export const report = (failure: {
  readonly methodName: TrackedMethod
  readonly sdkType: SdkType
  readonly userId?: string | undefined
  readonly error: Error
}): Report => {
  const { methodName, sdkType, userId, error } = failure
  return {
    methodName,
    sdkType,
    ...(userId === undefined ? {} : { userId }),
    error: { name: error.name, message: error.message },
  }
}

export const reportsFailures = (environment: Environment): boolean => environment !== 'PROD'

/**
 * A line that may be written down: nothing that could be a key, a code, an address or somebody's name for a mailbox is left
 * in it, and nothing that ends a line or colours it. Ids stay, since one looks for what failed by them.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/[^\s@"'<>]+@[^\s@"'<>]+/g, '[mailbox]')
    .replaceAll(/([?#])[^\s"'<>]+/g, '$1[…]')
    .replaceAll(/[\w+/=-]+/g, (run) => (isId(run) || !couldBeSecret(run) ? run : '[…]'))

const isId = (run: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run)

/** Six digits are a code. Words of a language and of a program are shorter than a key of 16 bytes, or have no digit. */
const couldBeSecret = (run: string): boolean => /[0-9]{6}/.test(run) || (run.length >= 20 && /[0-9]/.test(run)) || run.length > 40
