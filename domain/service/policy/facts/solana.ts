/**
 * Transactions of Solana: what their instructions move, by the layouts of the programs themselves. The message does not
 * say on which cluster it is meant; assets are named as those of the main one. What a lookup table holds is unknown.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { readMessage, type Message } from '../../protocol/solanaTransaction.ts'
import { amountOf } from './calls.ts'
import { fieldsOf, known, listed, type Decoded, type Field, type Outflow, type Warning } from './Facts.ts'
import { textOf } from './messages.ts'

/** CAIP-2, by the hash of the first block. */
const cluster = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const coin = `${cluster}/slip44:501`
export const tokenOf = (mint: string): string => `${cluster}/token:${mint}`

const programs = {
  '11111111111111111111111111111111': 'system',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'token',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'associatedToken',
  ComputeBudget111111111111111111111111111111: 'computeBudget',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'memo',
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: 'memo',
} as const
type Program = (typeof programs)[keyof typeof programs]

const programOf = (address: string): Program | undefined =>
  Object.hasOwn(programs, address) ? programs[address as keyof typeof programs] : undefined

/** An account is `undefined` if a lookup table holds it. */
type Instruction = {
  readonly programId: string
  readonly accounts: readonly (string | undefined)[]
  /** The same, with those of a table by their place in it. */
  readonly shownAs: readonly string[]
  readonly data: Uint8Array
}

/** What one instruction does; `outflows` is `undefined` where more may leave the wallet than can be known. */
type Effect = {
  readonly method: string
  readonly outflows: readonly Outflow[] | undefined
  readonly recipients?: readonly (string | undefined)[]
  readonly mints?: readonly (string | undefined)[]
  /** What its data say besides the method, by name. */
  readonly says?: Readonly<Record<string, unknown>>
}

/** `undefined` if it is no message of a transaction. `wallet` is the wallet's address, which may pay the fee. */
export const solanaFacts = (bytes: Uint8Array, wallet: string): Decoded | undefined => {
  const message = readMessage(bytes)
  if (message === undefined) return undefined
  const instructions = instructionsOf(message)
  const effects = instructions.map((instruction) => ({ instruction, effect: effectOf(instruction, wallet) }))
  const all = effects.map(({ effect }) => effect)
  const unknownPrograms = effects
    .filter(({ effect }) => effect === undefined)
    .map(({ instruction }) => instruction.programId)
  const outflowUnknown = all.some((effect) => effect?.outflows === undefined)
  const moved = all.flatMap((effect) => effect?.outflows ?? [])
  const lamports = moved.filter(({ asset }) => asset === coin).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const feePayer = message.staticAccounts[0]
  const fee = feeOf(message, instructions)
  const isOwnFee = feePayer === wallet
  const tables = (message.version === 0 ? message.addressTableLookups : undefined) ?? []
  const programIds = [...new Set(instructions.map(({ programId }) => programId))]
  return {
    fields: fieldsOf({
      programIds: known(...programIds),
      'instructions[].method': listed(all.map((effect) => effect?.method)),
      lamports: { values: [String(lamports)], isUnknown: outflowUnknown },
      maxFee: isOwnFee ? known(String(fee)) : undefined,
      mint: ofEach(all, (effect) => effect.mints),
      feePayer: listed([feePayer]),
      recipient: ofEach(all, (effect) => effect.recipients ?? effect.outflows?.flatMap(({ to }) => to ?? [])),
    }),
    outflows: [...moved, ...(isOwnFee ? [{ asset: coin, amount: fee, to: undefined, isApproval: false }] : [])],
    outflowUnknown,
    details: [
      { name: 'feePayer', value: feePayer ?? '' },
      ...effects.flatMap(({ instruction, effect }, index) => [
        { name: `instructions[${index}]`, value: effect?.method ?? `unknown, of the program ${instruction.programId}` },
        ...detailsOf(`instructions[${index}]`, instruction, effect),
      ]),
      { name: 'fee', value: String(fee) },
      ...message.staticAccounts.slice(1, message.header.numSignerAccounts).map((value) => ({ name: 'signer', value })),
      { name: 'recentBlockhash', value: message.lifetimeToken },
      { name: 'version', value: String(message.version) },
    ],
    warnings: [
      ...[...new Set(unknownPrograms)].map((subject): Warning => ({ code: 'UNKNOWN_PROGRAM', subject })),
      ...tables.map(({ lookupTableAddress }): Warning => ({ code: 'LOOKUP_TABLE', subject: lookupTableAddress })),
    ],
  }
}

/** A field over the effects; of an unknown instruction it is unknown. */
const ofEach = (
  all: readonly (Effect | undefined)[],
  read: (effect: Effect) => readonly (string | undefined)[] | undefined,
): Field => listed(all.flatMap((effect) => (effect === undefined ? [undefined] : (read(effect) ?? []))))

const instructionsOf = (message: Message): readonly Instruction[] => {
  const { staticAccounts, instructions } = message
  const tables = (message.version === 0 ? message.addressTableLookups : undefined) ?? []
  const accountsIn = (indexes: 'writableIndexes' | 'readonlyIndexes') =>
    tables.flatMap((table) =>
      table[indexes].map((index) => `account ${index} of the table ${table.lookupTableAddress}`),
    )
  // As a runtime counts them: those of all tables that can be written, and then the others.
  const shownAs = [...staticAccounts, ...accountsIn('writableIndexes'), ...accountsIn('readonlyIndexes')]
  return instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
    programId: staticAccounts[programAddressIndex] ?? '',
    accounts: accountIndices.map((index) => staticAccounts[index]),
    shownAs: accountIndices.map((index) => shownAs[index] ?? ''),
    data: Uint8Array.from(data ?? []),
  }))
}

/** Of an instruction that is not known, its accounts by their numbers and its data as bytes. */
const detailsOf = (path: string, instruction: Instruction, effect: Effect | undefined): Decoded['details'] => {
  const { programId, shownAs, data } = instruction
  const names = effect === undefined ? [] : (accountNames[effect.method] ?? [])
  const said: Readonly<Record<string, unknown>> =
    effect === undefined ? { data: `0x${bytesToHex(data)}` } : { program: programId, ...effect.says }
  return [
    ...shownAs.map((value, index) => ({ name: `${path}.${names[index] ?? `accounts[${index}]`}`, value })),
    ...Object.entries(said).map(([name, value]) => ({ name: `${path}.${name}`, value: String(value) })),
  ]
}

/** As the documents of the programs call them. Others behind them sign for an account of several owners. */
const accountNames: Readonly<Record<string, readonly string[]>> = {
  'system.transfer': ['from', 'to'],
  'system.createAccount': ['from', 'newAccount'],
  'system.advanceNonceAccount': ['nonceAccount', 'recentBlockhashes', 'authority'],
  'token.transfer': ['source', 'destination', 'authority'],
  'token.approve': ['source', 'delegate', 'authority'],
  'token.transferChecked': ['source', 'mint', 'destination', 'authority'],
  'token.approveChecked': ['source', 'mint', 'delegate', 'authority'],
  'token.burnChecked': ['account', 'mint', 'authority'],
  'token.revoke': ['source', 'authority'],
  'token.syncNative': ['account'],
  'token.closeAccount': ['account', 'destination', 'authority'],
  'token.setAuthority': ['account', 'authority'],
  'associatedToken.create': ['payer', 'account', 'owner', 'mint'],
  'associatedToken.createIdempotent': ['payer', 'account', 'owner', 'mint'],
}

/** `undefined` if it is not exactly an instruction that is known. */
const effectOf = (instruction: Instruction, wallet: string): Effect | undefined => {
  const { programId, accounts, data } = instruction
  switch (programOf(programId)) {
    case 'system':
      return systemEffect(accounts, data)
    case 'token':
      return tokenEffect(accounts, data, wallet)
    case 'associatedToken':
      return associatedTokenEffect(accounts, data)
    case 'computeBudget':
      return budgetEffect(data)
    case 'memo': {
      const text = textOf(data)
      return text === undefined ? undefined : { method: 'memo.memo', outflows: [], says: { memo: text } }
    }
    case undefined:
      return undefined
  }
}

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.length)

const sends = (method: string, lamports: bigint, to: string | undefined, says: Effect['says'] = {}): Effect => ({
  method,
  outflows: [{ asset: coin, amount: lamports, to, isApproval: false }],
  recipients: [to],
  says: { lamports, ...says },
})

/** The tag is u32, numbers are u64, all little-endian. */
const systemEffect = (accounts: Instruction['accounts'], data: Uint8Array): Effect | undefined => {
  if (data.length < 4) return undefined
  const view = viewOf(data)
  const tag = view.getUint32(0, true)
  if (tag === 2 && data.length === 12 && accounts.length === 2) {
    return sends('system.transfer', view.getBigUint64(4, true), accounts[1])
  }
  if (tag === 0 && data.length === 52 && accounts.length === 2) {
    const says = { space: view.getBigUint64(12, true), owner: base58.encode(data.subarray(20)) }
    return sends('system.createAccount', view.getBigUint64(4, true), accounts[1], says)
  }
  return tag === 4 && data.length === 4 && accounts.length === 3
    ? { method: 'system.advanceNonceAccount', outflows: [] }
    : undefined
}

/** The tag is u8, the amount u64 little-endian; the checked forms have the mint among the accounts, and its decimals. */
const tokenEffect = (accounts: Instruction['accounts'], data: Uint8Array, wallet: string): Effect | undefined => {
  const tag = data[0]
  const amount = data.length === 9 || data.length === 10 ? viewOf(data).getBigUint64(1, true) : undefined
  const [, second, third] = accounts
  const says = { amount, ...(data.length === 10 ? { decimals: data[9] } : {}) }
  const checked = (method: string, to: string | undefined, isApproval: boolean): Effect => {
    const asset = second === undefined ? undefined : tokenOf(second)
    const counted = isApproval && amount === largest ? 'unlimited' : amountOf(amount ?? 0n)
    return {
      method,
      outflows: asset === undefined ? undefined : [{ asset, amount: counted, to, isApproval }],
      recipients: method === 'token.burnChecked' ? [] : [to],
      mints: [second],
      says,
    }
  }
  if (data.length === 9 && accounts.length >= 3) {
    // The mint is not said.
    const unchecked = { outflows: undefined, recipients: [second], mints: [undefined], says }
    if (tag === 3) return { method: 'token.transfer', ...unchecked }
    if (tag === 4) return { method: 'token.approve', ...unchecked }
  }
  if (data.length === 10 && accounts.length >= 4) {
    if (tag === 12) return checked('token.transferChecked', third, false)
    if (tag === 13) return checked('token.approveChecked', third, true)
  }
  if (data.length === 10 && tag === 15 && accounts.length >= 3) return checked('token.burnChecked', undefined, false)
  if (data.length === 1 && tag === 5 && accounts.length >= 2) return { method: 'token.revoke', outflows: [] }
  if (data.length === 1 && tag === 17 && accounts.length === 1) return { method: 'token.syncNative', outflows: [] }
  if (data.length === 1 && tag === 9 && accounts.length >= 3) {
    // What the account holds goes to the second one.
    const isOwn = second === wallet
    return { method: 'token.closeAccount', outflows: isOwn ? [] : undefined, recipients: [second] }
  }
  const [, authorityType, hasNew] = data
  if (tag === 6 && ((data.length === 35 && hasNew === 1) || (data.length === 3 && hasNew === 0))) {
    const to = hasNew === 1 ? base58.encode(data.subarray(3)) : undefined
    const changed = { authorityType, newAuthority: to ?? 'none' }
    return { method: 'token.setAuthority', outflows: undefined, recipients: [to], says: changed }
  }
  return undefined
}

const largest = 2n ** 64n - 1n

/** Payer, new account, owner, mint, System, token program. The payer gives the rent of the new account. */
const associatedTokenEffect = (accounts: Instruction['accounts'], data: Uint8Array): Effect | undefined => {
  if (accounts.length !== 6 || data.length > 1 || (data[0] ?? 0) > 1) return undefined
  const method = data[0] === 1 ? 'associatedToken.createIdempotent' : 'associatedToken.create'
  const isPlain = accounts[5] === 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
  // The newer program has accounts of many sizes.
  return {
    method,
    outflows: isPlain ? [{ asset: coin, amount: rentOfTokenAccount, to: accounts[1], isApproval: false }] : undefined,
    recipients: [accounts[1]],
    mints: [accounts[3]],
  }
}

/** Of 165 bytes, in lamports. */
const rentOfTokenAccount = 2_039_280n

/** Tag and number, by the length of the instruction. */
const budgets: Readonly<Record<number, readonly [string, number]>> = {
  1: ['requestHeapFrame', 5],
  2: ['setComputeUnitLimit', 5],
  3: ['setComputeUnitPrice', 9],
  4: ['setLoadedAccountsDataSizeLimit', 5],
}

const budgetEffect = (data: Uint8Array): Effect | undefined => {
  const [name, length] = budgets[data[0] ?? 0] ?? []
  if (name === undefined || data.length !== length) return undefined
  const view = viewOf(data)
  const value = length === 9 ? view.getBigUint64(1, true) : view.getUint32(1, true)
  return { method: `computeBudget.${name}`, outflows: [], says: { value } }
}

/** For each signature, and the price of the units that it may use, in lamports. */
const feeOf = ({ header }: Message, instructions: readonly Instruction[]): bigint => {
  const budget = instructions
    .filter(({ programId }) => programOf(programId) === 'computeBudget')
    .map(({ data }) => data)
  const price = budget.find((data) => data[0] === 3 && data.length === 9)
  const limit = budget.find((data) => data[0] === 2 && data.length === 5)
  const microLamports = price === undefined ? 0n : viewOf(price).getBigUint64(1, true)
  const units = limit === undefined ? mostUnits : BigInt(viewOf(limit).getUint32(1, true))
  const priority = (microLamports * (units < mostUnits ? units : mostUnits) + 999_999n) / 1_000_000n
  return BigInt(header.numSignerAccounts) * lamportsPerSignature + priority
}

const lamportsPerSignature = 5_000n
const mostUnits = 1_400_000n
