import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { ActiveShares } from '../../../domain/service/ports/ActiveShares.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { hasKey } from '../../../domain/service/Wallet.ts'

export const ActiveSharesDatabase = Layer.effect(
  ActiveShares,
  Effect.gen(function* () {
    const wallets = yield* Wallets
    return ActiveShares.of({
      ofUser: (userId, partnerId) =>
        Effect.map(wallets.ofUser(userId, partnerId), (owned) =>
          owned.filter(hasKey).map(({ id, epoch, shareId }) => ({ walletId: id, epoch, shareId })),
        ),
    })
  }),
)
