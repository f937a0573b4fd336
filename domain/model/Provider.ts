/**
 * The provider as partners and users read it: in messages, events, storage keys and headers. These words are the spec's
 * and occur nowhere else; every sentence that contains one is built from here (design, preface).
 */

export const displayName = 'Para'

/** The prefix of events and the middle of the version header (spec §1, contract-facts 0). */
export const shortName = 'para'

/** The prefix of every key in client storage (contract-facts 2.4). */
export const storagePrefix = '@CAPSULE/'

/** The spec's field that tells an external wallet with full authentication from one merely connected (§3, §6). */
export type ExternalWalletAuth = { readonly isExternalWithParaAuth?: boolean }

export const hasFullAuth = (wallet: ExternalWalletAuth): boolean => wallet.isExternalWithParaAuth === true
