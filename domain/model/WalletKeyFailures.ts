/** Failures of a wallet's key: of its generation, of signatures, refresh and export. Their sentences call the wallet an account. */
import * as Data from 'effect/Data'
import type { WalletType } from './WalletTypes.ts'

type WalletFields = { readonly userId: string; readonly walletId: string; readonly cause?: unknown }

const named = ({ userId, walletId }: WalletFields) => `with userId ${userId} and walletId ${walletId}`

export class AccountCreationFailed extends Data.TaggedError('AccountCreationFailed')<
  WalletFields & { readonly type: WalletType }
> {
  override readonly message = `error creating account of type ${this.type} ${named(this)}`
}

export class TransactionSigningFailed extends Data.TaggedError('TransactionSigningFailed')<WalletFields> {
  override readonly message = `error signing transaction for account ${named(this)}`
}

export class SigningFailed extends Data.TaggedError('SigningFailed')<WalletFields> {
  override readonly message = `error signing for account ${named(this)}`
}

export class KeyRefreshFailed extends Data.TaggedError('KeyRefreshFailed')<WalletFields> {
  override readonly message = `error refreshing keys for account ${named(this)}`
}

export class PrivateKeyExportFailed extends Data.TaggedError('PrivateKeyExportFailed')<WalletFields> {
  override readonly message = `error getting private key for account ${named(this)}`
}

/** Thrown when a chain library's account interface asks for a signature over a raw hash. */
export class RawHashSigningNotImplemented extends Data.TaggedError('RawHashSigningNotImplemented') {
  override readonly message = 'not implemented'
}
