/**
 * Commits of portal sessions (domain/service/README.md#portal-sessions): what the page does is committed once, by the
 * page itself or by the host that redeems it after a redirect.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as Opener from '../crypto/Opener.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { Caller } from './Caller.ts'
import { isByNow } from './clocks.ts'
import { decode, encode, type Commit, type CredentialCommit } from './Commit.ts'
import { InvalidCredential } from './Credential.ts'
import { tellCallersPartner } from './events.ts'
import { NotFound } from './NotFound.ts'
import * as PortalSession from './PortalSession.ts'
import { LinkExpired, OpenerNotProven, ownPortalSession } from './portalSessions.ts'
import { Audit } from './ports/Audit.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Signatures } from './ports/Signatures.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { isReady, type RecoveryRecord } from './Recovery.ts'
import * as Session from './Session.ts'
import { callersSession, OtherAccount } from './sessions.ts'
import { UserFrozen, type UserRecord } from './User.ts'
import { UserAlreadyExists } from './users.ts'

export type Redemption = {
  readonly proof: string
  readonly deviceCertificate?: string | undefined
}

/**
 * The registered page brings back the code that only it was given, and the waiting commit is applied. The portal page
 * could not ask the host for its device key, so it seals the certificate into the result: the host compares the key
 * with its own, and brings the certificate in a second call.
 */
export const redeemOpening = Effect.fn('portalSessions.redeemOpening')(function* (
  openingId: string,
  { proof, deviceCertificate }: Redemption,
) {
  const session = yield* callersSession
  const { device } = yield* Caller
  if (!session.deviceSignsRequests || !device) return yield* new OpenerNotProven()
  const portalSessions = yield* PortalSessions
  const bytes = fromHex(proof, 32)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = yield* (yield* Sessions).lock(session.id)
      const portalSession = yield* ownPortalSession(openingId, session)
      const redeemHash = portalSession.redeemHash === null ? undefined : hexToBytes(portalSession.redeemHash)
      if (bytes === undefined || redeemHash === undefined) return yield* new OpenerNotProven()
      if (!equal(Opener.redeemHash(bytes), redeemHash)) return yield* new OpenerNotProven()
      if (portalSession.state === 'REDEEMED') return yield* certify(session, deviceCertificate)
      if (!PortalSession.isLive(portalSession, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
      const sealed = Option.getOrUndefined(yield* portalSessions.deferredCommit(portalSession.id))
      if (sealed === undefined) return yield* new LinkExpired()
      const deferred = yield* Effect.orDie((yield* Vault).open(commitAssociatedData(portalSession.id), sealed))
      yield* apply(locked, portalSession, decode(deferred))
      if (!(yield* portalSessions.redeem(portalSession.id))) return yield* new LinkExpired()
    }),
  )
})

/**
 * The commit of a page: record, user, session and portal session change together. In the variant `redirect` only the
 * portal session changes, until the host redeems it. `body` is the request: the same one again has no effect.
 */
export const commit = Effect.fn('portalSessions.commit')(function* (
  openingId: string,
  what: Commit,
  body: unknown = what,
) {
  const portalSessions = yield* PortalSessions
  const sessions = yield* Sessions
  const failpoints = yield* Failpoints
  const commitMac = yield* macOfBody(body)
  yield* failpoints.reach('opening.commit.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const known = Option.getOrUndefined(yield* portalSessions.find(openingId))
      const session = yield* sessions.lock(known?.sessionId ?? '')
      const portalSession = yield* Effect.fromOption(yield* portalSessions.lock(openingId), () => new LinkExpired())
      if (portalSession.commitMac !== null)
        return portalSession.commitMac === commitMac ? undefined : yield* new Conflict()
      if (!PortalSession.isLive(portalSession, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
      if (portalSession.userId !== what.userId) return yield* new NotFound()
      if (portalSession.variant === 'redirect') {
        yield* check(session, portalSession, what)
        const sealed = yield* (yield* Vault).seal(commitAssociatedData(portalSession.id), encode(what))
        if (!(yield* portalSessions.defer(portalSession.id, commitMac, sealed))) return yield* new LinkExpired()
        return
      }
      yield* apply(session, portalSession, what)
      if (!(yield* portalSessions.commit(portalSession.id, commitMac))) return yield* new LinkExpired()
    }),
  )
  yield* failpoints.reach('opening.commit.after')
})

/** Whether the portal session was committed by this body before. Fails if it was by another one. */
export const isCommittedBy = Effect.fn('portalSessions.isCommittedBy')(function* (openingId: string, body: unknown) {
  const portalSession = Option.getOrUndefined(yield* (yield* PortalSessions).find(openingId))
  if (portalSession === undefined || portalSession.commitMac === null) return false
  return portalSession.commitMac === (yield* macOfBody(body)) || (yield* new Conflict())
})

/** By a clock that was far ahead at the recovery no page would be later for as long, so that it says nothing. */
const isBeforeRecovery = (
  { createdAt }: PortalSession.PortalSessionRecord,
  { recoveredAt }: UserRecord,
  now: number,
): boolean => recoveredAt !== null && createdAt <= recoveredAt && isByNow(recoveredAt, now)

/**
 * Checks all that can refuse the commit and is known before anything is changed. `locked` is the portal session's session,
 * as it was read under the lock that this transaction holds.
 */
const check = Effect.fnUntraced(function* (
  locked: Option.Option<Session.SessionRecord>,
  portalSession: PortalSession.PortalSessionRecord,
  what: Commit,
) {
  const session = Option.getOrUndefined(locked)
  const now = yield* Clock.currentTimeMillis
  if (session === undefined || !Session.isLive(session, now)) return yield* new LinkExpired()
  if (session.userProven && session.userId !== what.userId) return yield* new OtherAccount()
  const user = Option.getOrThrow(yield* (yield* Users).lock(what.userId))
  if (user.isFrozen) return yield* new UserFrozen()
  // A page opened before the last recovery verified a credential that is revoked since.
  if (isBeforeRecovery(portalSession, user, now)) return yield* new LinkExpired()
  const recovery = what.credential === null ? undefined : yield* recoveryOf(session, now)
  if (what.credential !== null && user.hasCredential)
    yield* checkRecovery(portalSession, what.credential, user, recovery)
  if (what.credential !== null) yield* checkWrappedKey(what.credential)
  const rootPublicKey = what.credential?.completion.rootPublicKey ?? user.rootPublicKey
  yield* checkCertificate(session, portalSession, what, rootPublicKey, now)
  return { session, recovery, now }
})

/** A further credential takes a recovery, and a root key of its own. */
const checkRecovery = Effect.fnUntraced(function* (
  portalSession: PortalSession.PortalSessionRecord,
  { completion }: CredentialCommit,
  user: UserRecord,
  recovery: RecoveryRecord | undefined,
) {
  if (recovery?.userId !== user.id || recovery.credential !== null) return yield* new UserAlreadyExists()
  const isNew = completion.rootPublicKey !== user.rootPublicKey
  if (portalSession.variant === 'ask' || !isNew) return yield* new InvalidCredential()
})

/**
 * The page stores a passkey's wrapped key before it completes the record: without it the passkey could not log in. Another
 * page of the same link may replace it until the record is complete, also while a commit is deferred.
 */
const checkWrappedKey = Effect.fnUntraced(function* ({ kind, id, completion }: CredentialCommit) {
  if (kind === 'PASSWORD') return
  const wrapped = Option.getOrUndefined(yield* (yield* EncryptedWalletPrivateKeys).ofPasskey(id))
  if (wrapped?.biometricPublicKey !== completion.sigDerivedPublicKey) return yield* new InvalidCredential()
})

const recoveryOf = Effect.fnUntraced(function* (session: Session.SessionRecord, now: number) {
  const found = yield* (yield* Recoveries).find(session.id)
  return Option.getOrUndefined(Option.filter(found, (recovery) => isReady(recovery, now)))
})

/** Only a page with a proven opener commits with the certificate of the host's device. */
const checkCertificate = Effect.fnUntraced(function* (
  session: Session.SessionRecord,
  portalSession: PortalSession.PortalSessionRecord,
  { userId, deviceCertificate }: Commit,
  rootPublicKey: string | null,
  now: number,
) {
  if (portalSession.variant === 'opener')
    return yield* requireCertificate(session, userId, deviceCertificate, rootPublicKey, now)
  const isAsked = portalSession.variant === 'ask'
  if (deviceCertificate !== null || (isAsked && session.deviceSignsRequests)) return yield* new InvalidCredential()
})

/** The certificate that the host brings after a redirect. A session that already has another one refuses it. */
const certify = Effect.fnUntraced(function* (known: Session.SessionRecord, deviceCertificate: string | undefined) {
  if (deviceCertificate === undefined) return
  const sessions = yield* Sessions
  const session = Option.getOrUndefined(yield* sessions.find(known.id))
  if (session === undefined || session.userId === null) return yield* new LinkExpired()
  const user = Option.getOrThrow(yield* (yield* Users).find(session.userId))
  const now = yield* Clock.currentTimeMillis
  const recovery = session.state === 'VERIFIED' ? yield* recoveryOf(session, now) : undefined
  const rootPublicKey = recovery === undefined ? user.rootPublicKey : recovery.credential?.rootPublicKey
  yield* requireCertificate(session, session.userId, deviceCertificate, rootPublicKey ?? null, now)
  if (!(yield* sessions.certify(session.id, deviceCertificate))) return yield* new Conflict()
})

/** The certificate is for exactly this session's device, under the user's root key. */
const requireCertificate = Effect.fnUntraced(function* (
  session: Session.SessionRecord,
  userId: string,
  deviceCertificate: string | null,
  rootPublicKey: string | null,
  now: number,
) {
  const { id, partnerId, origin, devicePublicKey } = session
  const bytes = fromHex(deviceCertificate ?? '')
  if (rootPublicKey === null || devicePublicKey === null || bytes === undefined) return yield* new InvalidCredential()
  const device = {
    userId,
    partnerId,
    origin: origin ?? '',
    sessionId: id,
    devicePublicKey: hexToBytes(devicePublicKey),
  }
  const { ed25519 } = yield* Signatures
  const checked = RootKey.checkCertificate(hexToBytes(rootPublicKey), bytes, device, now, ed25519)
  if (Result.isFailure(checked)) return yield* new InvalidCredential()
})

/** Changes record, user and session, after `check`. */
const apply = Effect.fnUntraced(function* (
  locked: Option.Option<Session.SessionRecord>,
  portalSession: PortalSession.PortalSessionRecord,
  what: Commit,
) {
  const { session, recovery, now } = yield* check(locked, portalSession, what)
  if (recovery !== undefined && what.credential !== null)
    return yield* stage(portalSession, session, what, what.credential)
  if (what.credential !== null) {
    yield* complete(what.userId, what.credential)
    yield* keepRecoveryKey(session, what.userId, what.credential, now)
  }
  yield* (yield* Failpoints).reach('opening.commit.within')
  const authentication = {
    userId: what.userId,
    authMethod: PortalSession.authMethodOf(portalSession.page),
    authenticatedAt: portalSession.verifiedAt ?? now,
    currentWalletIds: what.currentWalletIds,
    needsWallet: what.needsWallet,
    deviceCertificate: what.deviceCertificate,
    openingResult: what.sealedResult === null ? null : { openingId: portalSession.id, sealedResult: what.sealedResult },
  }
  if (!(yield* (yield* Sessions).authenticate(session.id, authentication, now))) return yield* new OtherAccount()
  yield* (yield* Audit).record({
    event: 'session.authenticated',
    partnerId: session.partnerId,
    userId: what.userId,
    sessionId: session.id,
    subject: portalSession.id,
    detail: { page: portalSession.page, variant: portalSession.variant },
  })
  const { userId } = what
  if (what.credential !== null) yield* tellCallersPartner('user.created', { userId })
  yield* tellCallersPartner('session.authenticated', { userId, sessionLookupId: session.lookupId })
})

/**
 * In a recovery: the credential is complete, but not usable before the recovery is finished. The session is not
 * authenticated.
 */
const stage = Effect.fnUntraced(function* (
  portalSession: PortalSession.PortalSessionRecord,
  session: Session.SessionRecord,
  { userId, deviceCertificate, sealedResult }: Commit,
  { kind, id, completion }: CredentialCommit,
) {
  const isStaged =
    kind === 'PASSWORD'
      ? yield* (yield* Passwords).stage(id, completion)
      : yield* (yield* Passkeys).stage(id, completion)
  const { rootPublicKey } = completion
  const isFirst = yield* (yield* Recoveries).setCredential(session.id, { kind, id, rootPublicKey })
  if (!isStaged || !isFirst) return yield* new Conflict()
  yield* (yield* Failpoints).reach('opening.commit.within')
  const openingResult = sealedResult === null ? null : { openingId: portalSession.id, sealedResult }
  if (!(yield* (yield* Sessions).setCertificate(session.id, { deviceCertificate, openingResult })))
    return yield* new Conflict()
  yield* (yield* Audit).record({
    event: 'recovery.credential made',
    partnerId: session.partnerId,
    userId,
    sessionId: session.id,
    subject: portalSession.id,
    detail: { page: portalSession.page, variant: portalSession.variant },
  })
})

/** A user has one root key: the first completed credential sets it, also of two tabs at once. */
const complete = Effect.fnUntraced(function* (userId: string, credential: CredentialCommit) {
  const isCompleted =
    credential.kind === 'PASSWORD'
      ? yield* (yield* Passwords).complete(credential.id, credential.completion)
      : yield* (yield* Passkeys).complete(credential.id, credential.completion)
  if (!isCompleted) return yield* new Conflict()
  const isFirst = yield* (yield* Users).setFirstCredential(userId, credential.completion.rootPublicKey)
  if (!isFirst) return yield* new UserAlreadyExists()
})

/**
 * Stores the recovery key that the host made before this page, with the root key's signature over it. The host finds it
 * here when it comes back, and a device that makes a wallet meanwhile encrypts to it.
 */
const keepRecoveryKey = Effect.fnUntraced(function* (
  { recoveryPublicKey: publicKey }: Session.SessionRecord,
  userId: string,
  { recoverySignature: signature }: CredentialCommit,
  createdAt: number,
) {
  if (publicKey === null || signature === null) return
  const id = yield* (yield* SecureRandom).uuid
  yield* (yield* RecoveryPublicKeys).add({ id, userId, publicKey, signature, createdAt })
})

const macOfBody = (body: unknown) => Effect.map(Vault, ({ mac }) => mac('opening commit', JSON.stringify(body)))

export const commitAssociatedData = (openingId: string): AssociatedData => ({ table: 'openings', id: openingId })

/** Done before with another body, or changed meanwhile. */
export class Conflict extends Data.TaggedError('Conflict') {
  override readonly message = 'conflict'
}
