import * as Effect from 'effect/Effect'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import { chainOf } from '../model/NamedChain.ts'
import { PayloadRefused } from '../mpc/SigningPayload.ts'
import { passOn } from './passOn.ts'
import { asSending } from './sign.ts'
import { signCosmos, type CosmosSigner } from './signCosmos.ts'

/** Signs a direct document, whose only signer is the wallet, and has the service send its transaction. */
export const sendCosmosTransaction = Effect.fn('sending.sendCosmosTransaction')(function* (
  signer: CosmosSigner,
  document: CosmosMessage.DirectDocument,
) {
  const chainId = `cosmos:${document.chainId}`
  const signDoc = CosmosMessage.directBytes(document)
  if (signDoc === undefined || chainOf(chainId) === undefined) {
    return yield* new PayloadRefused({ reason: 'malformed' })
  }
  const signed = yield* signCosmos(signer, { kind: 'cosmosDirect', document }, asSending)
  const { wallet, protocolId, signature } = signed
  const whole = CosmosMessage.signedTransaction(document, signature)
  const sent = yield* passOn({ wallet, chainId, protocolId, signDoc, ...whole })
  return { ...signed, ...sent }
})
