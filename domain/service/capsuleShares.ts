/** The provider's half of a key, for the one page that exports it (domain/service/README.md#key-export). */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { hostOf } from '../model/Url.ts'
import { Caller } from './Caller.ts'
import * as Export from './Export.ts'
import { exportable } from './exports.ts'
import { StepUpRequired } from './keyShares.ts'
import { NotFound } from './NotFound.ts'
import * as handshakes from './handshakes.ts'
import * as portalSessions from './portalSessions.ts'
import * as PortalSession from './PortalSession.ts'
import { find as findPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { CosignerEngine } from './ports/CosignerEngine.ts'
import { Exports } from './ports/Exports.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Deployment } from './ports/Deployment.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { ProviderShares } from './ports/ProviderShares.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { DeviceNotCertified, KeyShareOutOfDate } from './protocol/refusals.ts'
import { sessionOf } from './sessions.ts'
import { sendNotice } from './userMessages.ts'
import type { ActiveWallet } from './Wallet.ts'
import { Rates } from './rates.ts'

/**
 * Seals the provider's half to the page's own key. That it is counted and recorded, and the message to the user, are one
 * transaction before the answer leaves. The same page may ask again, which is recorded and told again. A session alone never gets it.
 */
export const getCapsuleShare = Effect.fn('capsuleShares.getCapsuleShare')(function* (userId: string, walletId: string) {
  const { portal: token } = yield* Caller
  if (token === undefined) {
    yield* sessionOf(userId)
    return yield* new StepUpRequired()
  }
  const portal = yield* portalSessions.portalOf(['export'], walletId)
  const { wallet, ...admitted } = yield* admit(portal, userId, walletId)
  const isFirst = admitted.asked.releasedAt === null
  if (isFirst) yield* requireFewExports(wallet, admitted.now)
  const [bucket, key] = isFirst ? (['exports', userId] as const) : (['repeated exports', portal.openingId] as const)
  yield* (yield* RateLimits).take(bucket, key, (yield* Rates).R7)
  const sealed = yield* seal(admitted, wallet)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('capsuleShares.get.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(walletId)
      const again = yield* admit(portal, userId, walletId)
      if (again.wallet.shareId !== wallet.shareId) return yield* new KeyShareOutOfDate()
      yield* release(again)
      yield* announce(again)
      yield* failpoints.reach('capsuleShares.get.within')
    }),
  )
  yield* failpoints.reach('capsuleShares.get.after')
  return sealed
})

/** Every condition but the daily count. Checked before the work and again after it. */
const admit = Effect.fnUntraced(function* (portal: PortalSession.PortalToken, userId: string, walletId: string) {
  const now = yield* Clock.currentTimeMillis
  const session = yield* portalSessions.sessionOfPortal(portal)
  const portalSession = Option.getOrUndefined(yield* (yield* PortalSessions).find(portal.openingId))
  if (portalSession === undefined || !PortalSession.isLive(portalSession, now))
    return yield* new portalSessions.LinkExpired()
  if (session.userId !== userId || (portalSession.userId ?? userId) !== userId) return yield* new NotFound()
  if (!Export.isSteppedUp(portalSession, now)) return yield* new StepUpRequired()
  const asked = Option.getOrUndefined(yield* (yield* Exports).find(walletId, portalSession.id))
  if (asked === undefined) return yield* new StepUpRequired()
  return { session, portalSession, asked, wallet: yield* exportable(session, walletId), now }
})

type Admitted = Effect.Success<ReturnType<typeof admit>>

const seal = Effect.fnUntraced(function* (
  { session, portalSession, asked, now }: Omit<Admitted, 'wallet'>,
  wallet: ActiveWallet,
) {
  const share = Option.getOrUndefined(yield* (yield* ProviderShares).find(wallet.id, wallet.shareId))
  if (share?.epoch !== wallet.epoch) return yield* new KeyShareOutOfDate()
  const answerer = Export.answererOf(session)
  const sealed =
    answerer === undefined
      ? undefined
      : yield* (yield* CosignerEngine).exportShare({
          walletId: wallet.id,
          epoch: wallet.epoch,
          shareId: hexToBytes(wallet.shareId),
          sealedShare: share.sealed,
          answerer,
          answer: { ...asked, portalSession, ticket: hexToBytes(yield* handshakes.ticketOf(portalSession)) },
          now,
        })
  if (sealed !== undefined) return sealed
  yield* record('share.export refused', { session, portalSession, wallet })
  return yield* new DeviceNotCertified()
})

const release = Effect.fnUntraced(function* (admitted: Admitted) {
  const { portalSession, asked, wallet, now } = admitted
  if (asked.releasedAt !== null) return yield* record('share.export repeated', admitted)
  yield* requireFewExports(wallet, now)
  yield* (yield* Exports).release(wallet.id, portalSession.id, now)
  yield* (yield* Wallets).markExported(wallet.id, now)
  yield* record('share.export', admitted)
})

const requireFewExports = Effect.fnUntraced(function* ({ id }: ActiveWallet, now: number) {
  const times = yield* (yield* Exports).releasedAfter(id, now - Export.exportLimits.day)
  if (times.length < Export.exportLimits.daily) return
  return yield* new TooManyExports({ retryAfterMs: Math.min(...times) + Export.exportLimits.day - now })
})

const record = Effect.fnUntraced(function* (
  event: string,
  { session, portalSession, wallet }: Pick<Admitted, 'session' | 'portalSession' | 'wallet'>,
) {
  yield* (yield* Audit).record({
    event,
    partnerId: session.partnerId,
    userId: session.userId ?? undefined,
    sessionId: session.id,
    subject: wallet.id,
    detail: { severity: 'HIGH', openingId: portalSession.id, epoch: wallet.epoch },
  })
})

const announce = Effect.fnUntraced(function* ({ session, portalSession, wallet }: Admitted) {
  const user = Option.getOrUndefined(yield* (yield* Users).find(session.userId ?? ''))
  if (user === undefined) return
  const partner = yield* findPartner(session.partnerId)
  const { operatorName } = yield* Deployment
  yield* sendNotice(user.identity, {
    subject: `A private key was exported from ${partner?.displayName ?? operatorName}`,
    text:
      `The private key of wallet ${wallet.address} was exported from ${session.origin ?? 'a server'}, on a page of ` +
      `${hostOf(portalSession.portalOrigin)}. Anyone who has it can use the wallet without you and without ${operatorName}.\n\n` +
      'If it was not you, move what the wallet holds to another wallet now.\n',
  })
})

/** The exports of this wallet within a day are used up. */
export class TooManyExports extends Data.TaggedError('TooManyExports')<{ readonly retryAfterMs: number }> {
  override readonly message = 'too many exports of this wallet'
}
