/** What is decoded beyond its hash, and whether it is meant for the wallet's key (domain/mpc/README.md#what-is-signed). */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as Address from '../../model/Address.ts'
import * as WalletSelection from '../../model/WalletSelection.ts'
import type { WalletType } from '../../model/WalletTypes.ts'
import type { SigningRequest } from '../../mpc/SigningRequest.ts'
import type { WalletRecord } from '../Wallet.ts'
import { namedSigners, signersOf } from './cosmosDocument.ts'
import { PayloadNotSupported } from './refusals.ts'
import { requiredSigners } from './solanaTransaction.ts'

/**
 * The kind has to be one of the wallet's type: EVM and Cosmos wallets have the same scheme, and a key that signs for both
 * chains lets one's signature stand for the other's address. A Solana transaction has to need the wallet's signature. A
 * Cosmos document has to leave the signers' keys to the chain or to name the wallet's among them; a plain message names
 * the wallet's address.
 */
export const requireOfWallet = Effect.fnUntraced(function* (asked: SigningRequest, wallet: WalletRecord) {
  const type = typesOf[asked.kind]
  if (type !== undefined && type !== wallet.type) return yield* new PayloadNotSupported()
  switch (asked.kind) {
    case 'solanaTransaction': {
      const signers = requiredSigners(bytesOf(asked.message))
      const isSigner = signers?.includes(Address.solana(yield* keyOf(wallet)))
      return isSigner === true ? undefined : yield* new PayloadNotSupported()
    }
    case 'cosmosDirect': {
      const signers = signersOf(bytesOf(asked.signDoc))
      if (signers === undefined) return yield* new PayloadNotSupported()
      const own = yield* keyOf(wallet)
      if (signers.isKeyLeftOut || signers.keys.some((key) => equal(key, own))) return
      const [other] = signers.keys
      if (other === undefined) return yield* new PayloadNotSupported()
      return yield* new WalletSelection.AddressNotInWallet({ address: cosmosAddress(other, asked.prefix, wallet) })
    }
    case 'cosmosAmino': {
      const addresses = namedSigners(bytesOf(asked.signDoc))
      if (addresses === undefined) return yield* new PayloadNotSupported()
      const own = cosmosAddress(yield* keyOf(wallet), asked.prefix, wallet)
      for (const address of addresses) yield* Effect.fromResult(WalletSelection.requireAddress(own, address))
    }
  }
})

/** Whose kind it is. Nothing is known of a bare digest, so it goes with every type. */
const typesOf: Readonly<Record<SigningRequest['kind'], WalletType | undefined>> = {
  eip191: 'EVM',
  eip712: 'EVM',
  authorization: 'EVM',
  transaction: 'EVM',
  solanaMessage: 'SOLANA',
  solanaTransaction: 'SOLANA',
  cosmosDirect: 'COSMOS',
  cosmosAmino: 'COSMOS',
  blind: undefined,
}

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0)

/** A wallet whose key was not made signs nothing. */
const keyOf = ({ publicKey }: WalletRecord) =>
  publicKey === null ? Effect.fail(new PayloadNotSupported()) : Effect.succeed(hexToBytes(publicKey))

const cosmosAddress = (key: Uint8Array, prefix: string | undefined, wallet: WalletRecord): string =>
  Address.cosmos(key, prefix ?? wallet.cosmosPrefix ?? undefined)
