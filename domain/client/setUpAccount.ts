import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import * as Events from '../model/Events.ts'
import { isPresent } from '../model/Identity.ts'
import { requireUser } from '../model/Session.ts'
import { listRecoveryKeys } from './backUp.ts'
import {
  backUpOrGiveBack,
  createMissingWallets,
  isForgotten,
  recoverySecret,
  resumeWallets,
  sharesLackingBackup,
} from './createWallet.ts'
import { deviceRoot, signedRecovery } from './certifiedKeys.ts'
import { Api } from './ports/Api.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { currentSession, touch } from './touch.ts'

export type AccountSetup = { readonly walletIds: readonly string[]; readonly recoverySecret: string | null }

/**
 * What follows once the account is there: a wallet of each missing type, and the account-setup event with the wallets'
 * ids and the recovery secret. The recovery key is deleted last, after the event that carried its secret: if anything
 * fails before, the next start tells the secret.
 */
export const setUpAccount = Effect.fn('account.setUp')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  const shares = yield* ShareStore
  yield* learnSignature
  const walletIds = (yield* createMissingWallets()).map(({ walletId }) => walletId)
  const held = yield* ofUnacknowledgedUser
  // The backups of a wallet that was made just now have handed the key in.
  if (held.length > 0 && walletIds.length === 0) yield* listRecoveryKeys(userId)
  // One that waits for its backup does not stop other wallets, but the secret, which would open nothing of it. One that the
  // service does not know may wait for ever, and gets its backup once it is known.
  const lacking = yield* sharesLackingBackup(userId)
  for (const share of lacking) yield* Effect.catchIf(backUpOrGiveBack(userId, share), isForgotten, () => Effect.void)
  const secrets = yield* Effect.forEach(held, ({ walletId }) => recoverySecret(walletId))
  yield* touch(false)

  const setup: AccountSetup = { walletIds, recoverySecret: secrets.find((secret) => secret !== null) ?? null }
  yield* (yield* HostEvents).emit(Events.accountSetup, { data: setup })
  if (setup.recoverySecret !== null) yield* shares.pendingRecovery.remove(userId)
  return setup
})

/**
 * At a login: finishes what an earlier page load of this device left, and tells the secret that it has not told yet;
 * `null` if there was nothing to tell.
 */
export const resumeAccount = Effect.fn('account.resume')(function* (needsWallet: boolean) {
  yield* learnSignature
  if (needsWallet || Option.isSome(yield* unacknowledgedRecovery)) return yield* setUpAccount()
  yield* resumeWallets()
  return null
})

/**
 * The root key's signature over the recovery key of this device, from the service, if the page's result never came
 * here. It counts only under the root key that a login has shown to this device since: one by a root key that a
 * recovery replaced is dropped, because the service takes no such key and so no backup would be made.
 */
const learnSignature = Effect.gen(function* () {
  const { userId, sessionId } = yield* currentSession
  if (!isPresent(userId)) return
  const { pendingRecovery } = yield* ShareStore
  const pending = Option.getOrUndefined(yield* pendingRecovery.get(userId))
  const root = Option.getOrUndefined(yield* deviceRoot(sessionId))
  if (pending === undefined || root === undefined) return
  const { signature, ...unsigned } = pending
  const publicKey = hexToBytes(pending.publicKey)
  const isSigned = (text: string) => {
    const bytes = fromHex(text, 64)
    return (
      bytes !== undefined && RootKey.isSignedRecipient(hexToBytes(root), { kind: 'RECOVERY', userId, publicKey }, bytes)
    )
  }
  if (signature !== undefined && isSigned(signature)) return
  const { recoveryPublicKeys } = yield* (yield* Api).call('listRecoveryPublicKeys', { path: { userId } })
  const told = recoveryPublicKeys.find((known) => known.publicKey === pending.publicKey)?.rootSignature ?? ''
  if (isSigned(told)) yield* pendingRecovery.set({ ...unsigned, signature: told })
  else if (signature !== undefined) yield* pendingRecovery.set(unsigned)
})

const unacknowledgedRecovery = Effect.gen(function* () {
  const { userId } = yield* currentSession
  return isPresent(userId) ? yield* signedRecovery(userId) : Option.none()
})

/** The shares here that this key has to open: none if there is no such key. */
const ofUnacknowledgedUser = Effect.gen(function* () {
  const unacknowledged = yield* unacknowledgedRecovery
  const shares = yield* (yield* ShareStore).list
  return shares.filter(({ userId }) => Option.exists(unacknowledged, (key) => key.userId === userId))
})
