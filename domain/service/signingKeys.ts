/** The keys that sign JWTs of sessions (domain/service/README.md#session-jwts). All processes share them. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { Jwts, type JwtPublicKey } from './ports/Jwts.ts'
import { SigningKeys } from './ports/SigningKeys.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { needsNext, outdatedAt, signingAt, signingKeyLimits, type SigningKey } from './SigningKey.ts'

/** Publishes the next key where it is time, and deletes those that are outdated. Upkeep schedules it. */
export const rotate = Effect.fn('signingKeys.rotate')(function* () {
  const port = yield* SigningKeys
  const stored = yield* port.all
  const keys = yield* ours(stored)
  const now = yield* Clock.currentTimeMillis
  for (const { number } of outdatedAt(keys, now)) yield* port.remove(number)
  if (needsNext(keys, now)) yield* make(stored, keys.length === 0 ? now : now + signingKeyLimits.published)
})

/** Those that are published. The first use makes the first one. */
export const publishedKeys = Effect.gen(function* () {
  const port = yield* SigningKeys
  const stored = yield* port.all
  const keys = yield* ours(stored)
  if (keys.length > 0) return keys
  yield* make(stored, yield* Clock.currentTimeMillis)
  return yield* ours(yield* port.all)
})

/** The private key, PKCS#8, of the key that signs now. */
export const signingKey = Effect.gen(function* () {
  const key = signingAt(yield* publishedKeys, yield* Clock.currentTimeMillis)
  if (key === undefined) return yield* Effect.die(new Error('no key signs'))
  return { kid: key.kid, privateKey: yield* Effect.orDie(opened(key)) }
})

/** A writer of the database can add a row, and cannot seal a private key for it: such a row is no key of ours. */
const ours = (stored: readonly SigningKey[]) =>
  Effect.filter(stored, (key) => Effect.map(Effect.option(opened(key)), Option.isSome))

const opened = (key: SigningKey) =>
  Effect.flatMap(Vault, ({ open }) => open(signingKeyAssociatedData(key), key.sealedPrivateKey))

/** The first key signs at once: there is no list without it that a server could hold. */
const make = Effect.fnUntraced(function* (stored: readonly SigningKey[], signsFrom: number) {
  const { privateKey, ...publicKey } = yield* (yield* Jwts).makeKey
  const sealedPrivateKey = yield* (yield* Vault).seal(signingKeyAssociatedData(publicKey), privateKey)
  const number = (stored.at(-1)?.number ?? 0) + 1
  yield* (yield* SigningKeys).add({ ...publicKey, number, sealedPrivateKey, signsFrom })
})

export const signingKeyAssociatedData = ({ kid, x, y }: JwtPublicKey): AssociatedData => ({
  table: 'signing_keys',
  id: `${kid}.${x}.${y}`,
})
