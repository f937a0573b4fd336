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
