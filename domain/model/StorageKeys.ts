/** The keys of client storage. Their names are the public client's (domain/client/README.md#storage). */
import { storagePrefix } from './Provider.ts'

const key = <const K extends string>(name: K) => `${storagePrefix}${name}` as const

export const email = key('e-mail')
export const phone = key('phone')
export const countryCode = key('countryCode')
export const farcasterUsername = key('farcasterUsername')
export const telegramUserId = key('telegramUserId')
export const externalWalletUserId = key('externalWalletUserId')
export const userId = key('userId')
export const ed25519Wallets = key('ed25519Wallets')
export const wallets = key('wallets')
export const externalWallets = key('externalWallets')
export const currentWalletIds = key('currentWalletIds')
export const sessionCookie = key('sessionCookie')

/** The one key in session storage, which ends with its tab. */
export const loginEncryptionKeyPair = key('loginEncryptionKeyPair')

/** The key of the user's shares where storage holds text. It is ours; the public client has none like it. */
export const keyShares = key('keyShares')

/** The key of a device token in the portal's storage. */
export const deviceToken = (passwordId: string) => key(`deviceToken/${passwordId}`)

/** The keys in local storage. */
export const local = [
  email,
  phone,
  countryCode,
  farcasterUsername,
  telegramUserId,
  externalWalletUserId,
  userId,
  ed25519Wallets,
  wallets,
  externalWallets,
  currentWalletIds,
  sessionCookie,
] as const
