/**
 * Who runs a deployment, as a person reads it: on the pages of portal and connect, in mails, and in the dialogs of
 * passkeys. The names of the wire and the catalogue are the provider's (Provider.ts), whoever operates.
 */
export type Operator = {
  /** One line of text, as `Corner Bank`. */
  readonly name: string
  /** The path of an image on the page's own origin. */
  readonly logo: string | null
}
