/** Requests other than a message of Ethereum, with how their payload is computed. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import { payloadDigest, type SigningRequest } from '../mpc/SigningRequest.ts'
import type { Asked } from './sign.ts'

export const asked = (request: SigningRequest): Asked => ({
  request,
  payload: (scheme) => payloadDigest(request, scheme),
})

/** A plain message for the signer of this address (ADR-036). */
export const ofCosmosMessage = (address: string, message: Uint8Array): Asked =>
  asked({ kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(address, message)) })
