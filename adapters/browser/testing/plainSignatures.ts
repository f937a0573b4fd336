/** The signing verbs of a stand-in: plain keys in the place of a protocol, between what the SDK's own verbs check and give. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import { asked, ofCosmosMessage } from '../../../domain/client/otherRequests.ts'
import type { Asked } from '../../../domain/client/sign.ts'
import { unsignedSolana } from '../../../domain/client/unsignedSolana.ts'
import { RawHashSigningNotImplemented } from '../../../domain/model/WalletKeyFailures.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'
import { signMessage, signTransaction, type Detail } from '../../../domain/model/Events.ts'
import { isEvm } from '../../../domain/model/EvmAddress.ts'
import { chainOf } from '../../../domain/model/NamedChain.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import { typeOf, type Wallet } from '../../../domain/model/Wallet.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'
import type { WalletType } from '../../../domain/model/WalletTypes.ts'
import { unsignedTransaction } from '../../../domain/mpc/EvmTransaction.ts'
import * as Rlp from '../../../domain/mpc/Rlp.ts'
import { protocolOf } from '../../../domain/mpc/Scheme.ts'
import * as SigningRequest from '../../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../../domain/mpc/TypedData.ts'
import { toCosmosSignature, toSolanaSignature } from '../flows/chainForms.ts'
import {
  toEthereumSignature,
  toScalars,
  toSentTransaction,
  toTransactionSignature,
  unsignedOf,
} from '../flows/ethereumForms.ts'
import { messageOf, toMessageSignature, type Signed } from '../flows/messageForm.ts'
import type { CosmosAminoInput, CosmosDirectInput, TransactionInput, Verbs } from '../verbs.ts'

/** The verbs that stand, without their promises. */
export type OwnVerbs = {
  readonly [Name in keyof Verbs]?: (input: Parameters<Verbs[Name]>[0] & {}) => Awaited<ReturnType<Verbs[Name]>>
}

/** A transaction that the test's app had sent. */
export type StandInTransaction = {
  readonly walletId: string
  /** As the chain has it: decimal for EVM, else CAIP-2. */
  readonly chainId: string
  /** With all signatures, as the network has it. */
  readonly transaction: Uint8Array
  /** As the verb answered it. */
  readonly transactionHash: string
}

export type PlainKeys = {
  /** The wallet of a call; fails as the SDK does. */
  readonly walletFor: (walletId: string | undefined, types?: readonly WalletType[]) => Wallet
  /** 32 bytes. */
  readonly secretOf: (wallet: Wallet) => Uint8Array
  readonly send: (transaction: StandInTransaction) => void
  readonly tell: (event: SigningEvent, detail: Detail<SigningEvent>) => void
}

type SigningEvent = typeof signMessage | typeof signTransaction

export const plainSignatures = ({ walletFor, secretOf, send, tell }: PlainKeys): OwnVerbs => {
  /** As the SDK's: r ‖ s ‖ v in 65 bytes, of Solana 64. */
  const made = (wallet: Wallet, { payload }: Asked): Signed => {
    const { message } = Result.getOrThrow(payload(protocolOf(wallet.scheme)))
    const secret = secretOf(wallet)
    if (wallet.scheme === 'ED25519') return { wallet, signature: ed25519.sign(message, secret) }
    const recovered = secp256k1.sign(message, secret, { prehash: false, format: 'recovered' })
    return { wallet, signature: concatBytes(recovered.subarray(1), recovered.subarray(0, 1)) }
  }
  const signed = (event: SigningEvent, wallet: Wallet, asked: Asked): Signed => {
    const data = { walletId: wallet.id }
    try {
      const signature = made(wallet, asked)
      tell(event, { data })
      return signature
    } catch (error) {
      tell(event, { data, error: error as Error })
      throw error
    }
  }
  const signEvm = (input: TransactionInput, sends: boolean) => {
    const unsigned = Result.getOrThrow(unsignedOf(input))
    const wallet = walletFor(input.walletId, ['EVM'])
    const fields = { ...unsigned, kind: 'transaction', transaction: bytesToHex(unsigned.transaction), send: sends }
    return { ...unsigned, ...signed(signTransaction, wallet, asked(Result.getOrThrow(SigningRequest.read(fields)))) }
  }
  const signCosmos = (
    kind: 'cosmosDirect' | 'cosmosAmino',
    { walletId, signerAddress, prefix }: CosmosDirectInput | CosmosAminoInput,
    bytes: Uint8Array | undefined,
  ) => {
    if (bytes === undefined || (prefix !== undefined && !Address.isCosmosPrefix(prefix))) return refuse('malformed')
    const wallet = walletFor(walletId, ['COSMOS'])
    const publicKey = secp256k1.getPublicKey(secretOf(wallet))
    const own = Address.cosmos(publicKey, prefix ?? wallet.cosmosPrefix ?? undefined)
    Result.getOrThrow(WalletSelection.requireAddress(own, signerAddress))
    return { publicKey, ...signed(signTransaction, wallet, asked({ kind, signDoc: bytesToHex(bytes) })) }
  }
  const signDirect = (input: CosmosDirectInput) =>
    signCosmos('cosmosDirect', input, CosmosMessage.directBytes(input.signDoc))

  return {
    signMessage: (input) => {
      const wallet = walletFor(input.walletId)
      return toMessageSignature(signed(signMessage, wallet, messageFor(wallet, messageOf(input))))
    },
    signTypedData: ({ walletId, typedData }) => {
      const wallet = walletFor(walletId, ['EVM'])
      const { text } = TypedData.read(typedData) ?? refuse('malformed')
      return toEthereumSignature(signed(signMessage, wallet, asked({ kind: 'eip712', typedData: text })))
    },
    signAuthorization: ({ walletId, address, chainId, nonce }) => {
      const wallet = walletFor(walletId, ['EVM'])
      if (!isEvm(address)) return refuse('malformed')
      const fields = { address: address.slice(2).toLowerCase(), chainId: String(chainId), nonce: String(nonce) }
      const request = Result.getOrThrow(SigningRequest.read({ kind: 'authorization', ...fields }))
      return { address, chainId, nonce, ...toScalars(signed(signMessage, wallet, asked(request))) }
    },
    signTransaction: (input) => toTransactionSignature(signEvm(input, false)),
    sendTransaction: (input) => {
      const { transaction: unsigned, chainId, ...made } = signEvm(input, true)
      const transaction = withSignature(unsigned, BigInt(chainId), made.signature)
      const sent = toSentTransaction({ ...made, transactionHash: keccak_256(transaction) })
      send({ walletId: sent.walletId, chainId, transaction, transactionHash: sent.transactionHash })
      return sent
    },
    signSolanaTransaction: ({ walletId, message }) => {
      const wallet = walletFor(walletId, ['SOLANA'])
      return toSolanaSignature(
        signed(signTransaction, wallet, asked({ kind: 'solanaTransaction', message: bytesToHex(message) })),
      )
    },
    sendSolanaTransaction: ({ walletId, transaction: given, chainId }) => {
      const wallet = walletFor(walletId, ['SOLANA'])
      const unsigned = unsignedSolana(wallet.address, given, chainId) ?? refuse('no such transaction')
      const request = asked({ kind: 'solanaTransaction', message: bytesToHex(unsigned.message) })
      const made = signed(signTransaction, wallet, request)
      const sent = unsigned.withSignature(made.signature)
      send({ walletId: wallet.id, chainId, ...sent })
      return { ...toSolanaSignature(made), ...sent }
    },
    signCosmosDirect: (input) => toCosmosSignature(input.signDoc, signDirect(input)),
    signCosmosAmino: (input) =>
      toCosmosSignature(input.signDoc, signCosmos('cosmosAmino', input, CosmosMessage.aminoBytesOf(input.signDoc))),
    sendCosmosTransaction: (input) => {
      const chainId = `cosmos:${input.signDoc.chainId}`
      if (chainOf(chainId) === undefined) return refuse('malformed')
      const made = signDirect(input)
      const sent = CosmosMessage.signedTransaction(input.signDoc, made.signature)
      send({ walletId: made.wallet.id, chainId, ...sent })
      return { ...toCosmosSignature(input.signDoc, made), ...sent }
    },
    signRawHash: () => {
      throw new RawHashSigningNotImplemented()
    },
  }
}

const messageFor = (wallet: Wallet, message: Uint8Array): Asked => {
  switch (typeOf(wallet)) {
    case 'EVM':
      return asked({ kind: 'eip191', message: bytesToHex(message) })
    case 'SOLANA':
      return asked({ kind: 'solanaMessage', message: bytesToHex(message) })
    case 'COSMOS':
      return ofCosmosMessage(wallet.address ?? '', message)
  }
}

/**
 * An Ethereum transaction as the network has it. A typed one ends with y parity, r and s (EIP-2718); a legacy one has v, r and
 * s where it was signed with its chain id and two zeros (EIP-155).
 */
const withSignature = (given: Uint8Array, chainId: bigint, signature: Uint8Array): Uint8Array => {
  const unsigned = unsignedTransaction(given, chainId) ?? refuse('no such transaction')
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  const isLegacy = Rlp.beginsList(unsigned[0] ?? 0)
  const items = Rlp.readList(isLegacy ? unsigned : unsigned.subarray(1)) ?? []
  const content = (isLegacy ? items.slice(0, -3) : items).map(({ bytes }) => bytes)
  const last = isLegacy ? chainId * 2n + 35n + BigInt(v) : BigInt(v)
  const scalars = [r, s].map((bytes) => BigInt(`0x${bytesToHex(bytes)}`))
  const list = Rlp.writeList([...content, ...[last, ...scalars].map(Rlp.writeInteger)])
  return isLegacy ? list : concatBytes(unsigned.subarray(0, 1), list)
}

const refuse = (reason: 'malformed' | 'no such transaction'): never => {
  throw new SigningRequest.PayloadRefused({ reason })
}
