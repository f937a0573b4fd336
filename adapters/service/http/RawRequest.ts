/** A request as it was received, before any check. */
export type RawRequest = {
  readonly method: string
  /** Path and query exactly as in the request line; the device signature covers them. */
  readonly target: string
  readonly path: Readonly<Record<string, string>>
  readonly query: unknown
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty if there is no body. */
  readonly body: Uint8Array
  readonly ip: string
}

export const headerOf = (request: RawRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
