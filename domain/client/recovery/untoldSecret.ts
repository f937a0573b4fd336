/**
 * The new recovery secret until it was shown (flows 10.7): its key is in the share store from before the finish on, and what
 * else it says in local storage, so that a page that is closed at the wrong moment can still say it.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as RecoverySecret from '../../crypto/RecoverySecret.ts'
import { storagePrefix } from '../../model/Provider.ts'
import { ShareStore, type PendingRecovery } from '../ports/ShareStore.ts'
import { Storage } from '../ports/Storage.ts'

/** `isFinished`: the service answered that the recovery is; else nobody here knows. */
export type Untold = {
  readonly userId: string
  /** All wallets of the recovery. */
  readonly walletIds: readonly string[]
  /** hex(32) */
  readonly rootPublicKey: string
  readonly isFinished: boolean
}

/** The same as text, version 1. */
type Stored = Untold & { readonly v: 1 }

const key = `${storagePrefix}tandem/recovery`

export const keepUntold = Effect.fn('recovery.keepUntold')(function* (untold: Untold) {
  const stored: Stored = { v: 1, ...untold }
  yield* (yield* Storage).local.set(key, JSON.stringify(stored))
})

export const untold = Effect.gen(function* () {
  const text = yield* (yield* Storage).local.get(key)
  return text === undefined ? Option.none<Untold>() : Option.some<Untold>(JSON.parse(text) as Stored)
})

/** The text of the secret, if there is one that nobody was shown. */
export const untoldSecret = Effect.gen(function* () {
  const known = Option.getOrUndefined(yield* untold)
  const pending = Option.getOrUndefined(yield* (yield* ShareStore).pendingRecovery.get)
  const isOf = pending?.signature !== undefined && pending.userId === known?.userId
  return known !== undefined && isOf
    ? Option.some({ secret: secretOf(known, pending), isFinished: known.isFinished })
    : Option.none()
})

/** In the form in which it was given at sign-up; it opens the backups of all wallets. */
export const secretOf = ({ walletIds, rootPublicKey }: Untold, { secretKey }: PendingRecovery): string =>
  RecoverySecret.write({
    walletId: walletIds[0] ?? '',
    backupDecryptionKey: hexToBytes(secretKey),
    rootPublicKey: hexToBytes(rootPublicKey),
  })

/** The secret was shown, or counts for nothing: no share and no key of the recovery stays on this page. */
export const forgetRecovery = Effect.gen(function* () {
  yield* (yield* Storage).local.remove(key)
  yield* (yield* ShareStore).forgetUser({ keepPregen: false })
})
