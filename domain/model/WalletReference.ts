/** A wallet as callers name it: one of ours by id, or an external one by address, never both (spec §5). */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { isPresent } from './Identity.ts'

export type WalletReference = { readonly walletId: string } | { readonly externalWalletAddress: string }

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
