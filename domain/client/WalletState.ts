/** The wallets that this document knows, in memory: the service's records, filled up by what is held locally. */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Ref from 'effect/Ref'
import type { Wallet } from '../model/Wallet.ts'

export class WalletState extends Context.Service<
  WalletState,
  {
    readonly get: Effect.Effect<readonly Wallet[]>
    readonly set: (wallets: readonly Wallet[]) => Effect.Effect<void>
  }
>()('tandem/client/WalletState') {}

export const WalletStateMemory = Layer.effect(
  WalletState,
  Effect.map(Ref.make<readonly Wallet[]>([]), (ref) => ({
    get: Ref.get(ref),
    set: (wallets) => Ref.set(ref, wallets),
  })),
)
