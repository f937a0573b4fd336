/** Signatures of what Ethereum has beside messages. */
import * as Effect from 'effect/Effect'
import * as Sign from '../../../domain/client/signEthereum.ts'
import type { Flows } from '../flows.ts'
import {
  toEthereumSignature,
  toScalars,
  toSentTransaction,
  toTransactionSignature,
  unsignedOf,
} from './ethereumForms.ts'

export const flows = {
  signTypedData: (input) => Effect.map(Sign.signTypedData(input, input.typedData), toEthereumSignature),
  signAuthorization: ({ address, chainId, nonce, ...signing }) =>
    Effect.map(
      Sign.signAuthorization(signing, { address, chainId: String(chainId), nonce: String(nonce) }),
      (signed) => ({ address, chainId, nonce, ...toScalars(signed) }),
    ),
  signTransaction: (input) =>
    Effect.flatMap(Effect.fromResult(unsignedOf(input)), (transaction) =>
      Effect.map(Sign.signTransaction(input, transaction), toTransactionSignature),
    ),
  sendTransaction: (input) =>
    Effect.flatMap(Effect.fromResult(unsignedOf(input)), (transaction) =>
      Effect.map(Sign.sendTransaction(input, transaction), toSentTransaction),
    ),
} satisfies Partial<Flows>
