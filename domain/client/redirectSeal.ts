/**
 * A page that returns by redirect has no proven opener, so shares are sealed once more under the code in the fragment,
 * which only the partner's registered address receives.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ascii } from '@scure/base'
import * as Result from 'effect/Result'
import { hash } from '../crypto/Transcript.ts'
import * as Wrap from '../crypto/Wrap.ts'

type RedirectContext = { readonly code: Uint8Array; readonly openingId: string; readonly walletId: string }

/** `encryptedShare` is hex; `iv` has 12 fresh random bytes. */
export const seal = (context: RedirectContext, encryptedShare: string, iv: Uint8Array): string =>
  Wrap.seal({ key: keyOf(context), aad: associatedData(context), plaintext: utf8ToBytes(encryptedShare), iv })

export const open = (context: RedirectContext, text: string): Result.Result<string, Wrap.SealBroken> =>
  Result.map(Wrap.open({ key: keyOf(context), aad: associatedData(context), text }), (bytes) => ascii.encode(bytes))

const keyOf = ({ code, openingId }: RedirectContext) =>
  hkdf(sha256, code, utf8ToBytes(openingId), utf8ToBytes('tandem/redirect-share/v1'), 32)

const associatedData = ({ openingId, walletId }: RedirectContext) =>
  hash('tandem/redirect-share/v1', [openingId, walletId])
