/** Sessions of host pages (flows 1, 12). */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import type { Identity } from '../model/Identity.ts'
import { isOver } from '../model/Recovery.ts'
import { newDeviceLookupId, NoSignedInUser } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import { giveUp } from './endedRecoveries.ts'
import { NotFound } from './NotFound.ts'
import * as Opening from './Opening.ts'
import type { Partner } from './Partner.ts'
import { callersPartner, OriginNotAllowed, requireOrigin } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import type { ChallengeHolder } from './ports/Challenges.ts'
import { Openings } from './ports/Openings.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { Reply } from './ports/Reply.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions, type SessionKeys } from './ports/Sessions.ts'
import { SessionWork } from './ports/SessionWork.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import * as Session from './Session.ts'
import { waitFor } from './waiting.ts'

/** The session of a token, whatever became of it. */
export const findByToken = Effect.fn('sessions.findByToken')(function* (token: string) {
  return yield* (yield* Sessions).findByToken(yield* macOf(token))
})

/** The live session of a token, whose idle time begins anew. */
export const fromToken = Effect.fn('sessions.fromToken')(function* (token: string) {
  const sessions = yield* Sessions
  const now = yield* Clock.currentTimeMillis
  const session = Option.filter(yield* findByToken(token), (found) => Session.isLive(found, now))
  if (Option.isSome(session) && needsUseNoted(session.value, now)) yield* sessions.use(session.value.id, now)
  return session
})

/**
 * The one call that everybody may make at any time: it begins a session where there is none, and moves it on to a new
 * token where the holder of its device key asks for that (flows 1.1, 1r).
 */
export const touchSession = Effect.fn('sessions.touchSession')(function* (regenerate: boolean) {
  const caller = yield* Caller
  const partner = yield* callersPartner
  const session = caller.session?.partnerId === partner.id ? caller.session : undefined
  if (session === undefined) return yield* describe(yield* begin(partner), partner)
  if (!isOwnPage(session, caller.origin)) return yield* new OriginNotAllowed()
  if (!regenerate) return yield* watch(session, partner)
  if (session.state === 'AUTHENTICATED') {
    if (isProven(session, caller)) yield* rotate(session)
    return yield* describe(session, partner)
  }
  return yield* describe(mayMove(session, caller) ? yield* succeed(session) : session, partner)
})

/** For the session itself and for the page that it opened. */
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
 * The keys of the host page (flows 1.3). The device key is written once; the other two change only under its
 * signature. After authentication only a device key can come, and it signs frames, not requests: the public client's
 * worker makes it.
 */
export const registerSessionKeys = Effect.fn('sessions.registerSessionKeys')(function* (keys: KeysToRegister) {
  const sessions = yield* Sessions
  const openings = yield* Openings
  const caller = yield* Caller
  const session = yield* startingSession
  if (session.id !== keys.sessionId) return yield* new NotFound()
  if (session.origin !== (caller.origin ?? null)) return yield* new OriginNotAllowed()
  const read = readKeys(keys)
  if (read === undefined) return yield* new InvalidSessionKeys()

  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = Option.getOrUndefined(yield* sessions.lock(session.id))
      if (locked === undefined || locked.state === 'CLOSED') return yield* new NoSignedInUser()
      const isFirst = locked.devicePublicKey === null
      if (isFirst && locked.state === 'AUTHENTICATED' && bringsMore(keys)) return yield* new InvalidSessionKeys()
      if (!isFirst && locked.devicePublicKey !== read.devicePublicKey) return yield* new DeviceKeyIsSet()

      const now = yield* Clock.currentTimeMillis
      const changesLoginKey = read.loginPublicKey !== null && read.loginPublicKey !== locked.loginPublicKey
      const inUse = (yield* openings.ofSession(session.id, now)).some((opening) => Opening.usesKeys(opening, now))
      if (changesLoginKey && inUse) return yield* new LoginKeyInUse()

      const registered: SessionKeys = {
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

/** Extends the idle time, and nothing else (flows 12). */
export const keepSessionAlive = Effect.fn('sessions.keepSessionAlive')(function* (userId: string) {
  const session = yield* sessionOf(userId)
  yield* (yield* Sessions).use(session.id, yield* Clock.currentTimeMillis)
})

/** Ends the session of the header, if there is one (flows 12), and its recovery. A cookie alone changes nothing. */
export const logout = Effect.fn('sessions.logout')(function* () {
  const { session } = yield* Caller
  if (session === undefined) return
  const sessions = yield* Sessions
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* sessions.lock(session.id)
      const recovery = Option.filter(yield* (yield* Recoveries).find(session.id), ({ state }) => !isOver(state))
      if (Option.isSome(recovery)) {
        yield* (yield* Users).lock(recovery.value.userId)
        yield* giveUp([recovery.value], 'CANCELLED')
      }
      yield* sessions.close(session.id, yield* Clock.currentTimeMillis)
      yield* (yield* Openings).closeOfSession(session.id)
      yield* (yield* Passwords).removeUnfinished(session.id)
      yield* (yield* Passkeys).removeUnfinished(session.id)
      yield* (yield* SessionWork).end(session.id)
      yield* record('session.ended', session)
    }),
  )
})

/**
 * The session on another device that asks for this user's shares: of this partner, and already authenticated as the
 * same user, else a link could name a stranger's (flows A16).
 */
export const newDevice = Effect.fn('sessions.newDevice')(function* (device: {
  readonly lookupId: string
  readonly partnerId: string
  readonly userId: string
}) {
  const suffix = newDeviceLookupId('')
  const lookupId = device.lookupId.endsWith(suffix) ? device.lookupId.slice(0, -suffix.length) : device.lookupId
  const found = Option.getOrUndefined(yield* (yield* Sessions).findByLookupId(lookupId))
  const now = yield* Clock.currentTimeMillis
  const isTheirs =
    found !== undefined &&
    found.partnerId === device.partnerId &&
    Session.isLive(found, now) &&
    Session.isAuthenticatedAs(found, device.userId)
  return isTheirs ? found : yield* new NotFound()
})

/** Deletes what ended. The schedule is the composition's. */
export const sweep = Effect.fn('sessions.sweep')(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Sessions).sweep(now)
  yield* (yield* Openings).sweep(now - Opening.limits.kept)
})

/** The caller's session, in whatever state, of the partner whose key came with it. */
export const callersSession = Effect.gen(function* () {
  const { session, partner, origin } = yield* Caller
  const isPartners = partner === undefined || session?.partnerId === partner.id
  if (session === undefined || !isPartners) return yield* new NoSignedInUser()
  return isOwnPage(session, origin) ? session : yield* new OriginNotAllowed()
})

/** The same for calls that begin something: a superseded token only finishes what it began (flows 1r). */
export const startingSession = Effect.gen(function* () {
  const session = yield* callersSession
  return Session.startsThings(session) ? session : yield* new NoSignedInUser()
})

/** The same for the calls that may also begin one. */
export const startingOrNewSession = Effect.gen(function* () {
  const { session } = yield* Caller
  return session === undefined ? yield* begin(yield* callersPartner) : yield* startingSession
})

/** The caller's session, authenticated as this user. */
export const sessionOf = Effect.fn('sessions.sessionOf')(function* (userId: string) {
  const session = yield* callersSession
  if (session.state !== 'AUTHENTICATED') return yield* new NoSignedInUser()
  return session.userId === userId ? session : yield* new NotFound()
})

/** The same, or a session in the name of whose recovery the call comes: then with that recovery. */
export const recoveringSessionOf = Effect.fn('sessions.recoveringSessionOf')(function* (userId: string) {
  const { recovery } = yield* Caller
  if (recovery?.state !== 'READY') return { session: yield* sessionOf(userId), recovery: undefined }
  const session = yield* callersSession
  return recovery.userId === userId ? { session, recovery } : yield* new NotFound()
})

/** The caller's session, proven for this user: before the first credential, or authenticated. */
export const provenSession = Effect.fn('sessions.provenSession')(function* (userId: string) {
  const session = yield* callersSession
  if (!session.userProven) return yield* new NoSignedInUser()
  return session.userId === userId ? session : yield* new NotFound()
})

/** The same, or a page that works for this user. */
export const provenCaller = Effect.fn('sessions.provenCaller')(function* (userId: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return { sessionId: (yield* provenSession(userId)).id } satisfies ChallengeHolder
  if (portal.userId === null) return yield* new NoSignedInUser()
  return portal.userId === userId ? ({ openingId: portal.openingId } satisfies ChallengeHolder) : yield* new NotFound()
})

/** A session is its page's: another origin of the partner's begins another one (flows 1). */
const isOwnPage = (session: Session.Session, origin: string | undefined) =>
  origin === undefined || origin === session.origin

/** The session's own device key signed this request. */
const isProven = (session: Session.Session, caller: Caller) => session.deviceSignsRequests && caller.device

/**
 * Before authentication a session moves on freely, unless it has a device key: then a stolen token moves nothing
 * (A10).
 */
const mayMove = (session: Session.Session, caller: Caller) => !session.deviceSignsRequests || caller.device

const begin = Effect.fnUntraced(function* (partner: Partner) {
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

/** Another record with the same identity and proofs; this one lives a little longer for what it has begun. */
const succeed = Effect.fnUntraced(function* (session: Session.Session) {
  const sessions = yield* Sessions
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* sessions.supersede(session.id, (yield* Clock.currentTimeMillis) + Session.limits.retiring)
      return yield* create(session)
    }),
  )
})

type Beginning = Pick<Session.Session, 'partnerId' | 'origin' | 'state' | 'userId' | 'userProven' | 'identity'>

const create = Effect.fnUntraced(function* (beginning: Beginning) {
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
  return Option.getOrThrow(yield* sessions.find(id))
})

const rotate = Effect.fnUntraced(function* (session: Session.Session) {
  const { token: old } = yield* Caller
  const token = yield* (yield* SecureRandom).token
  const now = yield* Clock.currentTimeMillis
  const replacement = {
    sessionId: session.id,
    oldTokenMac: yield* macOf(old ?? ''),
    tokenMac: yield* macOf(token),
    retiresAt: now + Session.limits.retiring,
    now,
  }
  yield* (yield* Transaction).atomically(
    Effect.andThen((yield* Sessions).replaceToken(replacement), record('session.token replaced', session)),
  )
  yield* (yield* Reply).setSessionToken(token)
})

/** With `Prefer: wait` until something about the session is another than it was. */
const watch = Effect.fnUntraced(function* (session: Session.Session, partner: Partner) {
  const sessions = yield* Sessions
  const before = newsOf(session)
  const latest = yield* waitFor(sessions.find(session.id), (found) =>
    Option.match(found, { onNone: () => true, onSome: (current) => newsOf(current) !== before }),
  )
  const now = yield* Clock.currentTimeMillis
  const live = Option.getOrUndefined(Option.filter(latest, (current) => Session.isLive(current, now)))
  return yield* describe(live ?? (yield* begin(partner)), partner)
})

const newsOf = ({ state, userId, userProven, currentWalletIds, needsWallet, openingResult }: Session.Session) =>
  JSON.stringify([state, userProven ? userId : null, currentWalletIds, needsWallet, openingResult?.openingId ?? null])

const describe = Effect.fnUntraced(function* (session: Session.Session, partner: Partner) {
  const isAuthenticated = session.state === 'AUTHENTICATED'
  const userId = session.userProven ? session.userId : null
  const user = userId === null ? undefined : Option.getOrUndefined(yield* (yield* Users).find(userId))
  return {
    session,
    isAuthenticated,
    userId,
    identity: user?.identity ?? (null as Identity | null),
    currentWalletIds: session.currentWalletIds,
    needsWallet: session.needsWallet,
    openingResult: session.openingResult,
    supportedWalletTypes: partner.supportedWalletTypes,
    cosmosPrefix: partner.cosmosPrefix,
    serverTime: yield* Clock.currentTimeMillis,
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

const macOf = (token: string) => Effect.map(Vault, ({ mac }) => mac('session token', token))

/** One write a second is enough for an idle time of minutes. */
const needsUseNoted = (session: Session.Session, now: number) =>
  session.state === 'AUTHENTICATED' && now - session.lastUsedAt >= 1_000

const record = (event: string, session: Session.Session) =>
  Effect.flatMap(Audit, (audit) =>
    audit.record({
      event,
      partnerId: session.partnerId,
      sessionId: session.id,
      userId: session.userProven ? (session.userId ?? undefined) : undefined,
    }),
  )

/** Not RSA 2048 with e 65537, not points on their curves, or a proof that does not verify. */
export class InvalidSessionKeys extends Data.TaggedError('InvalidSessionKeys') {
  override readonly message = 'invalid session keys'
}

export class DeviceKeyIsSet extends Data.TaggedError('DeviceKeyIsSet') {
  override readonly message = 'device key is set'
}

/** A page at work encrypts to the login key that it saw. */
export class LoginKeyInUse extends Data.TaggedError('LoginKeyInUse') {
  override readonly message = 'login key is in use'
}

/** The user under a host that holds another's shares is never swapped (flows 6.9). */
export class OtherAccount extends Data.TaggedError('OtherAccount') {
  override readonly message = 'sign out of the other account first'
}
