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

export const keepOpeningSecret = Effect.fn('openings.keepSecret')(function* ({ openingId, secret, kind }: OpeningSecret) {
  yield* (yield* Storage).session.set(key, `${openingId}.${bytesToHex(secret)}.${kind}`)
})

export const openingSecret = Effect.gen(function* () {
  const text = (yield* (yield* Storage).session.get(key)) ?? ''
  const [openingId = '', hex = '', kind] = text.split('.')
  const secret = fromHex(hex, 32)
  return secret !== undefined && (kind === 'hostSecret' || kind === 'code')
    ? Option.some<OpeningSecret>({ openingId, secret, kind })
    : Option.none<OpeningSecret>()
})

export const forgetOpeningSecret = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(key)
})
