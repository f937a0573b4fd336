/** Signatures of Solana and Cosmos, and those of an app's own protocol. */
import { base58, base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import { preSignMessage } from '../../../domain/client/preSignMessage.ts'
import { sendCosmosTransaction } from '../../../domain/client/sendCosmosTransaction.ts'
import { sendSolanaTransaction } from '../../../domain/client/sendSolanaTransaction.ts'
import { signCosmos } from '../../../domain/client/signCosmos.ts'
import { signSolanaTransaction } from '../../../domain/client/signSolanaTransaction.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import type { Flows } from '../flows.ts'
import type { CosmosSignature, SolanaSignature } from '../verbs.ts'

export const flows = {
  signSolanaTransaction: ({ message, ...signing }) =>
    Effect.map(signSolanaTransaction(signing, message), toSolanaSignature),
  sendSolanaTransaction: (input) =>
    Effect.map(sendSolanaTransaction(input, input), ({ transaction, transactionHash, ...signed }) => ({
      ...toSolanaSignature(signed),
      transaction,
      transactionHash,
    })),
  signCosmosDirect: (input) =>
    Effect.map(signCosmos(input, { kind: 'cosmosDirect', document: input.signDoc }), (signed) =>
      toCosmosSignature(input.signDoc, signed),
    ),
  signCosmosAmino: (input) =>
    Effect.map(signCosmos(input, { kind: 'cosmosAmino', document: input.signDoc }), (signed) =>
      toCosmosSignature(input.signDoc, signed),
    ),
  sendCosmosTransaction: (input) =>
    Effect.map(sendCosmosTransaction(input, input.signDoc), ({ transaction, transactionHash, ...signed }) => ({
      ...toCosmosSignature(input.signDoc, signed),
      transaction,
      transactionHash,
    })),
  preSignMessage: (input) => preSignMessage(input, input),
} satisfies Partial<Flows>

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

const toSolanaSignature = ({ wallet, signature }: Signed): SolanaSignature => ({
  walletId: wallet.id,
  address: wallet.address ?? '',
  signature: base58.encode(signature),
  bytes: signature,
})

const toCosmosSignature = <Document>(
  signed: Document,
  { publicKey, signature }: { readonly publicKey: Uint8Array; readonly signature: Uint8Array },
): CosmosSignature<Document> => ({
  signed,
  signature: {
    pub_key: { type: 'tendermint/PubKeySecp256k1', value: base64.encode(publicKey) },
    signature: base64.encode(signature.subarray(0, 64)),
  },
})
