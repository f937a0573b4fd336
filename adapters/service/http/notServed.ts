/** The optional fields of answers that the contract has and no handler serves. */
import type { UnservedField } from './handlers.ts'

const noNames = 'names of chains are not looked up'
const noReviews = 'reviews are not built'

/** Remove a field when you serve it. One that no handler serves and that is not here does not compile. */
export const notServed = {
  'getPasskeyLocationHints.hints.useragent': 'a passkey’s browser is not stored',
  'verifyPasskey.pepper': 'a passkey has no pepper',
  'verifyPassword.variant': 'the variant is not stored',
  'listWallets.wallets.ensName': noNames,
  'listWallets.wallets.ensAvatar': noNames,
  'listAllWallets.wallets.ensName': noNames,
  'listAllWallets.wallets.ensAvatar': noNames,
  'listPregenWallets.wallets.ensName': noNames,
  'listPregenWallets.wallets.ensAvatar': noNames,
  'signMessage.pendingTransactionId': noReviews,
  'signTransaction.pendingTransactionId': noReviews,
  'sendTransaction.pendingTransactionId': noReviews,
} as const satisfies { readonly [Field in UnservedField]: string }
