/** Sessions of host pages: domain/service/README.md#sessions. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import { isOver } from '../model/Recovery.ts'
import { newDeviceLookupId, NoSignedInUser } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import { giveUp } from './endedRecoveries.ts'
import { tell } from './events.ts'
import { NotFound } from './NotFound.ts'
import * as PortalSession from './PortalSession.ts'
import type { PartnerRecord } from './Partner.ts'
import { callersPartner, OriginNotAllowed, requireOrigin } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import type { ChallengeHolder } from './ports/Challenges.ts'
import { topicOf } from './ports/Notifications.ts'
import { Delegations } from './ports/Delegations.ts'
import { Deployment } from './ports/Deployment.ts'
import { Partners } from './ports/Partners.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { Reply } from './ports/Reply.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions, type RegisteredKeys } from './ports/Sessions.ts'
import { TemporaryShares } from './ports/TemporaryShares.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { endOfSession } from './protocol/ending.ts'
import * as Session from './Session.ts'
import { waitFor } from './waiting.ts'

/** The session of a token, in any state. */
export const findByToken = Effect.fnUntraced(function* (token: string) {
  return yield* (yield* Sessions).findByToken(yield* macOf(token))
})

/** The live session of a token. Reading it restarts the idle time. */
export const fromToken = Effect.fnUntraced(function* (token: string) {
  const sessions = yield* Sessions
  const now = yield* Clock.currentTimeMillis
  const session = Option.filter(yield* findByToken(token), (found) => Session.isLive(found, now))
  if (Option.isSome(session) && needsUseNoted(session.value, now)) yield* sessions.use(session.value.id, now)
  return session
})

/**
 * The live session of a token that came in a cookie. Browsers send cookies unasked, so it counts only for the page that began the
 * session, with a key of its partner.
 */
export const fromCookie = Effect.fn('sessions.fromCookie')(function* (
  token: string,
  page: { readonly partnerId: string; readonly origin: string },
) {
  const now = yield* Clock.currentTimeMillis
  const isTheirs = ({ partnerId, origin }: Session.SessionRecord) =>
    partnerId === page.partnerId && origin === page.origin
  return Option.filter(yield* findByToken(token), (found) => Session.isLive(found, now) && isTheirs(found))
})

/**
 * Answers the caller's session, or begins one. With `regenerate` it exchanges the token, if the session's device key
 * signed the request, or if an unauthenticated session has no such key; a superseded one gives its proof to no other
 * (domain/service/README.md#sessions).
 */
export const touchSession = Effect.fnUntraced(function* (regenerate: boolean) {
  const caller = yield* Caller
  const partner = yield* callersPartner
  const session = caller.session?.partnerId === partner.id ? caller.session : undefined
  if (session === undefined) return yield* describe(yield* begin(partner), partner)
  if (!isOwnPage(session, caller.origin)) return yield* new OriginNotAllowed()
  if (!regenerate || session.delegation !== null)
    return yield* caller.waitSeconds > 0 ? watch(session, partner) : describe(session, partner)
  if (session.state === 'AUTHENTICATED') {
    if (isProven(session, caller)) yield* rotate(session)
    return yield* describe(session, partner)
  }
  if (!maySupersede(session, caller)) return yield* describe(session, partner)
  const latest = yield* supersede(session.id)
  return yield* describe(latest ?? (yield* begin(partner)), partner)
})

/** The origin of a session, for that session and for the portal pages that it opened. */
export const getSessionOrigin = Effect.fn('sessions.getSessionOrigin')(function* (lookupId: string) {
  const { session, portal } = yield* Caller
  const found = Option.getOrUndefined(yield* (yield* Sessions).findByLookupId(lookupId))
  const isOwn = found !== undefined && (found.id === session?.id || found.id === portal?.sessionId)
  return isOwn ? found.origin : yield* new NotFound()
})

export type KeysToRegister = {
  readonly sessionId: string
  /** pemhex */
  readonly loginPublicKey?: string | undefined
  /** hex(65) */
  readonly devicePublicKey: string
  /** hex(64) */
  readonly recoveryPublicKey?: string | undefined
  /** hex(64) */
  readonly proof: string
}

/**
 * Stores the host page's keys. The device key is written once; the other two change only under its signature. A first
 * device key after authentication comes alone and signs frames, not requests: the public client's worker makes it.
 */
export const registerSessionKeys = Effect.fn('sessions.registerSessionKeys')(function* (keys: KeysToRegister) {
  const sessions = yield* Sessions
  const portalSessions = yield* PortalSessions
  const caller = yield* Caller
  const session = yield* startingSession
  if (session.id !== keys.sessionId) return yield* new NotFound()
  if (session.origin !== (caller.origin ?? null)) return yield* new OriginNotAllowed()
  const read = readKeys(keys)
  if (read === undefined) return yield* new InvalidSessionKeys()

  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = yield* lockSession(session.id)
      const isFirst = locked.devicePublicKey === null
      if (isFirst && locked.state === 'AUTHENTICATED' && bringsMore(keys)) return yield* new InvalidSessionKeys()
      if (!isFirst && locked.devicePublicKey !== read.devicePublicKey) return yield* new DeviceKeyIsSet()

      const now = yield* Clock.currentTimeMillis
      const changesLoginKey = read.loginPublicKey !== null && read.loginPublicKey !== locked.loginPublicKey
      const inUse = (yield* portalSessions.ofSession(session.id, now)).some((portalSession) =>
        PortalSession.usesKeys(portalSession, now),
      )
      if (changesLoginKey && inUse) return yield* new LoginKeyInUse()

      const registered: RegisteredKeys = {
        devicePublicKey: read.devicePublicKey,
        deviceKeyThumb: read.deviceKeyThumb,
        deviceSignsRequests: isFirst ? locked.state !== 'AUTHENTICATED' : locked.deviceSignsRequests,
        loginPublicKey: read.loginPublicKey ?? locked.loginPublicKey,
        loginKeyThumbprint: read.loginKeyThumbprint ?? locked.loginKeyThumbprint,
        recoveryPublicKey: read.recoveryPublicKey ?? locked.recoveryPublicKey,
      }
      if (!(yield* sessions.registerKeys(session.id, registered))) return yield* new DeviceKeyIsSet()
      if (isFirst) yield* record('session.keys registered', session)
      return { loginKeyThumbprint: registered.loginKeyThumbprint }
    }),
  )
})

/** Extends the idle time and does nothing else. */
export const keepSessionAlive = Effect.fn('sessions.keepSessionAlive')(function* (userId: string) {
  const session = yield* sessionOf(userId)
  yield* (yield* Sessions).use(session.id, yield* Clock.currentTimeMillis)
})

/** Ends the session of the header, if there is one, and its recovery. Cookies are not read. */
export const logout = Effect.fn('sessions.logout')(function* () {
  const { session, partner } = yield* Caller
  if (session === undefined) return
  yield* (yield* Transaction).atomically(endSession(session, partner))
})

/** Ends a session with all that is under way in it, in the surrounding transaction. `partner`: its own, who is told. */
const endSession = Effect.fnUntraced(function* (session: Session.SessionRecord, partner: PartnerRecord | undefined) {
  const sessions = yield* Sessions
  yield* sessions.lock(session.id)
  const recovery = Option.filter(yield* (yield* Recoveries).find(session.id), ({ state }) => !isOver(state))
  if (Option.isSome(recovery)) {
    yield* (yield* Users).lock(recovery.value.userId)
    yield* giveUp([recovery.value], 'CANCELLED')
  }
  yield* sessions.close(session.id, yield* Clock.currentTimeMillis)
  yield* endDelegationsOf(session.id)
  yield* (yield* PortalSessions).closeOfSession(session.id)
  yield* (yield* Passwords).removeUnfinished(session.id)
  yield* (yield* Passkeys).removeUnfinished(session.id)
  yield* endWork(session.id)
  yield* record('session.ended', session)
  if (session.state === 'AUTHENTICATED' && session.userId !== null && session.delegation === null)
    yield* tell(partner, 'session.ended', { userId: session.userId, sessionLookupId: session.lookupId })
})

/** Ends every session of a user, with all that is under way in them. Says how many there were. In the surrounding transaction. */
export const endSessionsOf = Effect.fn('sessions.endOfUser')(function* (userId: string) {
  const [sessions, partners] = [yield* Sessions, yield* Partners]
  const ids = yield* sessions.idsOfUser(userId)
  for (const id of ids) {
    const session = Option.getOrUndefined(yield* sessions.lock(id))
    // A delegated one ended with the session that made it.
    if (session === undefined || session.state === 'CLOSED') continue
    yield* endSession(session, Option.getOrUndefined(yield* partners.find(session.partnerId)))
  }
  return ids.length
})

/** Ends what the session has delegated. Its row is locked, so that it delegates nothing meanwhile. */
const endDelegationsOf = Effect.fn('sessions.endDelegationsOf')(function* (parentId: string) {
  for (const id of yield* (yield* Delegations).idsOf(parentId)) yield* closeDelegation(id)
})

/** Ends a delegated session with its runs. */
export const closeDelegation = Effect.fn('sessions.closeDelegation')(function* (id: string) {
  const sessions = yield* Sessions
  const session = Option.getOrUndefined(yield* sessions.lock(id))
  if (session === undefined || session.state === 'CLOSED') return
  yield* sessions.close(id, yield* Clock.currentTimeMillis)
  yield* endWork(id)
  yield* record('delegation.ended', session)
})

/** What ends elsewhere with a session: its runs are ended, its temporary shares deleted. */
export const endWork = Effect.fn('sessions.endWork')(function* (sessionId: string) {
  yield* endOfSession(sessionId)
  const session = Option.getOrUndefined(yield* (yield* Sessions).find(sessionId))
  if (session === undefined) return
  const shares = yield* TemporaryShares
  yield* shares.remove(session.lookupId)
  yield* shares.remove(newDeviceLookupId(session.lookupId))
})

/**
 * The session on another device that asks for this user's shares. It has to be of this partner and already
 * authenticated as the same user: a link could otherwise name a stranger's session.
 */
export const newDevice = Effect.fn('sessions.newDevice')(function* (device: {
  readonly lookupId: string
  readonly partnerId: string
  readonly userId: string
}) {
  const suffix = newDeviceLookupId('')
  const lookupId = device.lookupId.endsWith(suffix) ? device.lookupId.slice(0, -suffix.length) : device.lookupId
  return (yield* authenticatedSession({ ...device, lookupId })) ?? (yield* new NotFound())
})

/** The partner's live session of this lookup id, if it is authenticated as the user. */
export const authenticatedSession = Effect.fn('sessions.authenticatedSession')(function* (of: {
  readonly lookupId: string
  readonly partnerId: string
  readonly userId: string
}) {
  const found = Option.getOrUndefined(yield* (yield* Sessions).findByLookupId(of.lookupId))
  const isTheirs =
    found?.partnerId === of.partnerId &&
    Session.isLive(found, yield* Clock.currentTimeMillis) &&
    Session.isAuthenticatedAs(found, of.userId)
  return isTheirs ? found : undefined
})

/** Deletes sessions and portal sessions that ended. `adapters/service/upkeep.ts` schedules it. */
export const sweep = Effect.fn('sessions.sweep')(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Sessions).sweep(now)
  yield* (yield* PortalSessions).sweep(now - PortalSession.portalSessionLimits.kept)
})

/** The caller's session, in any state, of the partner whose key came with it. */
export const callersSession = Effect.gen(function* () {
  const { session, partner, origin } = yield* Caller
  const isPartners = partner === undefined || session?.partnerId === partner.id
  if (session === undefined || !isPartners) return yield* new NoSignedInUser()
  return isOwnPage(session, origin) ? session : yield* new OriginNotAllowed()
})

/** The same for calls that begin something: a superseded token only finishes what it began. */
export const startingSession = Effect.gen(function* () {
  const session = yield* callersSession
  return Session.startsThings(session) ? session : yield* new NoSignedInUser()
})

/** The same for calls that may also begin a session. */
export const startingOrNewSession = Effect.gen(function* () {
  const { session } = yield* Caller
  return session === undefined ? yield* begin(yield* callersPartner) : yield* startingSession
})

/** Locks a session within the surrounding transaction. It may have been closed or deleted since its request found it. */
export const lockSession = Effect.fnUntraced(function* (sessionId: string) {
  const locked = Option.getOrUndefined(yield* (yield* Sessions).lock(sessionId))
  return locked === undefined || locked.state === 'CLOSED' ? yield* new NoSignedInUser() : locked
})

/** The caller's session, authenticated as this user. */
export const sessionOf = Effect.fnUntraced(function* (userId: string) {
  const session = yield* callersSession
  if (session.state !== 'AUTHENTICATED') return yield* new NoSignedInUser()
  return session.userId === userId ? session : yield* new NotFound()
})

/** The same; or the session whose READY recovery is of this user, with that recovery. */
export const recoveringSessionOf = Effect.fn('sessions.recoveringSessionOf')(function* (userId: string) {
  const { recovery } = yield* Caller
  if (recovery?.state !== 'READY') return { session: yield* sessionOf(userId), recovery: undefined }
  const session = yield* callersSession
  return recovery.userId === userId ? { session, recovery } : yield* new NotFound()
})

/** The caller's session, if its user is proven and is this one: VERIFIED or AUTHENTICATED. */
export const provenSession = Effect.fn('sessions.provenSession')(function* (userId: string) {
  const session = yield* callersSession
  if (!session.userProven) return yield* new NoSignedInUser()
  return session.userId === userId ? session : yield* new NotFound()
})

/** The same, or a portal session of this user; on a page for the session's own user once they have shown a credential. */
export const provenCaller = Effect.fn('sessions.provenCaller')(function* (userId: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return { sessionId: (yield* provenSession(userId)).id } satisfies ChallengeHolder
  const proven = PortalSession.provenUserOf(portal)
  if (proven === null) return yield* new NoSignedInUser()
  return proven === userId ? ({ openingId: portal.openingId } satisfies ChallengeHolder) : yield* new NotFound()
})

/** A session is bound to the origin that began it. Calls without an origin come from servers and tests. */
const isOwnPage = (session: Session.SessionRecord, origin: string | undefined) =>
  origin === undefined || origin === session.origin

/** The session's own device key signed this request. */
const isProven = (session: Session.SessionRecord, caller: Caller) => session.deviceSignsRequests && caller.device

/**
 * Before authentication a session is superseded by a new one whenever that is asked for, unless it has a device key:
 * then its signature is needed, and a stolen token alone changes nothing.
 */
const maySupersede = (session: Session.SessionRecord, caller: Caller) => !session.deviceSignsRequests || caller.device

const begin = Effect.fnUntraced(function* (partner: PartnerRecord) {
  const { origin } = yield* Caller
  yield* requireOrigin(partner)
  return yield* create({
    partnerId: partner.id,
    origin: origin ?? null,
    state: 'NEW',
    userId: null,
    userProven: false,
    identity: null,
  })
})

/**
 * A new record with the same identity and proofs. The old one lives on for `sessionLimits.retiring`, to finish what it
 * began. None for a session that is superseded already or has ended: its proofs are in one record at a time.
 */
const supersede = Effect.fnUntraced(function* (sessionId: string) {
  const sessions = yield* Sessions
  const caller = yield* Caller
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = Option.getOrUndefined(yield* sessions.lock(sessionId))
      const now = yield* Clock.currentTimeMillis
      if (locked === undefined || !Session.isLive(locked, now)) return undefined
      if (locked.state === 'AUTHENTICATED' || !maySupersede(locked, caller)) return locked
      if (!Session.startsThings(locked)) return undefined
      yield* sessions.supersede(locked.id, now + Session.sessionLimits.retiring)
      return yield* create(locked)
    }),
  )
})

type Beginning = Pick<Session.SessionRecord, 'partnerId' | 'origin' | 'state' | 'userId' | 'userProven' | 'identity'>

const create = Effect.fnUntraced(function* (beginning: Beginning) {
  const made = yield* insert(beginning)
  // Where the clock was set forward meanwhile, upkeep may have deleted it.
  return Option.isSome(made) ? made.value : Option.getOrThrow(yield* insert(beginning))
})

const insert = Effect.fnUntraced(function* (beginning: Beginning) {
  const { partnerId, origin, state, userId, userProven, identity } = beginning
  const sessions = yield* Sessions
  const random = yield* SecureRandom
  const token = yield* random.token
  const id = yield* random.uuid
  const lookupId = yield* random.uuid
  const now = yield* Clock.currentTimeMillis
  yield* sessions.create(
    { id, lookupId, partnerId, origin, state, userId, userProven, identity, now },
    yield* macOf(token),
  )
  yield* (yield* Reply).setSessionToken(token)
  return yield* sessions.find(id)
})

const rotate = Effect.fnUntraced(function* (session: Session.SessionRecord) {
  const { token: old } = yield* Caller
  const token = yield* (yield* SecureRandom).token
  const now = yield* Clock.currentTimeMillis
  const replacement = {
    sessionId: session.id,
    oldTokenMac: yield* macOf(old === undefined ? '' : Redacted.value(old)),
    tokenMac: yield* macOf(token),
    retiresAt: now + Session.sessionLimits.retiring,
    now,
  }
  yield* (yield* Transaction).atomically(
    Effect.andThen((yield* Sessions).replaceToken(replacement), record('session.token replaced', session)),
  )
  yield* (yield* Reply).setSessionToken(token)
})

/** With `Prefer: wait`, answers as soon as something of the session has changed. */
const watch = Effect.fnUntraced(function* (session: Session.SessionRecord, partner: PartnerRecord) {
  const sessions = yield* Sessions
  const before = newsOf(session)
  const latest = yield* waitFor(sessions.find(session.id), {
    topic: topicOf.session(session.id),
    hasNews: Option.match({ onNone: () => true, onSome: (current) => newsOf(current) !== before }),
  })
  const now = yield* Clock.currentTimeMillis
  const live = Option.getOrUndefined(Option.filter(latest, (current) => Session.isLive(current, now)))
  return yield* describe(live ?? (yield* begin(partner)), partner)
})

const newsOf = ({ state, userId, userProven, currentWalletIds, needsWallet, openingResult }: Session.SessionRecord) =>
  JSON.stringify([state, userProven ? userId : null, currentWalletIds, needsWallet, openingResult?.openingId ?? null])

const describe = Effect.fnUntraced(function* (session: Session.SessionRecord, partner: PartnerRecord) {
  const isAuthenticated = session.state === 'AUTHENTICATED'
  const userId = session.userProven ? session.userId : null
  return {
    session,
    isAuthenticated,
    userId,
    identity: userId === null ? null : session.userIdentity,
    currentWalletIds: session.currentWalletIds,
    needsWallet: session.needsWallet,
    openingResult: session.openingResult,
    delegation: session.delegation,
    supportedWalletTypes: partner.supportedWalletTypes,
    cosmosPrefix: partner.cosmosPrefix,
    serverTime: yield* Clock.currentTimeMillis,
    operatorName: (yield* Deployment).operatorName,
  }
})

const readKeys = (keys: KeysToRegister) => {
  const devicePublicKey = fromHex(keys.devicePublicKey, DeviceKey.publicKeyLength)
  const recoveryPublicKey = keys.recoveryPublicKey === undefined ? undefined : fromHex(keys.recoveryPublicKey, 64)
  const loginKeyThumbprint =
    keys.loginPublicKey === undefined ? undefined : RsaKey.loginKeyThumbprint(keys.loginPublicKey)
  const proof = fromHex(keys.proof, DeviceKey.signatureLength)
  if (devicePublicKey === undefined || !DeviceKey.isPublicKey(devicePublicKey) || proof === undefined) return undefined
  if (keys.loginPublicKey !== undefined && loginKeyThumbprint === undefined) return undefined
  if (keys.recoveryPublicKey !== undefined) {
    if (recoveryPublicKey === undefined || !RecoverySecret.isPublicKey(recoveryPublicKey)) return undefined
  }
  const { sessionId, loginPublicKey } = keys
  const message = DeviceKey.sessionKeysMessage({ sessionId, loginPublicKey, devicePublicKey, recoveryPublicKey })
  if (!DeviceKey.verify(devicePublicKey, message, proof)) return undefined
  return {
    devicePublicKey: keys.devicePublicKey,
    deviceKeyThumb: bytesToHex(DeviceKey.thumbprint(devicePublicKey)),
    loginPublicKey: keys.loginPublicKey ?? null,
    loginKeyThumbprint: loginKeyThumbprint === undefined ? null : bytesToHex(loginKeyThumbprint),
    recoveryPublicKey: keys.recoveryPublicKey ?? null,
  }
}

const bringsMore = (keys: KeysToRegister) => keys.loginPublicKey !== undefined || keys.recoveryPublicKey !== undefined

export const macOf = (token: string) => Effect.map(Vault, ({ mac }) => mac('session token', token))

/** One write per second is enough for an idle time of minutes. */
const needsUseNoted = (session: Session.SessionRecord, now: number) =>
  session.state === 'AUTHENTICATED' && now - session.lastUsedAt >= 1_000

export const record = (event: string, session: Session.SessionRecord, subject?: string) =>
  Effect.flatMap(Audit, (audit) =>
    audit.record({
      event,
      subject,
      partnerId: session.partnerId,
      sessionId: session.id,
      userId: session.userProven ? (session.userId ?? undefined) : undefined,
    }),
  )

/** A key is not RSA-2048 with e = 65537 or not a point on its curve, or the proof does not verify. */
export class InvalidSessionKeys extends Data.TaggedError('InvalidSessionKeys') {
  override readonly message = 'invalid session keys'
}

export class DeviceKeyIsSet extends Data.TaggedError('DeviceKeyIsSet') {
  override readonly message = 'device key is set'
}

/** A live portal page encrypts to the login key that it saw. */
export class LoginKeyInUse extends Data.TaggedError('LoginKeyInUse') {
  override readonly message = 'login key is in use'
}

/**
 * The session's user is proven and another one. A host holds that user's shares, so the user under it is never
 * exchanged.
 */
export class OtherAccount extends Data.TaggedError('OtherAccount') {
  override readonly message = 'sign out of the other account first'
}
