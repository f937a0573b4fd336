/**
 * The wallets that this document knows, in memory: the service's records with the addresses of the shares held here.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Ref from 'effect/Ref'
import type { Wallet } from '../model/Wallet.ts'
import type { WalletType } from '../model/WalletTypes.ts'

export class WalletState extends Context.Service<
  WalletState,
  {
    readonly get: Effect.Effect<readonly Wallet[]>
    /**
     * Types that the user has to have and of which the service has no finished wallet, as far as this document knows.
     */
    readonly missing: Effect.Effect<readonly WalletType[]>
    readonly set: (wallets: readonly Wallet[], missing?: readonly WalletType[]) => Effect.Effect<void>
  }
>()('tandem/client/WalletState') {}

type Known = { readonly wallets: readonly Wallet[]; readonly missing: readonly WalletType[] }

export const WalletStateMemory = Layer.effect(
  WalletState,
  Effect.map(Ref.make<Known>({ wallets: [], missing: [] }), (ref) => ({
    get: Effect.map(Ref.get(ref), ({ wallets }) => wallets),
    missing: Effect.map(Ref.get(ref), ({ missing }) => missing),
    set: (wallets, missing = []) => Ref.set(ref, { wallets, missing }),
  })),
)
