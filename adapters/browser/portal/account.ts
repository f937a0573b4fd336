/** Whose page it is, as a person may read it. An address may name anybody, and its text goes into our sentences. */
import * as Identity from '../../../domain/model/Identity.ts'

/** The longest e-mail address (RFC 5321 4.5.3.1.3). */
const longest = 254

/**
 * The identity's value, or nothing where it could be no account's: too long, with blanks, or with characters that
 * nobody sees or that turn what stands around them.
 */
export const shownAccount = (auth: Identity.AuthObject): string | undefined => {
  const identity = Identity.fromAuthObject(auth)
  const text = identity === undefined ? '' : Identity.value(identity)
  return text === '' || text.length > longest || /[\p{C}\p{Z}]/u.test(text) ? undefined : text
}
