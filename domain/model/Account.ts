/** An account is what a wallet's key is to the protocols; these are its failures by name (spec §8). */
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

/** Signing a raw hash through an account interface (spec §4, signing). */
export class RawHashSigningNotImplemented extends Data.TaggedError('RawHashSigningNotImplemented') {
  override readonly message = 'not implemented'
}
