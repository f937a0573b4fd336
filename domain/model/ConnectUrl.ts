/** Addresses of the connect page (spec §2, hosts; flows 10): the recovery of wallets after all credentials were lost. */
import { isPresent } from './Identity.ts'
import * as Url from './Url.ts'

export const recoverPath = '/recover'

/** Under whose key the page speaks, and whose wallets are to come back, where that is known. */
export type Recover = { readonly apiKey: string; readonly email?: string | undefined }

export const recover = (connectHost: string, { apiKey, email }: Recover): string =>
  Url.withQuery(Url.join(connectHost, recoverPath), { apiKey, email: isPresent(email) ? email : undefined })

/** What the address of the page says; `undefined` where it is another page or names no key. */
export const readRecover = (url: string): Recover | undefined => {
  const { segments, query } = Url.read(url) ?? { segments: [], query: {} }
  const { apiKey, email } = query
  if (segments.join('/') !== recoverPath.slice(1) || !isPresent(apiKey)) return undefined
  return isPresent(email) ? { apiKey, email } : { apiKey }
}
