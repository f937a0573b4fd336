/**
 * Challenges: 32 bytes that nobody can tell before, for one opening or one session, single use, five minutes (flows
 * 2.7, 6.3k).
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Challenges, type ChallengeHolder } from './ports/Challenges.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Vault } from './ports/Vault.ts'

export const lifeMs = 5 * 60_000

/** A new one, which voids the one before. */
export const give = Effect.fn('challenges.give')(function* (holder: ChallengeHolder) {
  const nonce = yield* (yield* SecureRandom).uuid
  const expiresAt = (yield* Clock.currentTimeMillis) + lifeMs
  yield* (yield* Challenges).replace({ holder, nonce, expiresAt })
  return yield* challengeOf(holder, nonce)
})

/** The live one of this holder, or `undefined`: it is none from then on, whatever comes of it. */
export const consume = Effect.fn('challenges.consume')(function* (holder: ChallengeHolder) {
  const nonce = yield* (yield* Challenges).consume(holder, yield* Clock.currentTimeMillis)
  return nonce === undefined ? undefined : yield* challengeOf(holder, nonce)
})

const challengeOf = (holder: ChallengeHolder, nonce: string) =>
  Effect.map(Vault, ({ mac }) => hexToBytes(mac('challenge', JSON.stringify([holder, nonce]))))
