import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Address from '../model/Address.ts'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import { PayloadRefused } from '../mpc/SigningPayload.ts'
import { heldShare } from './heldShare.ts'
import { asked as askedOf } from './otherRequests.ts'
import { announced, asTransaction, type Signing } from './sign.ts'
import { selectWallet } from './selectWallet.ts'

export type CosmosSigner = Signing & {
  readonly signerAddress: string
  /** Of the chain's addresses; by default the wallet's. */
  readonly prefix?: string
}

/** A sign document of cosmjs, direct or amino. */
export type CosmosDocument =
  | { readonly kind: 'cosmosDirect'; readonly document: CosmosMessage.DirectDocument }
  | { readonly kind: 'cosmosAmino'; readonly document: CosmosMessage.AminoDocument }

/** Signs a document for the signer whose address the app names. The key is that of the share on this device. */
export const signCosmos = Effect.fn('signing.signCosmos')(function* (
  { walletId, timeoutMs, signerAddress, prefix }: CosmosSigner,
  asked: CosmosDocument,
  as: typeof asTransaction = asTransaction,
) {
  const bytes =
    asked.kind === 'cosmosDirect'
      ? CosmosMessage.directBytes(asked.document)
      : CosmosMessage.aminoBytesOf(asked.document)
  const isPrefix = prefix === undefined || Address.isCosmosPrefix(prefix)
  if (bytes === undefined || !isPrefix) return yield* new PayloadRefused({ reason: 'malformed' })
  const wallet = yield* selectWallet(walletId, ['COSMOS'])
  const { publicKey } = (yield* heldShare(wallet.id)).user.share
  const own = Address.cosmos(publicKey, prefix ?? wallet.cosmosPrefix ?? undefined)
  yield* Effect.fromResult(WalletSelection.requireAddress(own, signerAddress))
  const request = { kind: asked.kind, signDoc: bytesToHex(bytes), ...(prefix === undefined ? {} : { prefix }) }
  return { publicKey, ...(yield* announced(as(timeoutMs), wallet, askedOf(request))) }
})
