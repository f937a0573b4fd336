/** Signatures of Solana and Cosmos, and those of an app's own protocol. */
import * as Effect from 'effect/Effect'
import { preSignMessage } from '../../../domain/client/preSignMessage.ts'
import { sendCosmosTransaction } from '../../../domain/client/sendCosmosTransaction.ts'
import { sendSolanaTransaction } from '../../../domain/client/sendSolanaTransaction.ts'
import { signCosmos } from '../../../domain/client/signCosmos.ts'
import { signSolanaTransaction } from '../../../domain/client/signSolanaTransaction.ts'
import type { Flows } from '../flows.ts'
import { toCosmosSignature, toSolanaSignature } from './chainForms.ts'

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
