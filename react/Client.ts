import type { Para } from '../adapters/browser/sdk.ts'

/** What React uses of the SDK. Whoever tests an app gives its provider an object with these verbs. */
export type Client = Pick<
  Para,
  | 'session'
  | 'on'
  | 'cancelRecovery'
  | 'checkUserExists'
  | 'createUser'
  | 'createWallet'
  | 'dispose'
  | 'exportPrivateKey'
  | 'exportSession'
  | 'finishSetup'
  | 'getSupportedAuthMethods'
  | 'importSession'
  | 'login'
  | 'logout'
  | 'resendVerificationCode'
  | 'sendTransaction'
  | 'setUpPasskey'
  | 'setUpPassword'
  | 'signMessage'
  | 'signTransaction'
  | 'verifyEmail'
>
