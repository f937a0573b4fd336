/** Addresses of the connect page, which recovers wallets (domain/client/README.md#recovery). */
import { isPresent } from './Identity.ts'
import * as Url from './Url.ts'

export const recoverPath = '/recover'

/** The API key that the page uses, and the account to recover, if the link names one. */
export type Recover = { readonly apiKey: string; readonly email?: string | undefined }

/** The address of the recovery page. `connectHost` is an origin; `email` fills the first field in. */
export const recover = (connectHost: string, { apiKey, email }: Recover): string =>
  Url.withQuery(Url.join(connectHost, recoverPath), { apiKey, email: isPresent(email) ? email : undefined })

/** Reads the page's address; `undefined` when it is another page or names no API key. */
export const readRecover = (url: string): Recover | undefined => {
  const { segments, query } = Url.read(url) ?? { segments: [], query: {} }
  const { apiKey, email } = query
  if (segments.join('/') !== recoverPath.slice(1) || !isPresent(apiKey)) return undefined
  return isPresent(email) ? { apiKey, email } : { apiKey }
}
