/**
 * The host's side of the return by redirect (domain/client/README.md#return-by-redirect). The partner's registered
 * address receives the portal session's id and a code in its fragment, strips it, and hands both to the waiting tab.
 * The session that they belong to redeems them, which is the commit. A document without that session learns nothing.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as v from 'valibot'
import { fromHex } from '../crypto/Hex.ts'
import * as OpenerMessages from '../crypto/Opener.ts'
import { isSilence } from '../model/ApiError.ts'
import * as Json from '../model/Json.ts'
import {
  forgetUnredeemed,
  keepPortalSessionSecret,
  keepUnredeemed,
  unredeemed,
  type PortalSessionSecret,
} from './portalSessionSecret.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Tabs } from './ports/Tabs.ts'
import { insistently } from './runProtocol.ts'
import { loginPair } from './sessionKeys.ts'
import { currentSession } from './touch.ts'
import { underWay } from './underWay.ts'

const channel = 'tandem:login'

/** How long the waiting tab may take. */
const takenWithin = '3 seconds'

/** `taken`: another tab goes on with it; `kept`: this one does; `nothing`: there was no code, or none for this tab. */
export type Return = 'taken' | 'kept' | 'nothing'

/** For the page at the registered address, when it loads. It has taken the fragment out of its address already. */
export const returnFromPortal = Effect.fn('portalSessions.returnFromPortal')(function* (url: string) {
  const returned = readFragment(url)
  if (returned === undefined) return 'nothing' satisfies Return

  if (yield* handOver(returned)) return 'taken' satisfies Return
  // Only a tab that began a login or a sign-up continues it: a link from elsewhere signs no one in.
  const { sessionId } = yield* currentSession
  const isBegun = Option.isSome(yield* loginPair(sessionId)) || (yield* isSettingUp)
  const isKept = isBegun && (yield* redeem(returned).pipe(Effect.orElseSucceed(() => false)))
  const outcome: Return = isKept ? 'kept' : 'nothing'
  return outcome
}, Effect.scoped)

/** For the waiting tab: the page may return in another one. */
export const awaitReturn = Effect.gen(function* () {
  const done = yield* Deferred.make<OpenerMessages.Done>()
  yield* Effect.forkScoped(takeReturn((openingId) => Deferred.succeed(done, returned(openingId))))
  return { done: Deferred.await(done), gone: Effect.never }
})

/**
 * The same if the tab has no window of its own, as after a reload. Only a returned page can end its wait, and one may
 * have returned before the reload.
 */
export const resumeReturn = Effect.gen(function* () {
  const waiting = yield* awaitReturn
  const left = yield* unredeemed
  if (Option.isSome(left)) yield* Effect.forkScoped(Effect.ignore(redeem(left.value)))
  return waiting
})

/** A returned page counts as one that said it is done. */
const returned = (openingId: string): OpenerMessages.Done => ({ v: 1, type: 'tandem.done', openingId, result: 'login' })

/** Redeems codes of this tab's own session, and says so to the page that brought them. */
const takeReturn = Effect.fn('portalSessions.takeReturn')(function* (
  taken: (openingId: string) => Effect.Effect<unknown>,
) {
  const tabs = yield* Tabs
  const inbox = yield* tabs.messages(channel)
  for (;;) {
    const returned = readReturn(yield* Queue.take(inbox))
    if (returned === undefined) continue
    const isOurs = yield* redeem(returned).pipe(Effect.orElseSucceed(() => false))
    if (!isOurs) continue
    yield* tabs.post(channel, { type: 'taken', openingId: returned.openingId })
    yield* taken(returned.openingId)
  }
})

/**
 * The commit: by the session that the portal session belongs to, signed by its device. Without an answer the code is
 * kept; a refused one was not for this tab.
 */
const redeem = Effect.fn('portalSessions.redeem')(function* (returned: PortalSessionSecret) {
  const { sessionId } = yield* currentSession
  if (Option.isNone(yield* (yield* DeviceKeys).find(sessionId))) return false
  yield* keepUnredeemed(returned)
  yield* Effect.tapError(redeemCode(returned), (error) => (isSilence(error) ? Effect.void : forgetUnredeemed))
  yield* keepPortalSessionSecret(returned)
  return true
})

/** The first call is the commit; a second one brings the certificate of the session's device. */
export const redeemCode = Effect.fn('portalSessions.redeemCode')(function* (
  { openingId, secret }: PortalSessionSecret,
  deviceCertificate?: string,
) {
  const proof = bytesToHex(OpenerMessages.redeemProof(secret))
  const body = { proof, ...(deviceCertificate === undefined ? {} : { deviceCertificate }) }
  yield* insistently((yield* Api).call('redeemOpening', { path: { openingId }, body }))
})

const isSettingUp = Effect.map(underWay, (portalSession) =>
  Option.exists(portalSession, ({ kind }) => kind === 'set-up'),
)

const handOver = Effect.fn('portalSessions.handOver')(function* ({ openingId, secret }: PortalSessionSecret) {
  const tabs = yield* Tabs
  const inbox = yield* tabs.messages(channel)
  yield* tabs.post(channel, { type: 'returned', openingId, code: bytesToHex(secret) })
  const isTaken = Effect.repeat(
    Effect.map(Queue.take(inbox), (message) => Json.check(takenMessage, message)?.openingId === openingId),
    { until: (taken) => taken },
  )
  return yield* Effect.timeoutOrElse(isTaken, { duration: takenWithin, orElse: () => Effect.succeed(false) })
})

const readFragment = (url: string): PortalSessionSecret | undefined => {
  const [, openingId, code = ''] = /#tandem=([0-9a-f-]{36})\.([0-9a-f]{64})$/.exec(url) ?? []
  const secret = fromHex(code, 32)
  return openingId === undefined || secret === undefined ? undefined : { openingId, secret, kind: 'code' }
}

const readReturn = (message: unknown): PortalSessionSecret | undefined => {
  const { openingId, code } = Json.check(returnedMessage, message) ?? {}
  const secret = fromHex(code ?? '', 32)
  return openingId === undefined || secret === undefined ? undefined : { openingId, secret, kind: 'code' }
}

const returnedMessage = v.object({ type: v.literal('returned'), openingId: v.string(), code: v.string() })

const takenMessage = v.object({ type: v.literal('taken'), openingId: v.string() })
