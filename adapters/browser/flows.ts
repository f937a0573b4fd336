/**
 * The flow of each verb, from an app's inputs to an app's results. They are loaded with the first call of their group, so that
 * a page which only signs loads nothing of how keys are made.
 */
import type * as Effect from 'effect/Effect'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import type { makeRuntime } from './runtime.ts'
import type { SdkErrorCode } from './SdkError.ts'
import type { InputOf, ResultOf, VerbName } from './verbs.ts'

/** Everything that a page's runtime provides. */
export type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

/** Each error is named by its code. Those of ApiError are the service's. */
type Failure = { readonly _tag: SdkErrorCode | 'ApiError' }

export type Flows = {
  readonly [Name in VerbName]: (...input: InputOf<Name>) => Effect.Effect<ResultOf<Name>, Failure, Services>
}

const loadAccount = () => import('./flows/account.ts')
export const loadPortal = () => import('./flows/portal.ts')
export const loadWallets = () => import('./flows/wallets.ts')
const loadSigning = () => import('./flows/signing.ts')
const loadEthereum = () => import('./flows/ethereum.ts')
const loadChains = () => import('./flows/chains.ts')

export const flowsOf: { readonly [Name in VerbName]: () => Promise<{ readonly flows: Pick<Flows, Name> }> } = {
  checkUserExists: loadAccount,
  createUser: loadAccount,
  verifyEmail: loadAccount,
  resendVerificationCode: loadAccount,
  getSupportedAuthMethods: loadAccount,
  setUpPassword: loadPortal,
  setUpPasskey: loadPortal,
  finishSetup: loadPortal,
  login: loadPortal,
  resume: loadPortal,
  isSessionActive: loadAccount,
  keepSessionAlive: loadAccount,
  getToken: loadAccount,
  logout: loadAccount,
  cancelRecovery: loadAccount,
  getWallets: loadAccount,
  findWallet: loadAccount,
  createWallet: loadWallets,
  refreshKeys: loadWallets,
  exportPrivateKey: loadPortal,
  signMessage: loadSigning,
  signTypedData: loadEthereum,
  signAuthorization: loadEthereum,
  signTransaction: loadEthereum,
  sendTransaction: loadEthereum,
  signSolanaTransaction: loadChains,
  sendSolanaTransaction: loadChains,
  signCosmosDirect: loadChains,
  signCosmosAmino: loadChains,
  sendCosmosTransaction: loadChains,
  preSignMessage: loadChains,
  signRawHash: loadAccount,
  exportSession: loadAccount,
  importSession: loadAccount,
  listDelegations: loadAccount,
  endDelegation: loadAccount,
  createShortLink: loadAccount,
}
