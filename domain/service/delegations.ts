/** Sessions that a device hands to a server (domain/service/README.md#delegated-sessions). */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import type { Scope } from '../model/Delegation.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { DelegationNotAllowed } from './authorization.ts'
import { isDelegated, maximumDelegations, type Delegation } from './Delegation.ts'
import { NotFound } from './NotFound.ts'
import { allowsDelegations } from './Partner.ts'
import { callersPartner } from './partners.ts'
import { Delegations } from './ports/Delegations.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Signatures } from './ports/Signatures.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { DeviceNotCertified } from './protocol/refusals.ts'
import { isLive, startsThings } from './Session.ts'
import { closeDelegation, macOf, record, sessionOf, startingSession } from './sessions.ts'

export type DelegationToMake = {
  /** hex(65) */
  readonly devicePublicKey: string
  readonly scope: Scope
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** By the session's device key, hex(64). */
  readonly signature: string
}

/** A session of the key that the caller's device has signed. Its token is told once. */
export const createDelegation = Effect.fn('delegations.createDelegation')(function* (
  userId: string,
  { devicePublicKey, ...asked }: DelegationToMake,
) {
  const parent = yield* startingSession
  yield* sessionOf(userId)
  if (!allowsDelegations(yield* callersPartner)) return yield* new DelegationNotAllowed()
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const { deviceCertificate, partnerId } = parent
  if (deviceCertificate === null || user === undefined || user.rootPublicKey === null) {
    return yield* new DeviceNotCertified()
  }
  const delegation: Delegation = { ...asked, parentId: parent.id, certificate: deviceCertificate }
  const key = fromHex(devicePublicKey, DeviceKey.publicKeyLength)
  if (key === undefined || !DeviceKey.isPublicKey(key)) return yield* new InvalidDelegation()
  const now = yield* Clock.currentTimeMillis
  const signer = { userId, partnerId, devicePublicKey }
  if (!isDelegated(user.rootPublicKey, signer, delegation, now, yield* Signatures))
    return yield* new InvalidDelegation()

  const random = yield* SecureRandom
  const [id, lookupId, token] = [yield* random.uuid, yield* random.uuid, yield* random.token]
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = Option.getOrUndefined(yield* (yield* Sessions).lock(parent.id))
      if (locked === undefined || !isLive(locked, now) || !startsThings(locked)) return yield* new NoSignedInUser()
      yield* makeRoom(userId, partnerId, now)
      const { currentWalletIds } = locked
      const deviceKeyThumb = bytesToHex(DeviceKey.thumbprint(key))
      const session = {
        id,
        lookupId,
        partnerId,
        userId,
        devicePublicKey,
        deviceKeyThumb,
        currentWalletIds,
        delegation,
        now,
      }
      yield* (yield* Delegations).create(session, yield* macOf(token))
      yield* record('delegation.created', parent, id)
    }),
  )
  return { delegationId: id, token }
})

/**
 * Ends those that are over, so that their rows do not add up, and counts the rest. Sessions are locked before their user, and the user
 * so that two devices do not count at once.
 */
const makeRoom = Effect.fnUntraced(function* (userId: string, partnerId: string, now: number) {
  const { ofUser } = yield* Delegations
  const over = (yield* ofUser(userId, partnerId)).filter(({ expiresAt }) => expiresAt <= now)
  for (const id of over.map((delegation) => delegation.id).toSorted()) yield* closeDelegation(id)
  yield* (yield* Users).lock(userId)
  if ((yield* ofUser(userId, partnerId)).length >= maximumDelegations) return yield* new TooManyDelegations()
})

/** The user's at the caller's partner that are alive. `isOwn`: the calling session made it. */
export const listDelegations = Effect.fn('delegations.listDelegations')(function* (userId: string) {
  const session = yield* sessionOf(userId)
  const now = yield* Clock.currentTimeMillis
  const found = yield* (yield* Delegations).ofUser(userId, session.partnerId)
  const alive = found.filter(({ expiresAt }) => now < expiresAt)
  return alive.map(({ parentId, ...delegation }) => ({ ...delegation, isOwn: parentId === session.id }))
})

/** Ends it, whichever device of the user made it. */
export const endDelegation = Effect.fn('delegations.endDelegation')(function* (userId: string, delegationId: string) {
  const session = yield* sessionOf(userId)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const found = Option.getOrUndefined(yield* (yield* Sessions).find(delegationId))
      const isDelegation = found !== undefined && found.delegation !== null && found.state !== 'CLOSED'
      if (!isDelegation || found.userId !== userId || found.partnerId !== session.partnerId)
        return yield* new NotFound()
      yield* closeDelegation(delegationId)
    }),
  )
})

/** The key is no point on its curve, the signature does not verify, or a time is beyond that of the certificate. */
export class InvalidDelegation extends Data.TaggedError('InvalidDelegation') {
  override readonly message = 'invalid delegation'
}

/** End one first. */
export class TooManyDelegations extends Data.TaggedError('TooManyDelegations') {
  override readonly message = 'too many delegated sessions'
}
