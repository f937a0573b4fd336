/**
 * Challenges: 32 unpredictable bytes for one portal session or one session, single use, five minutes. Only a nonce is
 * stored; the challenge is its MAC.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { Challenges, type ChallengeHolder } from './ports/Challenges.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Vault } from './ports/Vault.ts'

const lifeMs = 5 * 60_000

/** A new one, which voids the one before. */
export const give = Effect.fn('challenges.give')(function* (holder: ChallengeHolder) {
  const nonce = yield* (yield* SecureRandom).uuid
  const expiresAt = (yield* Clock.currentTimeMillis) + lifeMs
  yield* (yield* Challenges).replace({ holder, nonce, expiresAt })
  return yield* challengeOf(holder, nonce)
})

/** The holder's live challenge, or `undefined`. It is void from then on, whatever the verification finds. */
export const consume = Effect.fn('challenges.consume')(function* (holder: ChallengeHolder) {
  const nonce = yield* (yield* Challenges).consume(holder, yield* Clock.currentTimeMillis)
  return nonce === undefined ? undefined : yield* challengeOf(holder, nonce)
})

const challengeOf = (holder: ChallengeHolder, nonce: string) =>
  Effect.map(Vault, ({ mac }) => hexToBytes(mac('challenge', JSON.stringify([holder, nonce]))))
