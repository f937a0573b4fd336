/** Failures of a wallet's key generation, signing and refresh, by name. */
import * as Data from 'effect/Data'
import type { WalletType } from './WalletTypes.ts'

type AccountFields = { readonly userId: string; readonly walletId: string; readonly cause?: unknown }

const named = ({ userId, walletId }: AccountFields) => `with userId ${userId} and walletId ${walletId}`

export class AccountCreationFailed extends Data.TaggedError('AccountCreationFailed')<
  AccountFields & { readonly type: WalletType }
> {
  override readonly message = `error creating account of type ${this.type} ${named(this)}`
}

export class TransactionSigningFailed extends Data.TaggedError('TransactionSigningFailed')<AccountFields> {
  override readonly message = `error signing transaction for account ${named(this)}`
}

export class SigningFailed extends Data.TaggedError('SigningFailed')<AccountFields> {
  override readonly message = `error signing for account ${named(this)}`
}

export class KeyRefreshFailed extends Data.TaggedError('KeyRefreshFailed')<AccountFields> {
  override readonly message = `error refreshing keys for account ${named(this)}`
}

export class PrivateKeyExportFailed extends Data.TaggedError('PrivateKeyExportFailed')<AccountFields> {
  override readonly message = `error getting private key for account ${named(this)}`
}

/** Thrown when a chain library's account interface asks for a signature over a raw hash. */
export class RawHashSigningNotImplemented extends Data.TaggedError('RawHashSigningNotImplemented') {
  override readonly message = 'not implemented'
}
