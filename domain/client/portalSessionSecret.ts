/**
 * The secret of the portal session that this tab answered last, in session storage until its result was read, so that a
 * reload of the host keeps it. After a redirect it is the code of the fragment.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import { storagePrefix } from '../model/Provider.ts'
import { Storage } from './ports/Storage.ts'

export type PortalSessionSecret = {
  readonly openingId: string
  readonly secret: Uint8Array
  /** Whether this host gave it to the page, or the page returned it in a fragment. */
  readonly kind: 'hostSecret' | 'code'
}

const key = `${storagePrefix}tandem/opening`

/** For a code that came back and was not redeemed yet: it was taken out of the address. */
const unredeemedKey = `${storagePrefix}tandem/returned`

export const keepPortalSessionSecret = Effect.fn('portalSessions.keepSecret')(function* (
  portalSession: PortalSessionSecret,
) {
  const { session } = yield* Storage
  yield* session.set(key, write(portalSession))
  yield* session.remove(unredeemedKey)
})

export const portalSessionSecret = Effect.gen(function* () {
  return read(yield* (yield* Storage).session.get(key))
})

export const forgetPortalSessionSecret = Effect.gen(function* () {
  const { session } = yield* Storage
  yield* session.remove(key)
  yield* session.remove(unredeemedKey)
})

export const keepUnredeemed = Effect.fn('portalSessions.keepUnredeemed')(function* (returned: PortalSessionSecret) {
  yield* (yield* Storage).session.set(unredeemedKey, write(returned))
})

export const unredeemed = Effect.gen(function* () {
  return read(yield* (yield* Storage).session.get(unredeemedKey))
})

export const forgetUnredeemed = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(unredeemedKey)
})

const write = ({ openingId, secret, kind }: PortalSessionSecret): string => `${openingId}.${bytesToHex(secret)}.${kind}`

const read = (text = ''): Option.Option<PortalSessionSecret> => {
  const [openingId = '', hex = '', kind] = text.split('.')
  const secret = fromHex(hex, 32)
  return secret !== undefined && (kind === 'hostSecret' || kind === 'code')
    ? Option.some({ openingId, secret, kind })
    : Option.none()
}
