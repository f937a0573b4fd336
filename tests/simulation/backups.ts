/** What a person can get back in the end: backups of each wallet that a device holds, and a recovery with the secret that they have. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as RecoverySecret from '../../domain/crypto/RecoverySecret.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import { confirmedOn, leftBehind, numberOf, textOf, type Row, type View } from './invariants.ts'

/** What the share store of a device or page keeps about backups (`adapters/browser/ShareStore.ts`). */
type Stored = {
  readonly backupPending?: readonly string[]
  readonly pendingRecoveries?: Readonly<Record<string, PendingRecovery>>
}
type PendingRecovery = {
  readonly secretKey: string
  readonly finishing?: { readonly walletIds: readonly string[]; readonly rootPublicKey: string }
}

const storedOn = (storage: ReadonlyMap<string, string>): Stored =>
  JSON.parse(storage.get(StorageKeys.keyShares) ?? '{}') as Stored

/** The wallets whose backups this device has not stored yet. */
export const pendingOn = (storage: ReadonlyMap<string, string>): readonly string[] =>
  storedOn(storage).backupPending ?? []

type Exempt = (wallet: Row, encryptor: string) => boolean

/**
 * I1, in the end: of each wallet whose sharing a device holds there is a backup for each credential and each recovery key of the
 * user, where it is not `pending` on that device.
 */
export const areBackedUp = (
  view: View,
  storage: ReadonlyMap<string, string>,
  pending: readonly string[],
  isExempt: Exempt,
): void => {
  const { sim, rows } = view
  const left = leftBehind(view)
  for (const wallet of rows('wallets')) {
    const [id, shareId, userId] = [textOf(wallet, 'id'), textOf(wallet, 'share_id'), wallet['user_id']]
    if (wallet['address'] === null || left.has(id) || pending.includes(id)) continue
    if (confirmedOn(storage, id) !== shareId) continue
    const isOfUser = (row: Row) => row['user_id'] === userId
    const passwords = rows('passwords').filter((row) => isOfUser(row) && row['status'] === 'COMPLETE')
    const recipients = [
      ...passwords.map((row) => ['PASSWORD', row['id']] as const),
      ...recoveryKeysOf(view, userId).map((row) => ['RECOVERY', row['id']] as const),
    ]
    for (const [encryptor, keyRef] of recipients) {
      const isTo = (row: Row) =>
        row['wallet_id'] === id &&
        row['share_id'] === shareId &&
        row['encryptor'] === encryptor &&
        row['key_ref'] === keyRef
      if (!rows('key_shares').some(isTo) && !isExempt(wallet, encryptor))
        sim.violate('I1', `wallet ${id} is on a device, and has no backup for a key of ${encryptor}`)
    }
  }
}

/** Those that count: signed, and of no recovery that goes on. */
const recoveryKeysOf = ({ rows }: View, userId: unknown): readonly Row[] =>
  rows('recovery_public_keys').filter(
    (row) => row['user_id'] === userId && row['recovery_session_id'] === null && row['signature'] !== null,
  )

/** The secret that counts, of those that were shown and those that a page keeps because it was closed before it showed them. */
export const secretOf = (
  view: View,
  userId: string,
  shown: Iterable<string>,
  pages: readonly ReadonlyMap<string, string>[],
): string | undefined => {
  const kept = pages.flatMap((page) => {
    const { secretKey, finishing } = storedOn(page).pendingRecoveries?.[userId] ?? {}
    if (secretKey === undefined || finishing === undefined) return []
    const { walletIds, rootPublicKey } = finishing
    const keys = { backupDecryptionKey: hexToBytes(secretKey), rootPublicKey: hexToBytes(rootPublicKey) }
    return [RecoverySecret.write({ walletId: walletIds[0] ?? '', ...keys })]
  })
  const known = recoveryKeysOf(view, userId).map((row) => row['public_key'])
  return [...shown, ...kept].find((text) => {
    const key = RecoverySecret.read(text)?.backupDecryptionKey
    return key !== undefined && known.includes(bytesToHex(RecoverySecret.publicKeyOf(key)))
  })
}

/**
 * The wallets that a recovery cannot bring back: those that an earlier one left behind, and of the first sharings those that have no
 * backup at all yet, or of which `isExempt` knows it.
 */
export const unrecoverable = (view: View, userId: string, isExempt: Exempt): ReadonlySet<string> => {
  const left = leftBehind(view)
  const { rows } = view
  const lost = rows('wallets').filter((wallet) => {
    if (wallet['user_id'] !== userId || wallet['address'] === null) return false
    const isStored = rows('key_shares').some((row) => row['wallet_id'] === wallet['id'])
    const lacksFirst = numberOf(wallet, 'epoch') === 1 && !isStored
    return left.has(textOf(wallet, 'id')) || lacksFirst || isExempt(wallet, 'RECOVERY')
  })
  return new Set(lost.map((wallet) => textOf(wallet, 'id')))
}
