/**
 * The session's token as a cookie, for pages of the public client that lost it (openapi/README.md#session-cookie). It counts
 * only beside an API key and at the session's own origin, which neither a form nor a page of another origin can bring together.
 */
import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie'
import type { Environment } from '../../../domain/model/Environment.ts'
import * as Header from '../../../domain/model/Header.ts'

/** Whose cookie it is, and where. */
export type Owner = { readonly partnerId: string; readonly environment: Environment }

export const read = (header: string, owner: Owner): string | undefined => parseCookie(header)[cookieOf(owner).name]

export const set = (token: string, owner: Owner): string =>
  stringifySetCookie({ ...cookieOf(owner), value: token, httpOnly: true, path: '/' })

export const clear = (owner: Owner): string =>
  stringifySetCookie({ ...cookieOf(owner), value: '', httpOnly: true, path: '/', maxAge: 0 })

/**
 * Partners share the host of the API, and pages of other sites than its own ask it: so the name has the partner's id, and each
 * site has a jar of its own. A development host has no certificate, without which browsers take no such cookie.
 */
const cookieOf = ({ partnerId, environment }: Owner): Omit<SetCookie, 'value'> =>
  environment === 'DEV'
    ? { name: Header.session, sameSite: 'lax' }
    : { name: `__Host-${Header.session}-${partnerId}`, secure: true, sameSite: 'none', partitioned: true }
