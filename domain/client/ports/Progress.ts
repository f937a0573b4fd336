/**
 * What is being done for the user right now. A flow tells each step when it begins, and only steps that really happen,
 * so that whoever waits reads what he waits for. Nobody listens unless a call is given a listener.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import type { WalletType } from '../../model/WalletTypes.ts'

export type Step =
  /** The host has a page of the portal open, and then waits for the person there. */
  | { readonly step: 'portal' | 'waiting' }
  /** Key generation, a request and its answer at a time, and what makes the wallet last. */
  | { readonly step: 'generating'; readonly type: WalletType; readonly round: number; readonly of: number }
  | { readonly step: 'confirming' | 'backing-up' | 'distributing'; readonly type?: WalletType }
  /** The shares of a login. A new wallet's share is stored as well, and its address checked. */
  | { readonly step: 'receiving' | 'checking' | 'storing'; readonly type?: WalletType }
  /** A device signs for the first time with a wallet, and then each time. */
  | { readonly step: 'attaching' | 'refreshing' | 'signing'; readonly round: number; readonly of: number }
  | { readonly step: 'verifying' }
  /** Pages of the portal: the password is stretched or the passkey asked, keys are made or opened, and handed on. */
  | { readonly step: 'stretching' | 'asking-passkey' | 'making-keys' | 'wrapping' | 'proving' | 'unwrapping' }
  | { readonly step: 'opening-backups' | 'delivering' | 'committing' | 'telling' }
  /** An export: the provider's half is asked for, and the whole key checked. */
  | { readonly step: 'assembling' }
  /** A recovery: a wallet is there with the number of those before it, and then all of them become what they were made. */
  | { readonly step: 'recovering'; readonly walletId: string }
  | { readonly step: 'finishing' }

export type Listener = (step: Step) => void

/** Who is told. Without one, nobody is. */
export const Progress = Context.Reference<Listener>('tandem/client/Progress', { defaultValue: () => () => {} })

/** Tells a step. A listener that throws stops nothing. */
export const report = (step: Step): Effect.Effect<void> =>
  Effect.flatMap(Progress, (tell) =>
    Effect.catchCause(
      Effect.sync(() => tell(step)),
      (cause) => Effect.logWarning('a progress listener threw', cause),
    ),
  )
