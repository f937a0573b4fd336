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

export type OpeningSecret = { readonly openingId: string; readonly secret: Uint8Array }

const key = `${storagePrefix}tandem/opening`

export const keepOpeningSecret = Effect.fn('openings.keepSecret')(function* ({ openingId, secret }: OpeningSecret) {
  yield* (yield* Storage).session.set(key, `${openingId}.${bytesToHex(secret)}`)
})

export const openingSecret = Effect.gen(function* () {
  const text = (yield* (yield* Storage).session.get(key)) ?? ''
  const [openingId = '', hex = ''] = text.split('.')
  const secret = fromHex(hex, 32)
  return openingId === '' || secret === undefined
    ? Option.none<OpeningSecret>()
    : Option.some<OpeningSecret>({ openingId, secret })
})

export const forgetOpeningSecret = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(key)
})
