/** Building and reading the text of a URL, where the platform's own classes do not exist. */

export type Parameters = { readonly [name: string]: string | undefined }

/** Joins a base and a path with exactly one slash between them. */
export const join = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`

/** Percent-encodes one part. Halves of surrogate pairs, which cannot be encoded, become U+FFFD. */
export const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))

/** Appends the parameters that have a value, in the order in which they are given. */
export const withQuery = (url: string, parameters: Parameters): string => {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encode(name)}=${encode(value)}`]))
    .join('&')
  return query === '' ? url : `${url}?${query}`
}

/** A URL's path segments and query, decoded, or `undefined` when its percent-encoding is broken. */
export const read = (url: string): { readonly segments: readonly string[]; readonly query: Parameters } | undefined => {
  const [beforeFragment = ''] = url.split('#')
  const [location = '', ...rest] = beforeFragment.split('?')
  try {
    return {
      segments: location
        .replace(/^\w+:\/\/[^/]*/, '')
        .split('/')
        .filter((segment) => segment !== '')
        .map(decodeURIComponent),
      query: Object.fromEntries(
        rest
          .join('?')
          .split('&')
          .filter((pair) => pair !== '')
          .map((pair) => {
            const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
            return [decodeURIComponent(name), decodeURIComponent(value.join('='))]
          }),
      ),
    }
  } catch {
    return undefined
  }
}

/** The origin of an http(s) URL as browsers report it: lower case, without the scheme's own port. */
export const originOf = (url: string): string => {
  const [, scheme = '', host = ''] = /^(https?):\/\/([^/?#]+)/.exec(url.toLowerCase()) ?? []
  const ownPort = scheme === 'https' ? ':443' : ':80'
  return `${scheme}://${host.endsWith(ownPort) ? host.slice(0, -ownPort.length) : host}`
}

/** Host and port of an origin. */
export const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '')

/** What passkeys of a page are bound to: its host without its port. */
export const relyingPartyOf = (origin: string): string => hostOf(origin).replace(/:[0-9]+$/, '')
