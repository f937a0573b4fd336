/** The address of a listener on this machine, as a URL without a path. An IPv6 address stands in brackets there. */
export const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
