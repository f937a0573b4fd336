/** A request as it came in, before anything is believed. */
export type RawRequest = {
  readonly method: string
  /** Path and query exactly as in the request line: what a device signs. */
  readonly target: string
  readonly path: Readonly<Record<string, string>>
  readonly query: unknown
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty where there is none. */
  readonly body: Uint8Array
  readonly ip: string
}

export const headerOf = (request: RawRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
