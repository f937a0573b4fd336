/**
 * Selects the wallet of a call. It must exist, be owned or claimable by the user, be of a supported type, and match the
 * caller's type and scheme. The checks run in this order; the first that fails gives the error.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import * as CurrentWalletIds from './CurrentWalletIds.ts'
import { isPresent } from './Identity.ts'
import { displayName } from './Provider.ts'
import type { User } from './User.ts'
import {
  belongsTo,
  hasAddress,
  isClaimable,
  isSupported,
  isUnclaimed,
  typeOf,
  type Scheme,
  type Wallet,
} from './Wallet.ts'
import { names, type SupportedWalletTypes, type WalletType } from './WalletTypes.ts'

/** Whose wallets they are, what the app supports, and what the caller asked for. */
export type Criteria = {
  readonly user: User
  readonly supported: SupportedWalletTypes
  readonly types?: readonly WalletType[] | undefined
  readonly schemes?: readonly Scheme[] | undefined
  /** Some calls cannot work with an unclaimed wallet. */
  readonly pregen?: 'allowed' | 'forbidden' | undefined
}

export type SelectionError =
  | WalletDoesNotExist
  | WalletNotOwned
  | WalletNotSupported
  | PregenWalletNotSelectable
  | WalletTypeNotSelectable
  | WalletSchemeNotSelectable

/** The wallet of this id, if the call may work with it. */
export const select = (
  wallets: readonly Wallet[],
  walletId: string,
  criteria: Criteria,
): Result.Result<Wallet, SelectionError> => {
  const wallet = wallets.find(({ id }) => id === walletId)
  return wallet === undefined ? Result.fail(new WalletDoesNotExist({ walletId })) : selectable(wallet, criteria)
}

/** All wallets that the call may work with. */
export const candidates = (wallets: readonly Wallet[], criteria: Criteria): readonly Wallet[] =>
  wallets.filter((wallet) => Result.isSuccess(selectable(wallet, criteria)))

/** The wallet of a call that names none: the first usable one among the current ids. */
export const first = (
  wallets: readonly Wallet[],
  currentWalletIds: CurrentWalletIds.CurrentWalletIds,
  criteria: Criteria,
): Result.Result<Wallet, NoValidWalletId> => {
  const wallet = CurrentWalletIds.first(currentWalletIds, candidates(wallets, criteria))
  return wallet === undefined ? Result.fail(new NoValidWalletId()) : Result.succeed(wallet)
}

/** The usable wallet with this address. Hexadecimal addresses are compared without case, since theirs is a checksum. */
export const byAddress = (
  wallets: readonly Wallet[],
  address: string,
  criteria: Criteria,
): Result.Result<Wallet, WalletAddressNotFound> => {
  const wallet = candidates(wallets, criteria).find((wallet) => hasAddress(wallet) && isSame(wallet.address, address))
  return wallet === undefined ? Result.fail(new WalletAddressNotFound({ address })) : Result.succeed(wallet)
}

/**
 * The first usable wallet, for a call that takes any.
 * @notBuilt
 */
export const any = (wallets: readonly Wallet[], criteria: Criteria): Result.Result<Wallet, NoValidWallet> => {
  const [wallet] = candidates(wallets, criteria)
  return wallet === undefined ? Result.fail(new NoValidWallet()) : Result.succeed(wallet)
}

/** Cosmos and amino signing check that the signer's address is the current wallet's. */
export const requireAddress = (walletAddress: string, address: string): Result.Result<string, AddressNotInWallet> =>
  walletAddress === address ? Result.succeed(address) : Result.fail(new AddressNotInWallet({ address }))

/** A private key is exported only from an existing DKLS wallet. */
export const requireExportable = (
  wallet: Wallet | undefined,
): Result.Result<Wallet, WalletNotFound | InvalidWalletScheme> => {
  if (wallet === undefined) return Result.fail(new WalletNotFound())
  return wallet.scheme === 'DKLS' ? Result.succeed(wallet) : Result.fail(new InvalidWalletScheme())
}

const selectable = (wallet: Wallet, criteria: Criteria): Result.Result<Wallet, SelectionError> => {
  const { user, supported, types, schemes, pregen } = criteria
  const [walletId, type, scheme] = [wallet.id, typeOf(wallet), wallet.scheme]
  if (!belongsTo(wallet, user) && !isUsablePregen(wallet, user)) return Result.fail(new WalletNotOwned({ walletId }))
  if (pregen === 'forbidden' && isUnclaimed(wallet)) return Result.fail(new PregenWalletNotSelectable({ walletId }))
  if (!isSupported(wallet, supported)) {
    return Result.fail(new WalletNotSupported({ walletId, type, supportedTypes: names(supported) }))
  }
  if (types && !types.includes(type)) return Result.fail(new WalletTypeNotSelectable({ walletId, type }))
  if (schemes && !schemes.includes(scheme)) return Result.fail(new WalletSchemeNotSelectable({ walletId, scheme }))
  return Result.succeed(wallet)
}

/** Without a signed-in user an unclaimed wallet is its partner's; with one it has to be claimable by that user. */
const isUsablePregen = (wallet: Wallet, user: User) =>
  isPresent(user.userId) ? isClaimable(wallet, user) : isUnclaimed(wallet)

const isSame = (a: string, b: string) => a === b || (/^0x/i.test(a) && a.toLowerCase() === b.toLowerCase())

export class WalletDoesNotExist extends Data.TaggedError('WalletDoesNotExist')<{ readonly walletId: string }> {
  override readonly message = `wallet with id ${this.walletId} does not exist`
}

export class WalletNotOwned extends Data.TaggedError('WalletNotOwned')<{ readonly walletId: string }> {
  override readonly message = `wallet with id ${this.walletId} is not owned by the current user`
}

export class PregenWalletNotSelectable extends Data.TaggedError('PregenWalletNotSelectable')<{
  readonly walletId: string
}> {
  override readonly message = `pre-generated wallet with id ${this.walletId} cannot be selected`
}

export class WalletTypeNotSelectable extends Data.TaggedError('WalletTypeNotSelectable')<{
  readonly walletId: string
  readonly type: WalletType
}> {
  override readonly message = `wallet with id ${this.walletId} and type ${this.type} cannot be selected`
}

export class WalletSchemeNotSelectable extends Data.TaggedError('WalletSchemeNotSelectable')<{
  readonly walletId: string
  readonly scheme: Scheme
}> {
  override readonly message = `wallet with id ${this.walletId} and scheme ${this.scheme} cannot be selected`
}

export class WalletNotSupported extends Data.TaggedError('WalletNotSupported')<{
  readonly walletId: string
  readonly type: WalletType
  readonly supportedTypes: readonly WalletType[]
}> {
  override readonly message =
    `wallet with id ${this.walletId} and type ${this.type} is not supported, ` +
    `supported types are: ${this.supportedTypes.join(', ')}`
}

export class NoValidWalletId extends Data.TaggedError('NoValidWalletId') {
  override readonly message = 'no valid wallet id found'
}

export class WalletAddressNotFound extends Data.TaggedError('WalletAddressNotFound')<{ readonly address: string }> {
  override readonly message = `wallet with address ${this.address} not found`
}

export class NoValidWallet extends Data.TaggedError('NoValidWallet') {
  override readonly message = `no valid ${displayName} wallet found`
}

export class AddressNotInWallet extends Data.TaggedError('AddressNotInWallet')<{ readonly address: string }> {
  override readonly message = `Address ${this.address} not found in wallet`
}

export class WalletNotFound extends Data.TaggedError('WalletNotFound') {
  override readonly message = 'wallet not found'
}

export class InvalidWalletScheme extends Data.TaggedError('InvalidWalletScheme') {
  override readonly message = 'invalid wallet scheme'
}
