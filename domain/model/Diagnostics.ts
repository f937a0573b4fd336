/** Failures that the SDK reports to the service outside of PROD (`POST /errors/sdk`). */
import type { Environment } from './Environment.ts'

export const sdkTypes = ['WEB', 'SERVER', 'BRIDGE', 'REACT_NATIVE'] as const
export type SdkType = (typeof sdkTypes)[number]

/** The methods whose failures are reported, and then thrown. */
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

/** The call's body: method, SDK type, user id, and the error's name and message. The error's fields are never sent. */
export type Report = {
  readonly methodName: string
  readonly sdkType: SdkType
  readonly userId?: string
  readonly error: { readonly name: string; readonly message: string }
}

/** The body of a failure's report. */
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

/** In every environment but PROD. */
export const reportsFailures = (environment: Environment): boolean => environment !== 'PROD'

/**
 * A line that may be logged: anything that could be a key, a code or an e-mail address is removed, and so are control
 * characters, which could end or colour the line. Ids stay, because failures are looked up by them.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/[^\s@"'<>]+@[^\s@"'<>]+/g, '[mailbox]')
    .replaceAll(/([?#])[^\s"'<>]+/g, '$1[…]')
    .replaceAll(/[\w+/=-]+/g, (run) => (isId(run) || !couldBeSecret(run) ? run : '[…]'))

const isId = (run: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run)

/** Six digits are a code. A long word with a digit may be a key: plain words are shorter or have no digit. */
const couldBeSecret = (run: string): boolean =>
  /[0-9]{6}/.test(run) || (run.length >= 20 && /[0-9]/.test(run)) || run.length > 40
