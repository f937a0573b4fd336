/** Signatures of Solana and Cosmos, in the forms that apps get. */
import { base58, base64 } from '@scure/base'
import type { CosmosSignature, SolanaSignature } from '../verbs.ts'
import type { Signed } from './messageForm.ts'

export const toSolanaSignature = ({ wallet, signature }: Signed): SolanaSignature => ({
  walletId: wallet.id,
  address: wallet.address ?? '',
  signature: base58.encode(signature),
  bytes: signature,
})

export const toCosmosSignature = <Document>(
  signed: Document,
  { publicKey, signature }: { readonly publicKey: Uint8Array; readonly signature: Uint8Array },
): CosmosSignature<Document> => ({
  signed,
  signature: {
    pub_key: { type: 'tendermint/PubKeySecp256k1', value: base64.encode(publicKey) },
    signature: base64.encode(signature.subarray(0, 64)),
  },
})
