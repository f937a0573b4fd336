/** What a person reads until the name is known, and where it cannot be. */
export const unnamed: Operator = { name: 'the wallet service', logo: null }

/**
 * The party that runs a deployment, as a person reads it: on the pages of portal and connect, in mails, in the SDK's dialog, and in the
 * dialogs of passkeys. The contract and the catalogue of errors keep the provider's own names (openapi/README.md#names).
 */
export type Operator = {
  /** One line of text, as `Corner Bank`. */
  readonly name: string
  /** The path of an image on the page's own origin. */
  readonly logo: string | null
}
