/** Pregenerated wallets: made for an identifier before its user exists, and claimed by that user later. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { InvalidAuthObject, isPresent } from './Identity.ts'
import { phoneOf, type User } from './User.ts'
import {
  isClaimable,
  isPregenIdentifierType,
  pregenIdentifierTypes,
  type PregenIdentifierType,
  type Wallet,
} from './Wallet.ts'

export { pregenIdentifierTypes as identifierTypes, type PregenIdentifierType as IdentifierType } from './Wallet.ts'

export type PregenIdentifier = { readonly identifier: string; readonly type: PregenIdentifierType }

/** Identifiers by kind: the `ids` of a list call, the `pregenIds` of a portal URL. */
export type PregenIds = { readonly [T in PregenIdentifierType]?: readonly string[] }

/**
 * Kinds that only other clients send. They are refused: the service cannot prove that a user owns one.
 * @notBuilt
 */
export const foreignIdentifierTypes = ['CUSTOM_ID', 'DISCORD', 'TWITTER'] as const

/**
 * Reads a caller's identifier. An e-mail, when present, replaces the identifier and sets its type to EMAIL; anything
 * else must be an identifier of one of the three kinds.
 * @notBuilt
 */
export const parse = (given: {
  readonly email?: string | null | undefined
  readonly pregenIdentifier?: string | null | undefined
  readonly pregenIdentifierType?: string | null | undefined
}): Result.Result<PregenIdentifier, InvalidAuthObject> => {
  const { email, pregenIdentifier, pregenIdentifierType } = given
  if (isPresent(email)) return Result.succeed({ identifier: email, type: 'EMAIL' })
  if (!isPresent(pregenIdentifier) || !isPresent(pregenIdentifierType)) return Result.fail(new InvalidAuthObject())
  return isPregenIdentifierType(pregenIdentifierType)
    ? Result.succeed({ identifier: pregenIdentifier, type: pregenIdentifierType })
    : Result.fail(new InvalidAuthObject())
}

/**
 * The identifiers of unclaimed wallets, by kind, each once.
 * @notBuilt
 */
export const idsOf = (wallets: readonly Wallet[]): PregenIds =>
  byType(
    wallets.flatMap(({ pregenIdentifier, pregenIdentifierType }) =>
      isPresent(pregenIdentifier) && pregenIdentifierType
        ? [{ identifier: pregenIdentifier, type: pregenIdentifierType }]
        : [],
    ),
  )

/**
 * The identifiers under which wallets may wait for this user.
 * @notBuilt
 */
export const idsOfUser = (user: User): PregenIds => {
  const phone = phoneOf(user)
  return byType([
    ...(isPresent(user.email) ? [{ identifier: user.email, type: 'EMAIL' } as const] : []),
    ...(phone === undefined ? [] : [{ identifier: phone, type: 'PHONE' } as const]),
    ...(isPresent(user.telegramUserId) ? [{ identifier: user.telegramUserId, type: 'TELEGRAM' } as const] : []),
  ])
}

const byType = (identifiers: readonly PregenIdentifier[]): PregenIds =>
  Object.fromEntries(
    pregenIdentifierTypes.flatMap((type) => {
      const ids = new Set(identifiers.filter((one) => one.type === type).map(({ identifier }) => identifier))
      return ids.size === 0 ? [] : [[type, [...ids]]]
    }),
  )

/**
 * The wallets that this user may claim now. All of their shares have to be loaded first: if one is missing, the whole
 * claim is refused. Claims are not built yet.
 * @notBuilt
 */
export const toClaim = (
  wallets: readonly Wallet[],
  user: User,
): Result.Result<readonly Wallet[], PregenWalletDataMissing> => {
  const claimable = wallets.filter((wallet) => isClaimable(wallet, user))
  return claimable.every(({ signer }) => isPresent(signer))
    ? Result.succeed(claimable)
    : Result.fail(new PregenWalletDataMissing())
}

export class PregenWalletDataMissing extends Data.TaggedError('PregenWalletDataMissing') {
  override readonly message =
    'Cannot claim pregen wallets because wallet data is missing. ' +
    'Please call setUserShare first with the share of each wallet that is to be claimed.'
}
