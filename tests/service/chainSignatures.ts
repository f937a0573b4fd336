/** A device's signatures over transactions of Solana and documents of Cosmos, as their chains' tools judge them. */
import {
  decodeSignature,
  encodeSecp256k1Signature,
  pubkeyToAddress,
  serializeSignDoc,
  type StdSignDoc,
} from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect } from 'vitest'
import type { CosmosSignature, Para } from '../../adapters/browser/sdk.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'

const other = Keypair.fromSeed(new Uint8Array(32).fill(6))

/** web3.js takes the signature beside that of the fee payer, who is another. */
export const expectSolana = async (
  device: Pick<Para, 'signSolanaTransaction'>,
  { id: walletId, address }: Pick<Wallet, 'id' | 'address'>,
) => {
  const own = new PublicKey(address ?? '')
  const message = new TransactionMessage({
    payerKey: other.publicKey,
    recentBlockhash: own.toBase58(),
    instructions: [SystemProgram.transfer({ fromPubkey: own, toPubkey: other.publicKey, lamports: 1 })],
  }).compileToLegacyMessage()
  const transaction = new VersionedTransaction(message)
  transaction.sign([other])
  const signed = await device.signSolanaTransaction({ walletId, message: message.serialize() })
  transaction.addSignature(own, signed.bytes)

  expect(Transaction.from(transaction.serialize()).verifySignatures()).toBe(true)
  expect(signed).toMatchObject({ walletId, address, signature: base58.encode(signed.bytes) })
}

/** cosmjs reads the answers, and noble verifies them over the bytes that cosmjs makes of the documents. */
export const expectCosmos = async (
  device: Pick<Para, 'signCosmosDirect' | 'signCosmosAmino'>,
  { id: walletId, publicKey }: Wallet,
) => {
  const pubkey = {
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(publicKey ?? '', 'hex').toString('base64'),
  }
  const [signerAddress, onOsmosis] = [pubkeyToAddress(pubkey, 'cosmos'), pubkeyToAddress(pubkey, 'osmo')]
  const isSigned = ({ signature }: CosmosSignature<unknown>, bytes: Uint8Array) => {
    const read = decodeSignature(signature)
    expect(signature).toEqual(encodeSecp256k1Signature(Buffer.from(publicKey ?? '', 'hex'), read.signature))
    return (
      Buffer.from(read.pubkey).toString('base64') === pubkey.value &&
      secp256k1.verify(read.signature, bytes, read.pubkey)
    )
  }

  const value = { fromAddress: signerAddress, toAddress: signerAddress, amount: [{ denom: 'uatom', amount: '1' }] }
  const body = new Registry().encodeTxBody({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }] })
  const authInfo = makeAuthInfoBytes([{ pubkey: encodePubkey(pubkey), sequence: 1 }], [], 200_000, undefined, undefined)
  const direct = makeSignDoc(body, authInfo, 'cosmoshub-4', 7)
  const signDoc = { ...direct, accountNumber: { toString: () => '7' } }
  const asDirect = await device.signCosmosDirect({ walletId, signerAddress, signDoc })
  expect(asDirect.signed).toBe(signDoc)
  expect(isSigned(asDirect, makeSignBytes(direct))).toBe(true)

  const asAmino = await device.signCosmosAmino({ walletId, signerAddress: onOsmosis, prefix: 'osmo', signDoc: amino })
  expect(asAmino.signed).toBe(amino)
  expect(isSigned(asAmino, serializeSignDoc(amino))).toBe(true)

  const foreign = [
    () => device.signCosmosAmino({ walletId, signerAddress: onOsmosis, signDoc: amino }),
    () => device.signCosmosDirect({ walletId, signerAddress, prefix: 'osmo', signDoc: direct }),
  ]
  for (const [index, sign] of foreign.entries()) {
    const address = [onOsmosis, signerAddress][index] ?? ''
    await expect(sign()).rejects.toThrow(`Address ${address} not found in wallet`)
  }

  const malformed = [
    () => device.signCosmosDirect({ walletId, signerAddress, signDoc: { ...direct, accountNumber: 'seven' } }),
    () => device.signCosmosDirect({ walletId, signerAddress, signDoc: { ...direct, accountNumber: 2n ** 64n } }),
    () => device.signCosmosAmino({ walletId, signerAddress, prefix: 'a'.repeat(52), signDoc: amino }),
  ]
  for (const sign of malformed) await expect(sign()).rejects.toThrow('payload is not supported')
}

const amino: StdSignDoc = {
  chain_id: 'osmosis-1',
  account_number: '7',
  sequence: '0',
  fee: { amount: [{ denom: 'uosmo', amount: '5' }], gas: '200000' },
  msgs: [{ type: 'cosmos-sdk/MsgDelegate', value: { validator_address: 'osmovaloper1x' } }],
  memo: 'for & <tea>',
}
