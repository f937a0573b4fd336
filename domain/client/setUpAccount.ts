import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Events from '../model/Events.ts'
import { createMissingWallets, recoverySecret, resumeWallets } from './createWallet.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'

export type AccountSetup = { readonly walletIds: readonly string[]; readonly recoverySecret: string | null }

/**
 * What follows once the account is there (spec §4, account creation): a wallet of each type that is missing, and the
 * account-setup event with the wallets' ids and the recovery secret. The recovery key is forgotten only after an event
 * that carried its secret: a page that dies before it says it at the next start (flows 5.11).
 */
export const setUpAccount = Effect.fn('account.setUp')(function* () {
  const shares = yield* ShareStore
  const created = yield* createMissingWallets()
  const pending = yield* shares.pendingRecovery.get
  const held = (yield* shares.list).filter(({ userId }) => Option.exists(pending, (key) => key.userId === userId))
  const secrets = yield* Effect.forEach(held, ({ walletId }) => recoverySecret(walletId))
  const setup: AccountSetup = {
    walletIds: created.map(({ walletId }) => walletId),
    recoverySecret: secrets.find((secret) => secret !== null) ?? null,
  }
  yield* (yield* HostEvents).emit(Events.accountSetup, { data: setup })
  if (setup.recoverySecret !== null) yield* shares.pendingRecovery.remove
  return setup
})

/**
 * At a login: what an earlier page load of this device left unfinished, and the secret that it has not said yet; `null` where
 * there was nothing to say.
 */
export const resumeAccount = Effect.fn('account.resume')(function* (needsWallet: boolean) {
  const pending = yield* (yield* ShareStore).pendingRecovery.get
  if (needsWallet || Option.isSome(pending)) return yield* setUpAccount()
  yield* resumeWallets()
  return null
})
