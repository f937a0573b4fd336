import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Export from '../../crypto/Export.ts'
import * as Address from '../../model/Address.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { typeOf } from '../../model/Wallet.ts'
import { exportKey } from '../../mpc/dkls/exportKey.ts'
import { points } from '../../mpc/dkls/noble/points.ts'
import { scalars } from '../../mpc/dkls/noble/scalars.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { insistently } from '../runProtocol.ts'
import { listBackups, openShare } from './deliverShares.ts'
import { openWithPasskey } from './loginWithPasskey.ts'
import { openWithPassword } from './loginWithPassword.ts'
import { exportingOf, tell, type PortalOpening } from './opening.ts'
import type { Unwrapped } from './unwrapKeys.ts'

/** The whole key: 32 bytes, big-endian, and the wallet's address, which is its own. */
export type PrivateKey = { readonly secret: Uint8Array; readonly address: string }

export const exportWithPassword = Effect.fn('wallets.exportWithPassword')(function* (
  opening: PortalOpening,
  password: string,
) {
  return yield* assemble(opening, yield* openWithPassword(opening, password))
})

export const exportWithPasskey = Effect.fn('wallets.exportWithPasskey')(function* (opening: PortalOpening) {
  return yield* assemble(opening, yield* openWithPasskey(opening))
})

/**
 * Puts the key together (mpc-review 18): the user's half out of the backup for the credential that was just shown, the
 * provider's half as it was sealed to this page. Every half, their sum and the address are checked before anybody sees
 * it. The host learns that it is here, and nothing of it.
 */
const assemble = Effect.fn('wallets.assemble')(function* (opening: PortalOpening, unwrapped: Unwrapped) {
  const { record: walletId = '', sessionId = '', openingId, walletAddress } = opening
  const { userId } = unwrapped
  const exporting = exportingOf(opening)
  const active = unwrapped.activeShares.find((share) => share.walletId === walletId)
  if (exporting === undefined || active === undefined) return yield* new BackupDecryptionFailed()

  yield* report({ step: 'opening-backups' })
  const api = yield* Api
  const backups = (yield* listBackups(unwrapped)).filter((backup) => backup.walletId === walletId)
  const found = yield* openShare(opening, unwrapped, active, backups)
  const { wallets } = yield* api.call('listWallets', { path: { userId }, query: {} })
  const listed = wallets.find(({ id }) => id === walletId)
  if (found === undefined || listed === undefined) return yield* new BackupDecryptionFailed()
  const { share } = found.opened
  const address = Address.fromPublicKey(typeOf(listed), share.publicKey, listed.cosmosPrefix)
  if (address !== walletAddress || address !== listed.address) return yield* new ExportRefused()

  yield* report({ step: 'assembling' })
  const { share: text } = yield* insistently(api.call('getCapsuleShare', { path: { userId, walletId } }))
  const { shareId, epoch, serverPublic, publicKey } = share
  const binding = { walletId, shareId, epoch, openingId, sessionId, userId, serverPublic, publicKey }
  const provider = Export.open(binding, text, exporting.secretKey)
  exporting.secretKey.fill(0)
  const secret = provider && exportKey({ points, scalars }, share, provider)
  provider?.fill(0)
  share.secret.fill(0)
  if (secret === undefined) return yield* new ExportRefused()
  yield* tell(opening, 'accepted')
  return { secret, address } satisfies PrivateKey
})

/**
 * What came is not the other half of this wallet's key, or the wallet is not the one that was named: nothing is shown.
 */
export class ExportRefused extends Data.TaggedError('ExportRefused') {
  override readonly message = 'the key could not be put together'
}
