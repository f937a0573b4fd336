/** What an operator sees of a user and does for one (domain/service/README.md#operators). */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Identity from '../model/Identity.ts'
import { NotFound } from './NotFound.ts'
import { byOperator } from './operator.ts'
import { ShareKeys } from './ports/ShareKeys.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { endSessionsOf } from './sessions.ts'
import { masked } from './users.ts'

/** By the whole id or the whole e-mail address; the identity is masked. Refused with `NotFound`. */
export const showUser = Effect.fn('userChanges.show')(function* (idOrEmail: string) {
  const user = yield* existingUser(idOrEmail)
  const wallets = yield* (yield* Wallets).ofUserEverywhere(user.id)
  const sessions = yield* (yield* Sessions).idsOfUser(user.id)
  return {
    id: user.id,
    identity: masked(Identity.toAuthObject(user.identity)),
    hasCredential: user.hasCredential,
    isFrozen: user.isFrozen,
    createdAt: user.createdAt,
    recoveredAt: user.recoveredAt,
    sessions: sessions.length,
    wallets: wallets.map(({ id, type, state, address }) => ({ id, type, state, address })),
  }
})

/** Ends the user's sessions everywhere. Refused with `NotFound` or `ReasonRequired`. */
export const endSessions = Effect.fn('userChanges.endSessions')(function* (
  idOrEmail: string,
  reason: string | undefined,
) {
  const { id } = yield* existingUser(idOrEmail)
  const sessions = yield* byOperator({ event: 'user.sessions.ended', userId: id }, reason, endSessionsOf(id))
  return { userId: id, sessions }
})

/**
 * Signs the user out everywhere and keeps it out; nothing more is signed for it. Once the record is written, no login and no
 * round of a run goes on. What is under way is ended after it, so that no transaction locks users before sessions. Refused with
 * `NotFound` or `ReasonRequired`.
 */
export const freezeUser = Effect.fn('userChanges.freeze')(function* (idOrEmail: string, reason: string | undefined) {
  const { id } = yield* existingUser(idOrEmail)
  const users = yield* Users
  const now = yield* Clock.currentTimeMillis
  yield* byOperator({ event: 'user.frozen', userId: id }, reason, users.setFrozenAt(id, now))
  const sessions = yield* (yield* Transaction).atomically(endSessionsOf(id))
  return { userId: id, isFrozen: true, sessions }
})

export const unfreezeUser = Effect.fn('userChanges.unfreeze')(function* (
  idOrEmail: string,
  reason: string | undefined,
) {
  const { id } = yield* existingUser(idOrEmail)
  const users = yield* Users
  yield* byOperator({ event: 'user.unfrozen', userId: id }, reason, users.setFrozenAt(id, null))
  return { userId: id, isFrozen: false }
})

/**
 * Deletes the user, its wallets and the shares of them. The keys of the shares are destroyed first, so that no dump of the database
 * opens them; a failure afterwards leaves a frozen user, who is deleted by another call. Refused with `NotFound` or `ReasonRequired`.
 */
export const deleteUser = Effect.fn('userChanges.delete')(function* (idOrEmail: string, reason: string | undefined) {
  const { userId } = yield* freezeUser(idOrEmail, reason)
  const wallets = yield* (yield* Wallets).ofUserEverywhere(userId)
  const [users, shareKeys] = [yield* Users, yield* ShareKeys]
  for (const { id } of wallets) yield* shareKeys.destroyAll(id)
  yield* byOperator({ event: 'user.deleted', userId }, reason, users.erase(userId))
  return { userId, wallets: wallets.length }
})

const existingUser = Effect.fnUntraced(function* (idOrEmail: string) {
  const users = yield* Users
  const found = idOrEmail.includes('@')
    ? yield* users.findByIdentity(Identity.normalized({ kind: 'email', email: idOrEmail }))
    : yield* users.find(idOrEmail)
  return Option.getOrUndefined(found) ?? (yield* new NotFound())
})
