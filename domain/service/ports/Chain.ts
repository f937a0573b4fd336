import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type * as Result from 'effect/Result'

/** An EVM transaction as its bytes say it: nothing is added or assumed. */
export type DecodedTransaction = {
  /** Decimal. */
  readonly chainId: string
  /** Lower-case hex with 0x; null creates a contract. */
  readonly to: string | null
  /** Wei, decimal. */
  readonly value: string
  /** Hex with 0x. */
  readonly data: string
  readonly nonce: number
  /** The serialisation without signature fields: what the digest is over. */
  readonly unsigned: Uint8Array
  /** keccak-256 of `unsigned`: what is signed. 32 bytes. */
  readonly digest: Uint8Array
}

/** r and s of 32 bytes; v is the recovery bit. */
export type ChainSignature = {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly v: 0 | 1
}

/** EVM chains by their id, as configured. */
export class Chain extends Context.Service<
  Chain,
  {
    /** Only for the chain that is named, by its id in decimal. Accepts signature fields that are present but empty. */
    readonly decodeTransaction: (
      bytes: Uint8Array,
      chainId: string,
    ) => Result.Result<DecodedTransaction, InvalidTransaction>
    /** The serialisation with the signature: what goes on the chain. */
    readonly assemble: (transaction: DecodedTransaction, signature: ChainSignature) => Uint8Array
    /**
     * Answers the transaction's hash, hex with 0x. The same bytes again are the same transaction: that the node knows
     * it already is no failure.
     */
    readonly broadcast: (
      signed: Uint8Array,
      chainId: string,
    ) => Effect.Effect<string, ChainNotConfigured | BroadcastRefused | ChainUnavailable>
  }
>()('tandem/service/Chain') {}

/** Not a transaction, one of another chain, or one that is signed already. */
export class InvalidTransaction extends Data.TaggedError('InvalidTransaction') {
  override readonly message = 'invalid transaction'
}

export class ChainNotConfigured extends Data.TaggedError('ChainNotConfigured')<{ readonly chainId: string }> {
  override readonly message = `chain ${this.chainId} is not configured`
}

/** The chain's node refused it. `reason` is the node's text, shown to the caller. */
export class BroadcastRefused extends Data.TaggedError('BroadcastRefused')<{ readonly reason: string }> {
  override readonly message = `transaction refused: ${this.reason}`
}

export class ChainUnavailable extends Data.TaggedError('ChainUnavailable')<{ readonly chainId: string }> {
  override readonly message = `chain ${this.chainId} does not answer`
}
