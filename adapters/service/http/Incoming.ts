/** What a handler may need of a request beside its validated parts. */
export type Incoming = {
  /** The body as it was parsed, before fields that the contract does not know were dropped. */
  readonly rawBody: unknown
}
