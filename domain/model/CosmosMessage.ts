/**
 * Signing a plain message with a Cosmos wallet (ADR-036): the amino sign document of a transaction that can never be
 * valid, with the data in base64 as its only message. The JSON is canonical: keys in order, no spaces.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'

/** The bytes that are hashed and signed. */
export const signDoc = (signer: string, data: Uint8Array): Uint8Array =>
  utf8ToBytes(
    JSON.stringify({
      account_number: '0',
      chain_id: '',
      fee: { amount: [], gas: '0' },
      memo: '',
      msgs: [{ type: 'sign/MsgSignData', value: { data: base64.encode(data), signer } }],
      sequence: '0',
    }),
  )
