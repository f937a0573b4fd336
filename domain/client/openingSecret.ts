/**
 * The secret of the one opening that this tab answered last, in session storage until its result was read (flows 3): a
 * reload of the host must not lose it. In the redirect variant it is the code of the fragment.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import { storagePrefix } from '../model/Provider.ts'
import { Storage } from './ports/Storage.ts'

export type OpeningSecret = {
  readonly openingId: string
  readonly secret: Uint8Array
  /** Whether this host gave it to the page, or the page handed it back in a fragment. */
  readonly kind: 'hostSecret' | 'code'
}

const key = `${storagePrefix}tandem/opening`

/** Where a code rests that came back and was not redeemed yet: its address has it no more. */
const unredeemedKey = `${storagePrefix}tandem/returned`

export const keepOpeningSecret = Effect.fn('openings.keepSecret')(function* (opening: OpeningSecret) {
  const { session } = yield* Storage
  yield* session.set(key, write(opening))
  yield* session.remove(unredeemedKey)
})

export const openingSecret = Effect.gen(function* () {
  return read(yield* (yield* Storage).session.get(key))
})

export const forgetOpeningSecret = Effect.gen(function* () {
  const { session } = yield* Storage
  yield* session.remove(key)
  yield* session.remove(unredeemedKey)
})

export const keepUnredeemed = Effect.fn('openings.keepUnredeemed')(function* (returned: OpeningSecret) {
  yield* (yield* Storage).session.set(unredeemedKey, write(returned))
})

export const unredeemed = Effect.gen(function* () {
  return read(yield* (yield* Storage).session.get(unredeemedKey))
})

export const forgetUnredeemed = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(unredeemedKey)
})

const write = ({ openingId, secret, kind }: OpeningSecret): string => `${openingId}.${bytesToHex(secret)}.${kind}`

const read = (text = ''): Option.Option<OpeningSecret> => {
  const [openingId = '', hex = '', kind] = text.split('.')
  const secret = fromHex(hex, 32)
  return secret !== undefined && (kind === 'hostSecret' || kind === 'code')
    ? Option.some({ openingId, secret, kind })
    : Option.none()
}
