/**
 * How many wrong passwords a record takes (domain/service/README.md#tries-of-a-password). A browser that logged in to the
 * record before holds a device token (OWASP: device cookie) and has tries of its own, which strangers cannot use up. All
 * other tries are counted by network, and together.
 */
import { utf8 } from '@scure/base'
import * as Effect from 'effect/Effect'
import { equal } from '../crypto/Equal.ts'
import { Caller } from './Caller.ts'
import { RateLimits, type Limit } from './ports/RateLimits.ts'
import { Vault } from './ports/Vault.ts'
import { Rates } from './rates.ts'

/** Takes a try. The result refills what it was taken from, for after a success. */
export const takeTry = Effect.fnUntraced(function* (passwordId: string, deviceToken: string | undefined) {
  const limits = yield* RateLimits
  const rates = yield* Rates
  const device = yield* knownDevice(passwordId, deviceToken)
  // The network's own comes first: alone it cannot use up what all share.
  const buckets: readonly Bucket[] =
    device === undefined
      ? [
          ['password of network', `${passwordId} ${(yield* Caller).network}`, rates.R5_DEVICE],
          ['password of unknown devices', passwordId, rates.R5_UNKNOWN],
        ]
      : [['password of device', device, rates.R5_DEVICE]]
  for (const [bucket, key, limit] of buckets) yield* limits.take(bucket, key, limit)
  return Effect.forEach(buckets, ([bucket, key]) => limits.clear(bucket, key), { discard: true })
})

type Bucket = readonly [bucket: string, key: string, limit: Limit]

/**
 * The token of the browser that has just proven the password: the one that it has, else one named after its portal
 * session, so that a login whose answer was lost gets the same.
 */
export const deviceTokenFor = Effect.fnUntraced(function* (
  passwordId: string,
  deviceToken: string | undefined,
  openingId: string,
) {
  return yield* tokenOf(passwordId, (yield* knownDevice(passwordId, deviceToken)) ?? openingId)
})

/** The device that a token of this record names; undefined for any other text. */
const knownDevice = Effect.fnUntraced(function* (passwordId: string, deviceToken: string | undefined) {
  const [device = ''] = deviceToken?.split('.') ?? []
  const genuine = yield* tokenOf(passwordId, device)
  return deviceToken !== undefined && equal(utf8.decode(deviceToken), utf8.decode(genuine)) ? device : undefined
})

const tokenOf = (passwordId: string, device: string) =>
  Effect.map(Vault, ({ mac }) => `${device}.${mac('device token', JSON.stringify([passwordId, device]))}`)
