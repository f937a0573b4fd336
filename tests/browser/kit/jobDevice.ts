/**
 * A client that has the worker's jobs of the specification alone, as a device of the checks in tests/service. It hashes
 * what has no job of its own, and sends what the service sends for the SDK alone: transactions of Solana and Cosmos.
 */
import { createHash } from 'node:crypto'
import { encodeSecp256k1Signature, serializeSignDoc } from '@cosmjs/amino'
import { makeSignBytes } from '@cosmjs/proto-signing'
import { base58, base64, hex } from '@scure/base'
import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  hashMessage,
  hashTypedData,
  keccak256,
  parseSignature,
  parseTransaction,
  serializeTransaction,
  toBytes,
  type Hex,
  type TransactionSerializable,
  type TypedDataDefinition,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import { broadcast, rpc } from '../../service/chainSending.ts'
import type { PageDevice } from './pageDevice.ts'
import type { PlainPage } from './plainPage.ts'

export type Held = {
  readonly walletId: string
  readonly address: string
  /** Hexadecimal digits, perhaps with 0x. */
  readonly publicKey: string
  readonly share: string
}

type Nodes = { readonly solana: string; readonly cosmos: string }

/** r and s in 64, v in 2 hexadecimal digits, with v as Ethereum's tools have it. */
export const asEthereum = (signature: string): Hex =>
  `0x${signature.slice(0, 128)}${signature.endsWith('01') ? '1c' : '1b'}`

export const jobDevice = (
  { job }: Pick<PlainPage, 'job'>,
  userId: () => string,
  wallet: (type: string) => Held,
  nodes: () => Nodes,
): PageDevice => {
  const ask = async (functionType: string, type: string, params: object): Promise<string> => {
    const { share, walletId } = wallet(type)
    const { signature } = await job(functionType, { share, walletId, userId: userId(), ...params })
    if (typeof signature !== 'string') throw new Error(`${functionType} gave no signature`)
    return signature
  }
  const madeBy = (type: string) => ({ walletId: wallet(type).walletId, address: wallet(type).address })
  const signDigest = async (digest: Hex) =>
    asEthereum(await ask('SIGN_MESSAGE', 'EVM', { message: base64.encode(toBytes(digest)) }))
  const scalarsOf = (signature: Hex) => {
    const { r, s, yParity } = parseSignature(signature)
    return { r, s, yParity: yParity === 1 ? 1 : 0 } as const
  }
  const signEvm = async (functionType: string, transaction: string | Uint8Array, chainId: string) => {
    const tx = base64.encode(typeof transaction === 'string' ? toBytes(transaction) : transaction)
    const signature = asEthereum(await ask(functionType, 'EVM', { tx, chainId }))
    return { ...madeBy('EVM'), ...scalarsOf(signature) }
  }
  const signSolana = async (message: Uint8Array) => {
    const bytes = base64.decode(await ask('ED25519_SIGN', 'SOLANA', { base64Bytes: base64.encode(message) }))
    return { ...madeBy('SOLANA'), signature: base58.encode(bytes), bytes }
  }
  const signCosmos = async (document: Uint8Array) => {
    const message = createHash('sha256').update(document).digest('base64')
    const signature = await ask('SIGN_MESSAGE', 'COSMOS', { message, cosmosSignDoc: base64.encode(document) })
    const publicKey = hex.decode(wallet('COSMOS').publicKey.replace(/^0x/, ''))
    const { pub_key, signature: made } = encodeSecp256k1Signature(publicKey, hex.decode(signature.slice(0, 128)))
    return { pub_key: { ...pub_key, type: 'tendermint/PubKeySecp256k1' }, signature: made } as const
  }

  return {
    signMessage: async ({ message }) => {
      const ethereumSignature = await signDigest(hashMessage(typeof message === 'string' ? message : { raw: message }))
      const bytes = toBytes(ethereumSignature)
      return { ...madeBy('EVM'), signature: ethereumSignature.slice(2), ethereumSignature, bytes }
    },
    signTypedData: ({ typedData }) => signDigest(hashTypedData(typedData as TypedDataDefinition)),
    signAuthorization: async ({ address, chainId, nonce }) => ({
      address,
      chainId,
      nonce,
      ...scalarsOf(await signDigest(hashAuthorization({ address, chainId, nonce }))),
    }),
    signTransaction: ({ transaction, chainId }) => signEvm('SIGN_TRANSACTION', transaction, String(chainId)),
    sendTransaction: async ({ transaction, chainId }) => {
      const signed = await signEvm('SEND_TRANSACTION', transaction, String(chainId))
      const { r, s, yParity } = signed
      const unsigned: TransactionSerializable = parseTransaction(transaction as Hex)
      const whole = serializeTransaction(unsigned, { r, s, yParity, v: BigInt(27 + yParity) })
      return { ...signed, transactionHash: keccak256(whole) }
    },
    signSolanaTransaction: ({ message }) => signSolana(message),
    sendSolanaTransaction: async ({ transaction }) => {
      const whole = VersionedTransaction.deserialize(transaction)
      const signed = await signSolana(whole.message.serialize())
      whole.addSignature(new PublicKey(signed.address), signed.bytes)
      const bytes = whole.serialize()
      const options = { encoding: 'base64' }
      const transactionHash = await rpc<string>(nodes().solana, 'sendTransaction', [base64.encode(bytes), options])
      return { ...signed, transaction: bytes, transactionHash }
    },
    signCosmosDirect: async ({ signDoc }) => {
      const { bodyBytes, authInfoBytes, chainId, accountNumber } = signDoc
      const document = { bodyBytes, authInfoBytes, chainId, accountNumber: BigInt(accountNumber.toString()) }
      return { signed: signDoc, signature: await signCosmos(makeSignBytes(document)) }
    },
    signCosmosAmino: async ({ signDoc }) => ({
      signed: signDoc,
      signature: await signCosmos(serializeSignDoc(signDoc as Parameters<typeof serializeSignDoc>[0])),
    }),
    sendCosmosTransaction: async ({ signDoc }) => {
      const { bodyBytes, authInfoBytes, chainId, accountNumber } = signDoc
      const document = { bodyBytes, authInfoBytes, chainId, accountNumber: BigInt(accountNumber.toString()) }
      const signature = await signCosmos(makeSignBytes(document))
      const signatures = [base64.decode(signature.signature)]
      const transaction = TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
      return { signed: signDoc, signature, transaction, transactionHash: await broadcast(nodes().cosmos, transaction) }
    },
  }
}
