/** Parts of a request that a handler may need beside the validated ones. */
export type Incoming = {
  /** The parsed body before unknown fields were dropped. */
  readonly rawBody: unknown
}
