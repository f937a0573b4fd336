/** The state of the recovery page. It holds no share, and a secret only to be shown and kept. */
import type { UnopenedWallet } from '../../../domain/client/recovery/openBackups.ts'
import type { RecoverableWallet } from '../../../domain/client/recovery/startRecovery.ts'
import type { AuthMethod } from '../../../domain/model/Credential.ts'

export type { RecoverableWallet } from '../../../domain/client/recovery/startRecovery.ts'

/** A failure: its code, for which the page has words, the error's own sentence, and the wallet at which it happened. */
export type Failure = {
  readonly code: string
  readonly sentence: string
  readonly wallet?: RecoverableWallet | undefined
}

export type WalletProgress = {
  readonly wallet: RecoverableWallet
  readonly state: 'waiting' | 'working' | 'done' | 'failed'
  readonly doing?: Doing | undefined
}

/** The work on a wallet, and how far it is when it takes several requests. */
export type Doing =
  | { readonly step: 'refreshing'; readonly round: number; readonly of: number }
  | { readonly step: 'storing' | 'backing-up' | 'confirming' }

type Known = { readonly email: string; readonly wallets: readonly RecoverableWallet[] }

export type RecoveryState =
  /** Reading what an earlier visit left. */
  | { readonly status: 'starting' }
  | { readonly status: 'unreachable' }
  | {
      readonly status: 'email'
      readonly email: string
      readonly isBusy: boolean
      readonly failure?: Failure | undefined
    }
  | {
      readonly status: 'code'
      readonly email: string
      readonly isBusy: boolean
      /** How many codes were refused: after each one the field is empty again. */
      readonly refusals: number
      readonly isResent: boolean
      readonly failure?: Failure | undefined
    }
  | (Known & { readonly status: 'secret'; readonly isBusy: boolean; readonly failure?: Failure | undefined })
  /** The secret opens the wallets, but not those of `leftBehind`: the person has to know before they go on. */
  | (Known & {
      readonly status: 'leaving'
      readonly leftBehind: readonly LeftWallet[]
      readonly isBusy: boolean
      readonly failure?: Failure | undefined
    })
  /** An older secret does not certify the addresses: the person has to compare them. */
  | (Known & { readonly status: 'comparing' })
  /** `isOpen`: a window of the portal is open for the new credential. */
  | (Known & { readonly status: 'credential'; readonly isOpen: boolean; readonly failure?: Failure | undefined })
  | {
      readonly status: 'working'
      readonly email: string
      readonly progress: readonly WalletProgress[]
      readonly isFinishing: boolean
    }
  /**
   * `canGoOn`: the same step may be tried again. Otherwise the recovery begins again, which it must not while it is
   * unknown whether the recovery was finished: the new secret may already be the valid one.
   */
  | {
      readonly status: 'stopped'
      readonly email: string
      readonly progress: readonly WalletProgress[]
      readonly isFinishing: boolean
      readonly failure: Failure
      readonly canGoOn: boolean
    }
  /**
   * The secret is shown, and then deleted. `isCertain`: the service confirmed that the recovery is finished. A later
   * visit knows neither the wallets nor the method.
   */
  | {
      readonly status: 'secret-made'
      readonly secret: string
      readonly isCertain: boolean
      readonly finished?: Finished | undefined
    }
  | { readonly status: 'done'; readonly finished?: Finished | undefined }

/** A wallet that stays behind. `code`: of the error that kept it closed. */
export type LeftWallet = { readonly wallet: RecoverableWallet; readonly code: UnopenedWallet['cause']['_tag'] }

export type Finished = {
  readonly wallets: readonly RecoverableWallet[]
  readonly leftBehind: readonly LeftWallet[]
  readonly method: AuthMethod
}
