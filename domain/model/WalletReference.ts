/** A caller's reference to a wallet: one of ours by id, or an external one by address, never both. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { isPresent } from './Identity.ts'

export type WalletReference = { readonly walletId: string } | { readonly externalWalletAddress: string }

/**
 * Reads a caller's parameters: exactly one of wallet id and external address.
 * @notBuilt
 */
export const parse = (params: {
  readonly walletId?: string | null | undefined
  readonly externalWalletAddress?: string | null | undefined
}): Result.Result<WalletReference, InvalidWalletParams> => {
  const { walletId, externalWalletAddress } = params
  if (isPresent(walletId) && !isPresent(externalWalletAddress)) return Result.succeed({ walletId })
  if (isPresent(externalWalletAddress) && !isPresent(walletId)) return Result.succeed({ externalWalletAddress })
  return Result.fail(new InvalidWalletParams())
}

export class InvalidWalletParams extends Data.TaggedError('InvalidWalletParams') {
  override readonly message = 'invalid wallet params'
}
