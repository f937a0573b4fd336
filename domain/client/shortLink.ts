/**
 * A short login link (spec §2; security 1.2 O): the address of a portal page, encrypted under a key that only the link has,
 * waits at the service for whoever opens the link, once. The key is in the fragment, which no server sees.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Ecies from '../crypto/Ecies.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as Url from '../model/Url.ts'
import { Api } from './ports/Api.ts'
import { Random } from './ports/Random.ts'
import { Settings } from './ports/Settings.ts'

/** 32 bytes (spec §9); the point of the curve that belongs to it encrypts (facts 2.2). */
export const secretLength = RecoverySecret.secretKeyLength

export const createShortLink = Effect.fn('keyShares.createShortLink')(function* (link: string) {
  const random = yield* Random
  const { hosts } = yield* Settings
  const secret = yield* random.bytes(secretLength)
  const message = Ecies.seal({
    publicKey: RecoverySecret.publicKeyOf(secret),
    plaintext: link,
    ephemeralSecret: yield* random.bytes(secretLength),
    iv: yield* random.bytes(Ecies.ivLength),
  })
  const { id } = yield* (yield* Api).call('createTemporaryTransmission', { body: { message } })
  return `${Url.join(hosts.portal, `/short/${Url.encode(id)}`)}#${bytesToHex(secret)}`
})
