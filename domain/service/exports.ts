/** Which private keys may be exported, and to which page (domain/service/README.md#key-export). */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { readPublicKey } from '../crypto/Export.ts'
import { fromHex } from '../crypto/Hex.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { requireExportable, WalletNotFound } from '../model/WalletSelection.ts'
import * as Export from './Export.ts'
import type { PortalSessionRecord, PortalToken } from './PortalSession.ts'
import { allowsExports } from './Partner.ts'
import { find as findPartner } from './partners.ts'
import { Exports } from './ports/Exports.ts'
import { Wallets } from './ports/Wallets.ts'
import { KeyShareLocked } from './protocol/refusals.ts'
import { isLocked } from './protocol/walletStatus.ts'
import type { SessionRecord } from './Session.ts'
import { hasKey } from './Wallet.ts'

/** The wallet of the session's user, if its key may be exported now. */
export const exportable = Effect.fn('exports.exportable')(function* (session: SessionRecord, walletId: string) {
  if (session.state !== 'AUTHENTICATED') return yield* new NoSignedInUser()
  const partner = yield* findPartner(session.partnerId)
  if (partner === undefined || !allowsExports(partner)) return yield* new ExportNotAllowed()
  const found = Option.getOrUndefined(yield* (yield* Wallets).find(walletId))
  const isOwn = found !== undefined && found.userId === session.userId && found.partnerId === session.partnerId
  const wallet = isOwn && hasKey(found) ? found : undefined
  yield* Effect.fromResult(requireExportable(wallet))
  if (wallet === undefined) return yield* new WalletNotFound()
  if (wallet.state !== 'ACTIVE' || (yield* isLocked(wallet))) return yield* new KeyShareLocked()
  return wallet
})

export type RecipientToKeep = {
  readonly recipientPublicKey?: string | undefined
  readonly deviceSignature?: string | undefined
  readonly hostSecretHash?: string | undefined
}

/**
 * Keeps the page's own key with its portal session, if the session's device signed its answer to the page that has it.
 * Answers whether it did.
 */
export const keepRecipient = Effect.fn('exports.keepRecipient')(function* (
  portalSession: PortalSessionRecord,
  { devicePublicKey }: SessionRecord,
  ticket: Uint8Array,
  { recipientPublicKey = '', deviceSignature = '', hostSecretHash = '' }: RecipientToKeep,
) {
  const { id: openingId, recordId: walletId } = portalSession
  const isWhole =
    readPublicKey(recipientPublicKey) !== undefined &&
    fromHex(deviceSignature, 64) !== undefined &&
    fromHex(hostSecretHash, 32) !== undefined
  if (!isWhole || walletId === null || devicePublicKey === null) return false
  const kept = { recipientPublicKey, deviceSignature, hostSecretHash }
  if (!Export.isAnswer(hexToBytes(devicePublicKey), { ...kept, portalSession, ticket })) return false
  yield* (yield* Exports).create({ ...kept, walletId, openingId, createdAt: yield* Clock.currentTimeMillis })
  return true
})

/**
 * What a password's proof on this page covers beside its challenge: the key to which something is sealed afterwards. On a
 * review page nothing is.
 */
export const provenKey = Effect.fn('exports.provenKey')(function* (portal: PortalToken, session: SessionRecord) {
  if (portal.page === 'review') return new Uint8Array(0)
  const recipient = yield* recipientOf(portal)
  return recipient ?? hexToBytes(session.loginKeyThumbprint ?? '')
})

/** The page's own key, on an export page. */
export const recipientOf = Effect.fn('exports.recipientOf')(function* ({ page, record, openingId }: PortalToken) {
  if (page !== 'export') return undefined
  const kept = Option.getOrUndefined(yield* (yield* Exports).find(record ?? '', openingId))
  return hexToBytes(kept?.recipientPublicKey ?? '')
})

/** The partner has switched exports off. */
export class ExportNotAllowed extends Data.TaggedError('ExportNotAllowed') {
  override readonly message = 'private key export is not allowed'
}
