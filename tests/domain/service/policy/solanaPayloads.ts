/** Transactions of Solana, as web3.js writes them; instructions of tokens by their layouts. */
import { bytesToHex } from '@noble/hashes/utils.js'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { ask } from './table.ts'

const key = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey
export const [wallet, friend, thief, mint, sponsor, table] = [1, 2, 3, 4, 5, 6].map(key) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
export const system = '11111111111111111111111111111111'
const tokens = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const program = (text: string) => new PublicKey(text)
export const coin = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501'
export const token = `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:${mint.toBase58()}`

export const messageOf = (
  instructions: readonly TransactionInstruction[],
  payer = wallet,
  lookups?: AddressLookupTableAccount[],
): Uint8Array =>
  Uint8Array.from(
    new TransactionMessage({ payerKey: payer, recentBlockhash: mint.toBase58(), instructions: [...instructions] })
      .compileToV0Message(lookups)
      .serialize(),
  )

export const signed = (...parameters: Parameters<typeof messageOf>): Asked =>
  ask(
    { kind: 'solanaTransaction', message: bytesToHex(messageOf(...parameters)) },
    { wallet: { type: 'SOLANA', address: wallet.toBase58(), ageMs: 1_000_000_000 } },
  )

export const pay = (to: PublicKey, lamports: number, from = wallet) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })

export const createAccount = (account: PublicKey, lamports: number) =>
  SystemProgram.createAccount({
    fromPubkey: wallet,
    newAccountPubkey: account,
    lamports,
    space: 0,
    programId: SystemProgram.programId,
  })
export const advanceNonce = SystemProgram.nonceAdvance({ noncePubkey: sponsor, authorizedPubkey: wallet })
export const limitUnits = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
export const priceUnits = (microLamports: bigint) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })

const ofToken = (data: readonly number[], keys: readonly PublicKey[], programId = program(tokens)) =>
  new TransactionInstruction({
    programId,
    data: Buffer.from(data),
    keys: keys.map((pubkey) => ({ pubkey, isSigner: pubkey === wallet, isWritable: true })),
  })
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)]
const source = key(7)
export const transferChecked = (to: PublicKey, amount: bigint) =>
  ofToken([12, ...u64(amount), 6], [source, mint, to, wallet])
export const transferOld = (to: PublicKey, amount: bigint) => ofToken([3, ...u64(amount)], [source, to, wallet])
export const approveChecked = (to: PublicKey, amount: bigint) =>
  ofToken([13, ...u64(amount), 6], [source, mint, to, wallet])
export const closeAccount = (to: PublicKey) => ofToken([9], [source, to, wallet])
export const setAuthority = (to: PublicKey) => ofToken([6, 2, 1, ...to.toBytes()], [source, wallet])
export const burnChecked = (amount: bigint) => ofToken([15, ...u64(amount), 6], [source, mint, wallet])
export const revoke = ofToken([5], [source, wallet])
export const createToken = new TransactionInstruction({
  programId: program('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  data: Buffer.from([1]),
  keys: [wallet, source, friend, mint, program(system), program(tokens)].map((pubkey) => ({
    pubkey,
    isSigner: pubkey === wallet,
    isWritable: false,
  })),
})
export const other = new TransactionInstruction({ programId: key(9), keys: [], data: Buffer.from([1]) })
export const tables = [
  new AddressLookupTableAccount({
    key: table,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [thief, friend],
    },
  }),
]

/** One of each kind that is understood. */
export const instructions: readonly TransactionInstruction[] = [
  pay(friend, 5),
  transferChecked(friend, 250n),
  approveChecked(friend, 250n),
  createToken,
  revoke,
  new TransactionInstruction({
    programId: program('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    keys: [],
    data: Buffer.from('for “tea”'),
  }),
]
