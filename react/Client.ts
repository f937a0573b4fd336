import type { Para } from '../adapters/browser/sdk.ts'

/** The part of the SDK that React uses. A test of an app can give its provider an object with these verbs. */
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
