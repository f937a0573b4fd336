/**
 * A short link: the address of a portal page, encrypted under a key that only the link has. The service keeps the
 * ciphertext for one fetch. The key is in the fragment, which no server sees.
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
import { originOf } from '../model/Url.ts'
import { Api } from './ports/Api.ts'
import { Random } from './ports/Random.ts'
import { Settings } from './ports/Settings.ts'

/** The key is a secp256k1 secret key of 32 bytes; the address is encrypted to its public point. */
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

/** Refuses what browsers may read otherwise than this code: controls, blanks, backslashes and steps up a path. */
const isPlain = (link: string): boolean =>
  /^[\x21-\x7e]+$/.test(link) &&
  !link.includes('\\') &&
  (Url.read(link)?.segments ?? ['..']).every((segment) => segment !== '.' && segment !== '..')

/** Incomplete, for another key, or for an address that is no page of this portal. */
export class ShortLinkRefused extends Data.TaggedError('ShortLinkRefused') {
  override readonly message = 'invalid link'
}
