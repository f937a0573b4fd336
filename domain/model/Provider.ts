/**
 * The provider's names as partners and users read them, in messages, events, storage keys and headers. They are the
 * public client's names (openapi/README.md#names); every text that contains one is built from these constants.
 */

export const displayName = 'Para'

/** The prefix of events and the middle of the version header. */
export const shortName = 'para'

/** The prefix of every key in client storage. */
export const storagePrefix = '@CAPSULE/'

/** The field that is true for an external wallet with full authentication, and not for one that is only connected. */
export type ExternalWalletAuth = { readonly isExternalWithParaAuth?: boolean }

/**
 * Whether the external wallet was used to sign in. Logins with external wallets are not built yet.
 * @notBuilt
 */
export const hasFullAuth = (wallet: ExternalWalletAuth): boolean => wallet.isExternalWithParaAuth === true
