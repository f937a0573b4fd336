import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
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
import { exportingOf, tell, type PortalSession } from './portalSession.ts'
import type { Unwrapped } from './unwrapKeys.ts'

/** The whole key: 32 bytes, big-endian, and the wallet's address. */
export type PrivateKey = { readonly secret: Uint8Array; readonly address: string }

export const exportWithPassword = Effect.fn('wallets.exportWithPassword')(function* (
  portalSession: PortalSession,
  password: Redacted.Redacted,
) {
  return yield* assemble(portalSession, yield* openWithPassword(portalSession, password))
})

export const exportWithPasskey = Effect.fn('wallets.exportWithPasskey')(function* (portalSession: PortalSession) {
  return yield* assemble(portalSession, yield* openWithPasskey(portalSession))
})

/**
 * Puts the key together: the user's half from the backup for the credential that was just proven, the provider's half
 * as it was sealed to this page. Both halves, their sum and the address are checked before the key is shown. The host
 * learns only that it is there (domain/client/README.md#key-export).
 */
const assemble = Effect.fn('wallets.assemble')(function* (portalSession: PortalSession, unwrapped: Unwrapped) {
  const { record: walletId = '', sessionId = '', openingId, walletAddress } = portalSession
  const { userId } = unwrapped
  const exporting = exportingOf(portalSession)
  const active = unwrapped.activeShares.find((share) => share.walletId === walletId)
  if (exporting === undefined || active === undefined) return yield* new BackupDecryptionFailed()

  yield* report({ step: 'opening-backups' })
  const api = yield* Api
  const backups = (yield* listBackups(unwrapped)).filter((backup) => backup.walletId === walletId)
  const found = yield* openShare(portalSession, unwrapped, active, backups)
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
  yield* tell(portalSession, 'accepted')
  return { secret, address } satisfies PrivateKey
})

/**
 * What came is not the other half of this wallet's key, or the wallet is not the one that was named: nothing is shown.
 */
export class ExportRefused extends Data.TaggedError('ExportRefused') {
  override readonly message = 'the key could not be put together'
}
