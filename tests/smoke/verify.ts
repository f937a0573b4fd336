/** Signatures of the three kinds of wallet, each checked by two implementations that share no code. */
import { createPublicKey, verify as verifyWithOpenSsl } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64urlnopad } from '@scure/base'
import { hashMessage, type Hex } from 'viem'
import { verifyMessage } from 'viem/utils'
import type { MessageSignature } from '../../adapters/browser/sdk.ts'
import * as Address from '../../domain/model/Address.ts'
import * as CosmosMessage from '../../domain/model/CosmosMessage.ts'
import type { LocalChain } from './chain.ts'

/** Who says what. */
export type Verdicts = Readonly<Record<string, boolean>>

export const verifyEvmMessage = async (
  signed: MessageSignature,
  message: string,
  chain: LocalChain,
): Promise<Verdicts> => {
  const signature = signed.ethereumSignature ?? '0x'
  const address = signed.address as Hex
  return {
    viem: await verifyMessage({ address, message, signature }),
    'the chain’s ecrecover': (await chain.ecrecover(hashMessage(message), signature)) === address.toLowerCase(),
  }
}

export const verifySolana = (signed: MessageSignature, message: string): Promise<Verdicts> => {
  const publicKey = base58.decode(signed.address)
  const bytes = utf8ToBytes(message)
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(publicKey) },
  })
  return Promise.resolve({
    noble: ed25519.verify(signed.bytes, bytes, publicKey, { zip215: false }),
    OpenSSL: verifyWithOpenSsl(null, bytes, key, signed.bytes),
  })
}

export const verifyCosmos = (signed: MessageSignature, message: string, publicKeyHex: string): Promise<Verdicts> => {
  const publicKey = secp256k1.Point.fromBytes(hexToBytes(publicKeyHex.replace(/^0x/, '')))
  const { x, y } = publicKey.toAffine()
  const coordinate = (value: bigint) => base64urlnopad.encode(hexToBytes(value.toString(16).padStart(64, '0')))
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'secp256k1', x: coordinate(x), y: coordinate(y) },
  })
  const bytes = CosmosMessage.signDoc(signed.address, utf8ToBytes(message))
  const signature = signed.bytes.slice(0, 64)
  const isOwn = Address.cosmos(publicKey.toBytes()) === signed.address
  return Promise.resolve({
    noble: isOwn && secp256k1.verify(signature, bytes, publicKey.toBytes(), { lowS: true }),
    OpenSSL: isOwn && verifyWithOpenSsl('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature),
  })
}
