/**
 * What is being done for the user right now. A flow reports each step when it begins, and only steps that really
 * happen.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type { WalletType } from '../../model/WalletTypes.ts'

export type Step =
  /** The host has a page of the portal open, and then waits for the person there. */
  | { readonly step: 'portal' | 'waiting' }
  /** Key generation, one request and answer at a time, then its confirmation, backups and distribution. */
  | { readonly step: 'generating'; readonly type: WalletType; readonly round: number; readonly of: number }
  | { readonly step: 'confirming' | 'backing-up' | 'distributing'; readonly type?: WalletType }
  /** The shares of a login. A new wallet's share is stored as well, and its address checked. */
  | { readonly step: 'receiving' | 'checking' | 'storing'; readonly type?: WalletType }
  /** A device enrols with its first signature of a wallet; refreshes; signs. */
  | { readonly step: 'attaching' | 'refreshing' | 'signing'; readonly round: number; readonly of: number }
  | { readonly step: 'verifying' }
  /** A signed transaction of Solana or Cosmos goes to the service, which passes it on. */
  | { readonly step: 'sending' }
  | Reviewing
  /** Pages of the portal: the password is hashed or the passkey asked, keys are made or opened, and delivered. */
  | { readonly step: 'stretching' | 'asking-passkey' | 'making-keys' | 'wrapping' | 'proving' | 'unwrapping' }
  | { readonly step: 'opening-backups' | 'delivering' | 'committing' | 'telling' }
  /** An export: the provider's half is asked for, and the whole key checked. */
  | { readonly step: 'assembling' }
  /** A recovery: one step for each wallet, and the last one when all of them take effect. */
  | { readonly step: 'recovering'; readonly walletId: string }
  | { readonly step: 'finishing' }

/** A policy holds the signature until it is reviewed on the portal's page at `transactionReviewUrl`. */
export type Reviewing = {
  readonly step: 'reviewing'
  readonly transactionReviewUrl: string
  readonly pendingTransactionId: string
  /** Who has to accept. */
  readonly by: 'user' | 'partner' | 'both'
  /** Whether the page was opened; if not, and the user has to accept, the app shows a link to it. */
  readonly isOpen: boolean
}

export type Listener = (step: Step) => void

/** The listener of a call; without one, steps are dropped. */
export const Progress = Context.Reference<Listener>('tandem/client/Progress', { defaultValue: () => () => {} })

/** Reports a step. A listener that throws stops nothing. */
export const report = (step: Step): Effect.Effect<void> =>
  Effect.flatMap(Progress, (tell) =>
    Effect.catchCause(
      Effect.sync(() => tell(step)),
      (cause) => Effect.logWarning('a progress listener threw', cause),
    ),
  )
