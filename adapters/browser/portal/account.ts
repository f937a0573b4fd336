/** The account as the page shows it. A link can contain any text, and it is shown within our sentences. */
import * as Identity from '../../../domain/model/Identity.ts'

/** The longest e-mail address (RFC 5321 4.5.3.1.3). */
const longest = 254

/**
 * The identity's value, or `undefined` if it is no account's: too long, with spaces, or with invisible characters or
 * ones that change the writing direction.
 */
export const shownAccount = (auth: Identity.AuthObject): string | undefined => {
  const identity = Identity.fromAuthObject(auth)
  const text = identity === undefined ? '' : Identity.value(identity)
  return text === '' || text.length > longest || /[\p{C}\p{Z}]/u.test(text) ? undefined : text
}
