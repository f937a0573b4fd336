/** Messages that a person reads: logins, terms, notices of an app. They move nothing. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import { equal } from '../../../crypto/Equal.ts'
import type { Decoded } from './Facts.ts'

export const messageFacts = (bytes: Uint8Array): Decoded => {
  const text = textOf(bytes)
  return {
    fields: new Map(),
    outflows: [],
    outflowUnknown: false,
    ...(text === undefined ? {} : { text }),
    details: text === undefined ? [{ name: 'message', value: `0x${bytesToHex(bytes)}` }] : [],
    warnings: text === undefined ? [{ code: 'UNREADABLE' }] : [],
  }
}

/**
 * UTF-8 without control characters but line breaks and tabs, and without those that turn the direction of writing or are not seen. Words of
 * some languages, and emoji, have joiners (U+200C, U+200D), which the review page writes out.
 */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    const text = utf8.encode(bytes)
    // A mark of the byte order in front is left out when it is read.
    return !equal(utf8ToBytes(text), bytes) || isHidden.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const isHidden =
  /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]|(?!\p{Join_Control}|(?<=\p{Extended_Pictographic})\uFE0F)\p{Default_Ignorable_Code_Point}/u
