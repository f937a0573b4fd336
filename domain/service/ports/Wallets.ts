import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { RunRecord } from '../Run.ts'
import type { Lease, WalletRecord } from '../Wallet.ts'

export type NewWalletRecord = Pick<WalletRecord, 'id' | 'partnerId' | 'type' | 'slot' | 'scheme' | 'cosmosPrefix'> & {
  readonly userId: string
  readonly now: number
}

/** What a finished key generation gives to a wallet. */
export type Activation = {
  readonly epoch: number
  readonly shareId: string
  readonly publicKey: string
  readonly address: string
  readonly rootPublicKey: string | null
}

export type WalletWithRun = {
  readonly wallet: WalletRecord
  readonly run: Pick<RunRecord, 'kind' | 'rootPublicKey' | 'otId'> | undefined
}

export class Wallets extends Context.Service<
  Wallets,
  {
    /** The wallet of this user, partner, type and slot: of two calls at once one makes it, and both get it. */
    readonly findOrCreate: (wallet: NewWalletRecord) => Effect.Effect<WalletRecord>
    readonly find: (id: string) => Effect.Effect<Option.Option<WalletRecord>>
    /** With the run under this protocol id: what of it never changes, `undefined` if it has not begun. */
    readonly findWithRun: (
      id: Pick<RunRecord, 'walletId' | 'protocolId'>,
    ) => Effect.Effect<Option.Option<WalletWithRun>>
    /** Reads it, and keeps other transactions from changing it, or a run of it, until this one ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<WalletRecord>>
    /** Of one partner: a partner's session sees no other's. Oldest first. */
    readonly ofUser: (userId: string, partnerId: string) => Effect.Effect<readonly WalletRecord[]>
    readonly ofUserEverywhere: (userId: string) => Effect.Effect<readonly WalletRecord[]>
    /** Keeps a protocol id that was given out for this wallet to this session. */
    readonly addAttempt: (walletId: string, attempt: Pick<Lease, 'protocolId' | 'sessionId'>) => Effect.Effect<void>
    readonly hasAttempt: (walletId: string, attempt: Pick<Lease, 'protocolId' | 'sessionId'>) => Effect.Effect<boolean>
    readonly lease: (walletId: string, lease: Lease) => Effect.Effect<void>
    /** Only if the lease is this protocol id's. */
    readonly release: (walletId: string, protocolId: string) => Effect.Effect<void>
    /** CREATED -> ACTIVE, once. The protocol ids that were given out are deleted. */
    readonly activate: (walletId: string, activation: Activation, now: number) => Effect.Effect<boolean>
    /**
     * The next sharing replaces this one, out of ACTIVE or BURNED; compare-and-set. The root key changes at the end of
     * a recovery only.
     */
    readonly advance: (
      walletId: string,
      baseShareId: string,
      next: Pick<Activation, 'epoch' | 'shareId'> & { readonly rootPublicKey?: string },
      now: number,
    ) => Effect.Effect<boolean>
    /** ACTIVE -> BURNED in this epoch. */
    readonly setLocked: (walletId: string, epoch: number, now: number) => Effect.Effect<void>
    /** From now on its key is whole somewhere. The first time is kept. */
    readonly markExported: (walletId: string, now: number) => Effect.Effect<void>
    readonly use: (walletId: string, partnerId: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/Wallets') {}
