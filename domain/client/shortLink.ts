/**
 * A short login link (spec §2; security 1.2 O): the address of a portal page, encrypted under a key that only the link
 * has, waits at the service for whoever opens the link, once. The key is in the fragment, which no server sees.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Ecies from '../crypto/Ecies.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import { shortLinkKeyBytes } from '../model/Limits.ts'
import * as PortalUrl from '../model/PortalUrl.ts'
import * as Url from '../model/Url.ts'
import { originOf } from './origin.ts'
import { Api } from './ports/Api.ts'
import { Random } from './ports/Random.ts'
import { Settings } from './ports/Settings.ts'

/** The key is 32 bytes (spec §9); the point of the curve that belongs to it encrypts (facts 2.2). */
export const createShortLink = Effect.fn('keyShares.createShortLink')(function* (link: string) {
  const random = yield* Random
  const { hosts } = yield* Settings
  if (targetOf(link, hosts.portal) === undefined) return yield* new ShortLinkRefused()
  const secret = yield* random.bytes(shortLinkKeyBytes)
  const message = Ecies.seal({
    publicKey: RecoverySecret.publicKeyOf(secret),
    plaintext: link,
    ephemeralSecret: yield* random.bytes(32),
    iv: yield* random.bytes(Ecies.ivLength),
  })
  const { id } = yield* (yield* Api).call('createTemporaryTransmission', { body: { message } })
  return `${Url.join(hosts.portal, `/short/${Url.encode(id)}`)}#${bytesToHex(secret)}`
})

/** What a link may stand for: every page of the portal at whose address it is. Another short link is no page. */
export const targetOf = (link: string, portalUrl: string): string | undefined => {
  if (!link.startsWith(`${originOf(portalUrl)}/`) || !isPlain(link)) return undefined
  return Result.isSuccess(PortalUrl.read(link)) ? link : undefined
}

/** What browsers read otherwise than we do, they do not get: controls, blanks, backslashes and steps up a path. */
const isPlain = (link: string): boolean =>
  /^[\x21-\x7e]+$/.test(link) &&
  !link.includes('\\') &&
  (Url.read(link)?.segments ?? ['..']).every((segment) => segment !== '.' && segment !== '..')

/** Incomplete, for another key, or for an address that is no page of this portal. */
export class ShortLinkRefused extends Data.TaggedError('ShortLinkRefused') {
  override readonly message = 'this link leads nowhere'
}
