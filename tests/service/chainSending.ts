/**
 * A device's transactions on Solana and Cosmos, sent by the service to the nodes of kit/chainNodes.ts. Both parties draw
 * the nonce of a signature, with Ed25519 too, so it is put into what the chain's own tools write: all bytes are compared.
 */
import { createHash } from 'node:crypto'
import { decodeSignature, pubkeyToAddress } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { base64 } from '@scure/base'
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect } from 'vitest'
import type { Para } from '../../adapters/browser/sdk.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { accountNumber, lookupTable, recipients } from '../kit/chainNodes.ts'

export const rpc = async <A>(url: string, method: string, params: readonly unknown[] = []): Promise<A> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = (await (await fetch(url, { method: 'POST', body })).json()) as {
    readonly result: A
    readonly error?: { readonly message: string }
  }
  if (answer.error !== undefined) throw new Error(answer.error.message)
  return answer.result
}

/** Gives a transaction of Cosmos to a node, and answers its hash. */
export const broadcast = async (url: string, transaction: Uint8Array): Promise<string> => {
  const body = JSON.stringify({ tx_bytes: base64.encode(transaction), mode: 'BROADCAST_MODE_SYNC' })
  const answer = await fetch(`${url}/cosmos/tx/v1beta1/txs`, { method: 'POST', body })
  const { tx_response: said } = (await answer.json()) as {
    readonly tx_response: { readonly code: number; readonly raw_log: string; readonly txhash: string }
  }
  if (said.code !== 0) throw new Error(said.raw_log)
  return said.txhash
}

const sol = 1_000_000_000
let lamports = sol

export type SolanaForm = 'legacy' | 'version 0' | 'version 0, recipient in a lookup table'

type Payment = { readonly form: SolanaForm; readonly blockhash: string; readonly to: PublicKey }

/** A payment of the wallet, which has enough, with its signature's place empty. Each has an amount of its own. */
export const solanaPayment = async (
  { address }: Pick<Wallet, 'address'>,
  url: string,
  { form = 'version 0', blockhash, to = recipients[0] }: Partial<Payment> = {},
) => {
  const own = new PublicKey(address ?? '')
  await rpc(url, 'requestAirdrop', [own.toBase58(), 100 * sol])
  const { value } = await rpc<{ readonly value: { readonly blockhash: string } }>(url, 'getLatestBlockhash')
  lamports += 1
  const message = new TransactionMessage({
    payerKey: own,
    recentBlockhash: blockhash ?? value.blockhash,
    instructions: [SystemProgram.transfer({ fromPubkey: own, toPubkey: to, lamports })],
  })
  const compiled =
    form === 'legacy'
      ? message.compileToLegacyMessage()
      : message.compileToV0Message(form === 'version 0' ? [] : [lookupTable])
  return { transaction: new VersionedTransaction(compiled).serialize(), lamports }
}

/** The runtime forgets a block within two seconds, a cluster within a minute: on a busy machine it is asked for anew. */
const inTime = async <A>(attempt: () => Promise<A>, left = 5): Promise<A> => {
  try {
    return await attempt()
  } catch (cause) {
    if (left === 0 || !String(cause).includes('Blockhash not found')) throw cause
    return inTime(attempt, left - 1)
  }
}

export const expectSentBySolana = async (
  device: Pick<Para, 'sendSolanaTransaction'>,
  wallet: Pick<Wallet, 'id' | 'address'>,
  url: string,
  { form = 'version 0', to = recipients[0] }: Partial<Omit<Payment, 'blockhash'>> = {},
) => {
  const paid = async () => (await rpc<{ readonly value: number }>(url, 'getBalance', [to.toBase58()])).value
  const before = await paid()
  const { payment, sent } = await inTime(async () => {
    const payment = await solanaPayment(wallet, url, { form, to })
    const input = { walletId: wallet.id, transaction: payment.transaction, chainId: 'solana:localnet' }
    return { payment, sent: await device.sendSolanaTransaction(input) }
  })

  expect((await paid()) - before).toBe(payment.lamports)
  expect(sent).toMatchObject({ walletId: wallet.id, address: wallet.address, transactionHash: sent.signature })
  const signed = VersionedTransaction.deserialize(payment.transaction)
  signed.addSignature(new PublicKey(wallet.address ?? ''), sent.bytes)
  expect(Buffer.from(sent.transaction).equals(signed.serialize())).toBe(true)
  const statuses = await rpc<{ readonly value: readonly unknown[] }>(url, 'getSignatureStatuses', [
    [sent.transactionHash],
  ])
  expect(statuses.value).toEqual([{ slot: expect.any(Number), err: null }])
}

export const cosmosPayment = ({ publicKey }: Pick<Wallet, 'publicKey'>, sequence: number) => {
  const pubkey = {
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(publicKey ?? '', 'hex').toString('base64'),
  }
  const signerAddress = pubkeyToAddress(pubkey, 'cosmos')
  const value = { fromAddress: signerAddress, toAddress: signerAddress, amount: [{ denom: 'uatom', amount: '1' }] }
  const body = new Registry().encodeTxBody({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }] })
  const authInfo = makeAuthInfoBytes([{ pubkey: encodePubkey(pubkey), sequence }], [], 200_000, undefined, undefined)
  return { signerAddress, signDoc: makeSignDoc(body, authInfo, 'cosmoshub-4', accountNumber) }
}

const sequences = new Map<string, number>()

export const expectSentByCosmos = async (
  device: Pick<Para, 'sendCosmosTransaction'>,
  wallet: Pick<Wallet, 'id' | 'publicKey'>,
  url: string,
) => {
  const sequence = sequences.get(wallet.id) ?? 0
  sequences.set(wallet.id, sequence + 1)
  const { signerAddress, signDoc } = cosmosPayment(wallet, sequence)
  const sent = await device.sendCosmosTransaction({ walletId: wallet.id, signerAddress, signDoc })

  expect(sent.transactionHash).toBe(createHash('sha256').update(sent.transaction).digest('hex').toUpperCase())
  expect(sent.signed).toEqual(signDoc)
  const { bodyBytes, authInfoBytes } = signDoc
  const signatures = [decodeSignature(sent.signature).signature]
  expect(Buffer.from(sent.transaction).equals(TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish())).toBe(
    true,
  )
  const found = await fetch(`${url}/cosmos/tx/v1beta1/txs/${sent.transactionHash}`)
  expect(await found.json()).toEqual({ tx_response: { code: 0, txhash: sent.transactionHash } })
}
