/** A key that signs JWTs of sessions: when it is published, signs and goes (domain/service/README.md#session-jwts). */
import type { JwtPublicKey } from './ports/Jwts.ts'

export type SigningKey = JwtPublicKey & {
  /** Counted from 1. Processes that make the next key at once make it under the same number, and one stays. */
  readonly number: number
  readonly sealedPrivateKey: Uint8Array
  /** Milliseconds since 1970. It signs until the next key does. */
  readonly signsFrom: number
}

/** Milliseconds. */
export const signingKeyLimits = {
  /** How long a key is published before it signs: longer than anyone caches the list. */
  published: 24 * 60 * 60_000,
  signs: 30 * 24 * 60 * 60_000,
  /** How long it stays after the next one signs: longer than its last JWT lives, by clocks that differ. */
  kept: 60 * 60_000,
} as const

/**
 * The key that signs at `now`, of keys in the order of their numbers. The oldest signs also by a clock that is behind the
 * one of the process that made it.
 */
export const signingAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0]

/** Those that no JWT needs any more. */
export const outdatedAt = (keys: readonly SigningKey[], now: number): readonly SigningKey[] =>
  keys.filter((_, index) => now >= (keys[index + 1]?.signsFrom ?? Infinity) + signingKeyLimits.kept)

/** Whether the next key has to be published now. */
export const needsNext = (keys: readonly SigningKey[], now: number): boolean =>
  now >= (keys.at(-1)?.signsFrom ?? -Infinity) + signingKeyLimits.signs - signingKeyLimits.published
