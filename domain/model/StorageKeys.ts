/** The keys of client storage (spec §3, client storage; contract-facts 2.4). */
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

/** The one key that lives in session storage, so that it dies with its tab (spec §3, user). */
export const loginEncryptionKeyPair = key('loginEncryptionKeyPair')

/** What the text form of storage keeps beside the spec's keys: the user's shares. */
export const keyShares = key('keyShares')

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
