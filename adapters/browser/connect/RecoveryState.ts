/** What the recovery page shows, and nothing that it must not: no share reaches it, and a secret only to be kept. */
import type { RecoverableWallet } from '../../../domain/client/recovery/verifyRecovery.ts'
import type { AuthMethod } from '../../../domain/model/Credential.ts'

export type { RecoverableWallet } from '../../../domain/client/recovery/verifyRecovery.ts'

/** A failure by what the page has words for, with the error's own sentence, and the wallet at which it came. */
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

/** What is being done for a wallet, and how far it is where it takes several requests. */
export type Doing =
  | { readonly step: 'refreshing'; readonly round: number; readonly of: number }
  | { readonly step: 'storing' | 'backing-up' | 'confirming' }

type Known = { readonly email: string; readonly wallets: readonly RecoverableWallet[] }

export type RecoveryState =
  /** Looking at what an earlier visit left. */
  | { readonly status: 'starting' }
  | { readonly status: 'unreachable' }
  | { readonly status: 'email'; readonly email: string; readonly isBusy: boolean; readonly failure?: Failure | undefined }
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
  /** The secret is an older one, by which nobody vouches for the addresses: the person has to know them. */
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
   * `canGoOn`: the same may be tried again with what is prepared. Otherwise the recovery begins anew. While nobody knows whether
   * it is finished, it cannot: the new secret may be the one that counts.
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
   * The secret is shown, and then forgotten. `isCertain`: the service said that the recovery is finished. Another visit knows
   * neither the wallets nor the method.
   */
  | {
      readonly status: 'secret-made'
      readonly secret: string
      readonly isCertain: boolean
      readonly finished?: Finished | undefined
    }
  | { readonly status: 'done'; readonly finished?: Finished | undefined }

export type Finished = { readonly wallets: readonly RecoverableWallet[]; readonly method: AuthMethod }
