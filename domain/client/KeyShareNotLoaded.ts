import * as Data from 'effect/Data'

/** The wallet is the user's, but its share is not on this device, or no longer: a browser may clear its storage. */
export class KeyShareNotLoaded extends Data.TaggedError('KeyShareNotLoaded')<{ readonly walletId: string }> {
  override readonly message = `the key share of wallet with id ${this.walletId} is not on this device, log in again`
}
