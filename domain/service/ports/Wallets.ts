import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Lease, Wallet } from '../Wallet.ts'

export type NewWallet = Pick<Wallet, 'id' | 'partnerId' | 'type' | 'slot' | 'scheme' | 'cosmosPrefix'> & {
  readonly userId: string
  readonly now: number
}

/** What a finished key generation gives to a wallet (flows 5.5). */
export type Activation = {
  readonly epoch: number
  readonly shareId: string
  readonly publicKey: string
  readonly address: string
  readonly rootPublicKey: string | null
}

export class Wallets extends Context.Service<
  Wallets,
  {
    /** The wallet of this user, partner, type and slot: of two at once one makes it, both get it (design 8.25). */
    readonly findOrCreate: (wallet: NewWallet) => Effect.Effect<Wallet>
    readonly find: (id: string) => Effect.Effect<Option.Option<Wallet>>
    /** Reads it and keeps everybody else from changing it, or a run of it, until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Wallet>>
    /** Of one partner: a partner's session sees no other's (flows 16.8). Oldest first. */
    readonly ofUser: (userId: string, partnerId: string) => Effect.Effect<readonly Wallet[]>
    readonly ofUserEverywhere: (userId: string) => Effect.Effect<readonly Wallet[]>
    /** A protocol id that was given out for this wallet to this session (flows A11). */
    readonly addAttempt: (walletId: string, attempt: Pick<Lease, 'protocolId' | 'sessionId'>) => Effect.Effect<void>
    readonly hasAttempt: (walletId: string, attempt: Pick<Lease, 'protocolId' | 'sessionId'>) => Effect.Effect<boolean>
    readonly lease: (walletId: string, lease: Lease) => Effect.Effect<void>
    /** Only while it is this protocol id's. */
    readonly release: (walletId: string, protocolId: string) => Effect.Effect<void>
    /** CREATED -> ACTIVE, once. Attempts at it are forgotten. */
    readonly activate: (walletId: string, activation: Activation, now: number) => Effect.Effect<boolean>
    /**
     * The next sharing takes the place of this one, out of ACTIVE or BURNED; compare-and-set (flows 9.5). The root key is
     * another one after a recovery only.
     */
    readonly advance: (
      walletId: string,
      baseShareId: string,
      next: Pick<Activation, 'epoch' | 'shareId'> & { readonly rootPublicKey?: string },
      now: number,
    ) => Effect.Effect<boolean>
    /** ACTIVE -> BURNED in this epoch. */
    readonly burn: (walletId: string, epoch: number, now: number) => Effect.Effect<void>
    /** From now on its key is whole somewhere. The first time counts. */
    readonly markExported: (walletId: string, now: number) => Effect.Effect<void>
    readonly use: (walletId: string, partnerId: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/Wallets') {}
