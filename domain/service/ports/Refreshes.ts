import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { RefreshRecord } from '../Refresh.ts'

export type Prepared = RefreshRecord & { readonly shareId: string }

type RefreshId = Pick<RefreshRecord, 'walletId' | 'protocolId'>

/** Attempts at a refresh. The caller has locked the wallet (Wallets.lock). */
export class Refreshes extends Context.Service<
  Refreshes,
  {
    readonly begin: (refresh: RefreshRecord) => Effect.Effect<void>
    readonly find: (id: RefreshId) => Effect.Effect<Option.Option<RefreshRecord>>
    readonly latest: (walletId: string) => Effect.Effect<Option.Option<RefreshRecord>>
    readonly live: (walletId: string) => Effect.Effect<Option.Option<RefreshRecord>>
    /** PREPARED ones. */
    readonly prepared: (walletId: string) => Effect.Effect<readonly Prepared[]>
    /** LIVE -> PREPARED with the sharing that it made. */
    readonly prepare: (id: RefreshId, shareId: string, now: number) => Effect.Effect<boolean>
    /** PREPARED -> ACKNOWLEDGED, at the end of a recovery. */
    readonly conclude: (id: RefreshId, now: number) => Effect.Effect<boolean>
    /** The sharing that the recovery of this session made of the wallet, once it took effect. */
    readonly concluded: (walletId: string, sessionId: string) => Effect.Effect<Option.Option<Prepared>>
    /** LIVE -> COMMITTED with the sharing that it made. */
    readonly commit: (id: RefreshId, shareId: string, now: number) => Effect.Effect<boolean>
    /** COMMITTED -> ACKNOWLEDGED for the attempt that made this sharing. */
    readonly acknowledge: (walletId: string, shareId: string, now: number) => Effect.Effect<void>
    /** LIVE or PREPARED -> ABORTED. */
    readonly abort: (id: RefreshId, now: number) => Effect.Effect<void>
  }
>()('tandem/service/Refreshes') {}
