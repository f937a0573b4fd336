/**
 * The portal's page of a short link: it fetches the address that the link stands for and goes there, if it is a page of
 * this portal.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Ecies from '../../crypto/Ecies.ts'
import { fromHex } from '../../crypto/Hex.ts'
import { shortLinkKeyBytes } from '../../model/Limits.ts'
import * as Url from '../../model/Url.ts'
import { Api } from '../ports/Api.ts'
import { Navigation } from '../ports/Navigation.ts'
import { ShortLinkRefused, targetOf } from '../shortLink.ts'

export type ShortLink = {
  readonly id: string
  /** Undefined if the link is incomplete. */
  readonly secret: Uint8Array | undefined
}

/**
 * Our links have the key in the fragment, those of the public client behind a bar in the path. Undefined if the address
 * is no short link at all.
 */
export const readShortLink = (url: string): ShortLink | undefined => {
  const { segments } = Url.read(url) ?? { segments: [] }
  const [area, text = '', ...more] = segments
  if (area !== 'short' || text === '' || more.length > 0) return undefined
  const [id = '', inPath, ...others] = text.split('|')
  const inFragment = /#(.*)$/s.exec(url)?.[1]
  const hex = others.length > 0 ? undefined : (inPath ?? inFragment)
  return { id, secret: secretOf(hex ?? '') }
}

const secretOf = (hex: string): Uint8Array | undefined => {
  const secret = fromHex(hex.toLowerCase(), shortLinkKeyBytes)
  return secret !== undefined && secp256k1.utils.isValidSecretKey(secret) ? secret : undefined
}

/** Fetches the address, which is possible once, and goes there. `url`: of the page when it was loaded. */
export const openShortLink = Effect.fn('keyShares.openShortLink')(function* (url: string) {
  const { id, secret } = readShortLink(url) ?? { id: '', secret: undefined }
  if (secret === undefined) return yield* new ShortLinkRefused()
  const { message } = yield* (yield* Api).call('getTemporaryTransmission', { path: { transmissionId: id } })
  const link = Result.getOrUndefined(Ecies.open({ secretKey: secret, text: message }))
  const target = link === undefined ? undefined : targetOf(link, url)
  if (target === undefined) return yield* new ShortLinkRefused()
  yield* (yield* Navigation).redirect(target)
})
