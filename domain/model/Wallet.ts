/** Wallets: types and schemes, and which are owned, unclaimed, claimable or missing. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { isPresent, matches } from './Identity.ts'
import { phoneOf, type User } from './User.ts'
import {
  mandatory,
  UnsupportedWalletType,
  walletTypes,
  type SupportedWalletTypes,
  type WalletType,
} from './WalletTypes.ts'

export { walletTypes, type WalletType } from './WalletTypes.ts'

export const schemes = ['DKLS', 'CGGMP', 'ED25519'] as const
export type Scheme = (typeof schemes)[number]

/** Whether a wallet was made for a user or pregenerated. */
export const origins = ['USER', 'PREGEN'] as const
export type Origin = (typeof origins)[number]

export const pregenIdentifierTypes = ['EMAIL', 'PHONE', 'TELEGRAM'] as const
export type PregenIdentifierType = (typeof pregenIdentifierTypes)[number]

export type Wallet = {
  readonly id: string
  readonly type?: WalletType | null
  readonly scheme: Scheme
  /** Absent until key generation is over on both sides. */
  readonly address?: string | null
  readonly publicKey?: string | null
  readonly name?: string | null
  readonly partnerId?: string | null
  readonly userId?: string | null
  readonly protocolId?: string | null
  /** The user's key share, never shown. */
  readonly signer?: string | null
  readonly isPregen?: boolean | null
  readonly pregenIdentifier?: string | null
  readonly pregenIdentifierType?: PregenIdentifierType | null
  readonly cosmosPrefix?: string | null
}

const typesOfScheme: { readonly [S in Scheme]: readonly WalletType[] } = {
  DKLS: ['EVM', 'COSMOS'],
  CGGMP: ['EVM', 'COSMOS'],
  ED25519: ['SOLANA'],
}

/** The schemes that can serve a type. */
export const schemeSupports = (scheme: Scheme, type: WalletType): boolean => typesOfScheme[scheme].includes(type)

/** The scheme a new wallet of this type gets: Solana uses ED25519, others use DKLS. */
export const schemeForType = (type: WalletType): Scheme => (type === 'SOLANA' ? 'ED25519' : 'DKLS')

/** The type of a scheme that is given without one: Solana for ED25519, otherwise EVM. */
export const typeForScheme = (scheme: Scheme): WalletType => (scheme === 'ED25519' ? 'SOLANA' : 'EVM')

/** Completes the caller's type or scheme to a valid pair. Without either it is an EVM wallet. */
export const typeAndScheme = (asked: {
  readonly type?: WalletType | undefined
  readonly scheme?: Scheme | null | undefined
}): Result.Result<{ readonly type: WalletType; readonly scheme: Scheme }, UnsupportedWalletType> => {
  const type = asked.type ?? typeForScheme(asked.scheme ?? 'DKLS')
  const scheme = asked.scheme ?? schemeForType(type)
  return schemeSupports(scheme, type) ? Result.succeed({ type, scheme }) : Result.fail(new UnsupportedWalletType())
}

/** The wallet's type, by its scheme where the record has none. */
export const typeOf = ({ type, scheme }: Pick<Wallet, 'type' | 'scheme'>): WalletType => type ?? typeForScheme(scheme)

/** Supported: of a type that the app lists, under a scheme that can serve it. */
export const isSupported = (wallet: Pick<Wallet, 'type' | 'scheme'>, supported: SupportedWalletTypes): boolean =>
  supported.some(({ type }) => type === typeOf(wallet) && schemeSupports(wallet.scheme, type))

/** Owned: supported, without a pregen identifier, and its user is the current one. */
export const isOwned = (wallet: Wallet, user: User, supported: SupportedWalletTypes): boolean =>
  isSupported(wallet, supported) && belongsTo(wallet, user)

/** Ownership apart from what the app supports: no pregen identifier, and the current user's. */
export const belongsTo = (wallet: Wallet, user: User): boolean =>
  !isPresent(wallet.pregenIdentifier) &&
  !isPresent(wallet.pregenIdentifierType) &&
  isPresent(wallet.userId) &&
  wallet.userId === user.userId

/** Unclaimed: it has no user, or is flagged pregen with an identifier and its type. */
export const isUnclaimed = (wallet: Wallet): boolean =>
  !isPresent(wallet.userId) ||
  (wallet.isPregen === true && isPresent(wallet.pregenIdentifier) && isPresent(wallet.pregenIdentifierType))

/** Claimable: unclaimed, and its identifier matches the current user's own. */
export const isClaimable = (wallet: Wallet, user: User): boolean => {
  if (!isUnclaimed(wallet) || !isPresent(wallet.pregenIdentifier) || !wallet.pregenIdentifierType) return false
  const own = identifiersOf(user)[wallet.pregenIdentifierType]
  return isPresent(own) && matches(wallet.pregenIdentifierType, wallet.pregenIdentifier, own)
}

/** The user's own identifier of each pregen kind. */
const identifiersOf = (user: User): { readonly [T in PregenIdentifierType]: string | null | undefined } => ({
  EMAIL: user.email,
  PHONE: phoneOf(user),
  TELEGRAM: user.telegramUserId,
})

/**
 * Claiming clears the pregen identifier and type and sets the user.
 * @notBuilt
 */
export const claimed = (wallet: Wallet, userId: string): Wallet => ({
  ...wallet,
  userId,
  pregenIdentifier: null,
  pregenIdentifierType: null,
})

/**
 * The last step of a claim: Solana redistributes the backup share, others refresh the share. Claims of pregenerated
 * wallets are not built yet.
 * @notBuilt
 */
export const claimCompletion = (scheme: Scheme): 'redistribute' | 'refresh' =>
  scheme === 'ED25519' ? 'redistribute' : 'refresh'

/**
 * The id in the paths of signing calls: the partner's for a pregenerated wallet without a user, else the user's.
 * Signatures with pregenerated wallets are not built yet.
 * @notBuilt
 */
export const signingPrincipal = (wallet: Wallet): string | undefined =>
  [wallet.userId, wallet.partnerId].find((id) => isPresent(id)) ?? undefined

/**
 * The non-optional types of which the user has no wallet yet, in the configuration's order. A wallet whose key
 * generation was not finished is listed without an address and counts as missing.
 */
export const missingTypes = (
  wallets: readonly Wallet[],
  user: User,
  supported: SupportedWalletTypes,
): readonly WalletType[] =>
  mandatory(supported).filter(
    (type) =>
      !wallets.some((wallet) => typeOf(wallet) === type && isOwned(wallet, user, supported) && hasAddress(wallet)),
  )

/** Sorts by the app's order of types: the wallets of an account are made in parallel, so their own order is random. */
export const inOrder = (wallets: readonly Wallet[], supported: SupportedWalletTypes): readonly Wallet[] => {
  const order = supported.map(({ type }) => type)
  const rankOf = (wallet: Wallet) => {
    const rank = order.indexOf(typeOf(wallet))
    return rank === -1 ? order.length : rank
  }
  return wallets.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** A wallet is shown only once it has an address. */
export const hasAddress = (wallet: Wallet): wallet is Wallet & { readonly address: string } => isPresent(wallet.address)

/** Reads a type of the three that a pregen identifier may have. */
export const isPregenIdentifierType = (text: string): text is PregenIdentifierType =>
  pregenIdentifierTypes.some((type) => type === text)

/**
 * Whether the text is a wallet type or a word for the origin of a wallet.
 * @notBuilt
 */
export const isTypeOrOrigin = (text: string): text is WalletType | Origin =>
  [...walletTypes, ...origins].some((word) => word === text)

/**
 * The balance's path needs a user id.
 * @notBuilt
 */
export const requireUserForBalance = (user: User): Result.Result<string, BalanceNeedsUserId> =>
  isPresent(user.userId) ? Result.succeed(user.userId) : Result.fail(new BalanceNeedsUserId())

export class BalanceNeedsUserId extends Data.TaggedError('BalanceNeedsUserId') {
  override readonly message = 'a user id is required to get a wallet balance'
}

/** The wallet's address did not appear within the tries of wallet creation. */
export class WalletAddressTimedOut extends Data.TaggedError('WalletAddressTimedOut')<{ readonly walletId: string }> {
  override readonly message = 'timed out waiting for wallet address'
}

/** The service did not say within 15 s that the refresh is done. The wallet signs all the same. */
export class RefreshFailed extends Data.TaggedError('RefreshFailed')<{ readonly walletId: string }> {
  override readonly message = 'refresh failed'
}
