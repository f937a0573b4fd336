/**
 * In the redirect variant there is no proven opener, so shares are sealed once more under the code in the fragment,
 * which only the partner's registered address receives (flows 2, 6.7; A7).
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ascii } from '@scure/base'
import * as Result from 'effect/Result'
import { hash } from '../crypto/Transcript.ts'
import * as Wrap from '../crypto/Wrap.ts'

type Place = { readonly code: Uint8Array; readonly openingId: string; readonly walletId: string }

/** `encryptedShare` is hex; `iv` has 12 fresh random bytes. */
export const seal = (place: Place, encryptedShare: string, iv: Uint8Array): string =>
  Wrap.seal({ key: keyOf(place), aad: associatedData(place), plaintext: utf8ToBytes(encryptedShare), iv })

export const open = (place: Place, text: string): Result.Result<string, Wrap.SealBroken> =>
  Result.map(Wrap.open({ key: keyOf(place), aad: associatedData(place), text }), (bytes) => ascii.encode(bytes))

const keyOf = ({ code, openingId }: Place) =>
  hkdf(sha256, code, utf8ToBytes(openingId), utf8ToBytes('tandem/redirect-share/v1'), 32)

const associatedData = ({ openingId, walletId }: Place) => hash('tandem/redirect-share/v1', [openingId, walletId])
