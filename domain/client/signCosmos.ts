import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { TransactionSigningFailed } from '../model/Account.ts'
import * as Address from '../model/Address.ts'
import * as EventNames from '../model/Events.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import { heldShare } from './refreshKeys.ts'
import { announced } from './sign.ts'
import { selectWallet } from './wallets.ts'

export type CosmosSigner = {
  readonly walletId?: string
  readonly signerAddress: string
  /** Of the chain's addresses; by default the wallet's. */
  readonly prefix?: string
}

/** The bytes of a sign document, direct or amino. */
export type CosmosDocument = { readonly kind: 'cosmosDirect' | 'cosmosAmino'; readonly bytes: Uint8Array }

/** Signs a document for the signer whose address the app names. The key is that of the share on this device. */
export const signCosmos = Effect.fn('signing.signCosmos')(function* (
  { walletId, signerAddress, prefix }: CosmosSigner,
  { kind, bytes }: CosmosDocument,
) {
  const wallet = yield* selectWallet(walletId, ['COSMOS'])
  const { publicKey } = (yield* heldShare(wallet.id)).user.share
  const own = Address.cosmos(publicKey, prefix ?? wallet.cosmosPrefix ?? undefined)
  yield* Effect.fromResult(WalletSelection.requireAddress(own, signerAddress))
  const request = { kind, signDoc: bytesToHex(bytes), ...(prefix === undefined ? {} : { prefix }) }
  const { signature } = yield* announced(EventNames.signTransaction, wallet, request, TransactionSigningFailed)
  return { publicKey, signature }
})
