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
