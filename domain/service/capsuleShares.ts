/** The provider's half of a key, for the one page that exports it (design 8.27; mpc-review 18; security 1.2, 7). */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Identity from '../model/Identity.ts'
import { displayName } from '../model/Provider.ts'
import { Caller } from './Caller.ts'
import * as Export from './Export.ts'
import { exportable } from './exports.ts'
import { StepUpRequired } from './keyShares.ts'
import { NotFound } from './NotFound.ts'
import * as openings from './openings.ts'
import * as Opening from './Opening.ts'
import { hostOf } from './Partner.ts'
import { find as findPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { CosignerEngine } from './ports/CosignerEngine.ts'
import { Exports } from './ports/Exports.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Mail } from './ports/Mail.ts'
import { Openings } from './ports/Openings.ts'
import { ProviderShares } from './ports/ProviderShares.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { DeviceNotCertified, KeyShareOutOfDate } from './protocol/refusals.ts'
import { sessionOf } from './sessions.ts'
import type { ActiveWallet } from './Wallet.ts'

/**
 * Seals the provider's half to the page's own key. It is counted and recorded, and the message that tells the user is
 * handed over for delivery, before the answer leaves; that it arrives nobody can promise. The same page may ask again,
 * which is recorded and told again. A session alone never gets it.
 */
export const getCapsuleShare = Effect.fn('capsuleShares.getCapsuleShare')(function* (userId: string, walletId: string) {
  const { portal: token } = yield* Caller
  if (token === undefined) {
    yield* sessionOf(userId)
    return yield* new StepUpRequired()
  }
  const portal = yield* openings.portalOf(['export'], walletId)
  const { wallet, ...admitted } = yield* admit(portal, userId, walletId)
  const isFirst = admitted.asked.releasedAt === null
  if (isFirst) yield* requireFewExports(wallet, admitted.now)
  const [bucket, key] = isFirst ? (['exports', userId] as const) : (['repeated exports', portal.openingId] as const)
  yield* (yield* RateLimits).take(bucket, key, Export.limits.asks)
  const sealed = yield* seal(admitted, wallet)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('capsuleShares.get.before')
  const released = (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(walletId)
      const again = yield* admit(portal, userId, walletId)
      if (again.wallet.shareId !== wallet.shareId) return yield* new KeyShareOutOfDate()
      yield* release(again)
      yield* failpoints.reach('capsuleShares.get.within')
      return again
    }),
  )
  // Whoever goes away in between hides nothing.
  yield* Effect.uninterruptible(Effect.flatMap(released, announce))
  yield* failpoints.reach('capsuleShares.get.after')
  return sealed
})

/** Every condition but the daily count. They hold before the work and again after it. */
const admit = Effect.fnUntraced(function* (portal: Opening.PortalToken, userId: string, walletId: string) {
  const now = yield* Clock.currentTimeMillis
  const session = yield* openings.sessionOfPortal(portal)
  const opening = Option.getOrUndefined(yield* (yield* Openings).find(portal.openingId))
  if (opening === undefined || !Opening.isLive(opening, now)) return yield* new openings.LinkExpired()
  if (session.userId !== userId || (opening.userId ?? userId) !== userId) return yield* new NotFound()
  if (!Export.isSteppedUp(opening, now)) return yield* new StepUpRequired()
  const asked = Option.getOrUndefined(yield* (yield* Exports).find(walletId, opening.id))
  if (asked === undefined) return yield* new StepUpRequired()
  return { session, opening, asked, wallet: yield* exportable(session, walletId), now }
})

type Admitted = Effect.Success<ReturnType<typeof admit>>

const seal = Effect.fnUntraced(function* (
  { session, opening, asked, now }: Omit<Admitted, 'wallet'>,
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
          answer: { ...asked, opening, ticket: hexToBytes(yield* openings.ticketOf(opening)) },
          now,
        })
  if (sealed !== undefined) return sealed
  yield* record('share.export refused', { session, opening, wallet })
  return yield* new DeviceNotCertified()
})

const release = Effect.fnUntraced(function* (admitted: Admitted) {
  const { opening, asked, wallet, now } = admitted
  if (asked.releasedAt !== null) return yield* record('share.export repeated', admitted)
  yield* requireFewExports(wallet, now)
  yield* (yield* Exports).release(wallet.id, opening.id, now)
  yield* (yield* Wallets).markExported(wallet.id, now)
  yield* record('share.export', admitted)
})

const requireFewExports = Effect.fnUntraced(function* ({ id }: ActiveWallet, now: number) {
  const times = yield* (yield* Exports).releasedAfter(id, now - Export.limits.day)
  if (times.length < Export.limits.daily) return
  return yield* new TooManyExports({ retryAfterMs: Math.min(...times) + Export.limits.day - now })
})

const record = Effect.fnUntraced(function* (
  event: string,
  { session, opening, wallet }: Pick<Admitted, 'session' | 'opening' | 'wallet'>,
) {
  yield* (yield* Audit).record({
    event,
    partnerId: session.partnerId,
    userId: session.userId ?? undefined,
    sessionId: session.id,
    subject: wallet.id,
    detail: { severity: 'HIGH', openingId: opening.id, epoch: wallet.epoch },
  })
})

const announce = Effect.fnUntraced(function* ({ session, opening, wallet }: Admitted) {
  const user = Option.getOrUndefined(yield* (yield* Users).find(session.userId ?? ''))
  if (user?.identity.kind !== 'email') return
  const partner = yield* findPartner(session.partnerId)
  yield* (yield* Mail).send({
    to: Identity.value(user.identity),
    subject: `A private key was exported from ${partner?.displayName ?? displayName}`,
    text:
      `The private key of wallet ${wallet.address} was exported from ${session.origin ?? 'a server'}, on a page of ` +
      `${hostOf(opening.portalOrigin)}. Whoever has it can use the wallet without you and without ${displayName}.\n\n` +
      'If it was not you, move what the wallet holds to another wallet now.\n',
  })
})

/** So many exports of one wallet within a day are somebody else's. */
export class TooManyExports extends Data.TaggedError('TooManyExports')<{ readonly retryAfterMs: number }> {
  override readonly message = 'too many exports of this wallet'
}
