import * as Effect from 'effect/Effect'
import * as Events from '../model/Events.ts'
import { createMissingWallets, recoverySecret } from './createWallet.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'

/**
 * What follows once the account is there (spec §4, account creation): a wallet of each type that is missing, and the
 * account-setup event with the wallets' ids and the recovery secret. The recovery key is forgotten only after the event
 * was dispatched, so that a page that dies before it finds the key again (flows 5.11).
 */
export const setUpAccount = Effect.fn('account.setUp')(function* () {
  const shares = yield* ShareStore
  const created = yield* createMissingWallets()
  const walletIds = created.map(({ walletId }) => walletId)
  const secrets = yield* Effect.forEach(walletIds, recoverySecret)
  const setup = { walletIds, recoverySecret: secrets.find((secret) => secret !== null) ?? null }
  yield* (yield* HostEvents).emit(Events.accountSetup, { data: setup })
  yield* shares.pendingRecovery.remove
  return setup
})
