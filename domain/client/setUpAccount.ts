import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import * as Events from '../model/Events.ts'
import { isPresent } from '../model/Identity.ts'
import { requireUser } from '../model/Session.ts'
import { backUp } from './backUp.ts'
import { createMissingWallets, recoverySecret, resumeWallets } from './createWallet.ts'
import { deviceRoot } from './deviceRoot.ts'
import { Api } from './ports/Api.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { signedRecovery } from './signedRecovery.ts'
import { currentSession, touch } from './touch.ts'

export type AccountSetup = { readonly walletIds: readonly string[]; readonly recoverySecret: string | null }

/**
 * What follows once the account is there (spec §4, account creation): a wallet of each type that is missing, and the
 * account-setup event with the wallets' ids and the recovery secret. The recovery key is forgotten last of all, after
 * an event that carried its secret: whatever fails before it, the secret is said at the next start (flows 5.11).
 */
export const setUpAccount = Effect.fn('account.setUp')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  const shares = yield* ShareStore
  yield* learnSignature
  const lacked = yield* lackingBackup
  const walletIds = (yield* createMissingWallets()).map(({ walletId }) => walletId)
  const lacking = lacked.filter(({ walletId }) => !walletIds.includes(walletId))
  yield* backUp(userId, lacking)
  const held = yield* ofUntoldUser
  const secrets = yield* Effect.forEach(held, ({ walletId }) => recoverySecret(walletId))
  yield* touch(false)

  const setup: AccountSetup = { walletIds, recoverySecret: secrets.find((secret) => secret !== null) ?? null }
  yield* (yield* HostEvents).emit(Events.accountSetup, { data: setup })
  if (setup.recoverySecret !== null) yield* shares.pendingRecovery.remove(userId)
  return setup
})

/**
 * At a login: what an earlier page load of this device left unfinished, and the secret that it has not said yet; `null`
 * where there was nothing to say.
 */
export const resumeAccount = Effect.fn('account.resume')(function* (needsWallet: boolean) {
  yield* learnSignature
  if (needsWallet || Option.isSome(yield* untoldRecovery)) return yield* setUpAccount()
  yield* resumeWallets()
  return null
})

/**
 * The root key's signature over the recovery key that this device made, where the page that gave it was never heard to
 * its end: the service has kept it. It counts only under the root key that a login has shown to this device since
 * (flows A3).
 */
const learnSignature = Effect.gen(function* () {
  const { userId, sessionId } = yield* currentSession
  if (!isPresent(userId)) return
  const { pendingRecovery } = yield* ShareStore
  const pending = Option.getOrUndefined(yield* pendingRecovery.get(userId))
  const root = Option.getOrUndefined(yield* deviceRoot(sessionId))
  if (pending === undefined || pending.signature !== undefined || root === undefined) return
  const { recoveryPublicKeys } = yield* (yield* Api).call('listRecoveryPublicKeys', { path: { userId } })
  const signature = recoveryPublicKeys.find(({ publicKey }) => publicKey === pending.publicKey)?.rootSignature ?? ''
  const [bytes, publicKey] = [fromHex(signature, 64), hexToBytes(pending.publicKey)]
  const isSigned =
    bytes !== undefined && RootKey.isSignedRecipient(hexToBytes(root), { kind: 'RECOVERY', userId, publicKey }, bytes)
  if (isSigned) yield* pendingRecovery.set({ ...pending, signature })
})

const untoldRecovery = Effect.gen(function* () {
  const { userId } = yield* currentSession
  return isPresent(userId) ? yield* signedRecovery(userId) : Option.none()
})

/** The shares here that this key has to open: none where there is no such key. */
const ofUntoldUser = Effect.gen(function* () {
  const untold = yield* untoldRecovery
  const shares = yield* (yield* ShareStore).list
  return shares.filter(({ userId }) => Option.exists(untold, (key) => key.userId === userId))
})

/**
 * Wallets that another device made before the service knew that key have no backup yet that it opens; later ones are
 * encrypted to it by whoever makes them (flows 5.8).
 */
const lackingBackup = Effect.gen(function* () {
  const pending = Option.getOrUndefined(yield* untoldRecovery)
  const held = yield* ofUntoldUser
  if (pending === undefined || held.length === 0) return []
  const { userId, publicKey } = pending
  const { recoveryPublicKeys } = yield* (yield* Api).call('listRecoveryPublicKeys', { path: { userId } })
  return recoveryPublicKeys.some((known) => known.publicKey === publicKey) ? [] : held
})
