/**
 * The facts of mutated payloads, against second decoders: viem, web3.js, protobufjs, and one of words written here. Those of
 * JSON are in jsonDocuments.test.ts, and calls of every standard in calls.test.ts.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import {
  ComputeBudgetInstruction,
  ComputeBudgetProgram,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  VersionedMessage,
} from '@solana/web3.js'
import protobuf from 'protobufjs'
import { BaseError, parseTransaction, serializeTransaction, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Facts } from '../../../../domain/service/policy/facts/Facts.ts'
import { times } from '../../../kit/long.ts'
import { mutationsOf } from '../../../kit/mutated.ts'
import {
  delegate,
  documentOf,
  execute,
  friend as cosmosFriend,
  multiSend,
  redelegate,
  send,
  thief,
  transfer,
  undelegate,
  vote,
  withdraw,
} from './cosmosPayloads.ts'
import { contract, data, friend, most, transfer as transferOf, usdc } from './evmPayloads.ts'
import {
  advanceNonce,
  burnChecked,
  closeAccount,
  createAccount,
  friend as solanaFriend,
  instructions,
  limitUnits,
  messageOf,
  pay,
  priceUnits,
  setAuthority,
  tables,
  transferChecked,
  wallet as solanaWallet,
} from './solanaPayloads.ts'
import { ask } from './table.ts'

const numbers = times(1_000, 10_000)

const valuesOf = (facts: Facts, name: string) => facts.fields.get(name)?.values ?? []

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

describe('a transaction of an EVM chain', () => {
  const good = [
    serializeTransaction({
      type: 'eip1559',
      chainId: 8453,
      to: usdc,
      data: transferOf(friend, 5n),
      value: 3n,
      gas: 9n,
      maxFeePerGas: 77n,
    }),
    serializeTransaction({
      type: 'legacy',
      chainId: 8453,
      to: usdc,
      data: data('approve(address,uint256)', friend, most),
      gasPrice: 5n,
    }),
    serializeTransaction({ type: 'eip2930', chainId: 8453, to: usdc, value: 1n, gas: 4n, gasPrice: 5n }),
    serializeTransaction({
      type: 'eip4844',
      chainId: 8453,
      to: usdc,
      gas: 9n,
      maxFeePerGas: 77n,
      maxFeePerBlobGas: 5n,
      blobVersionedHashes: [`0x01${'11'.repeat(31)}`, `0x01${'22'.repeat(31)}`],
      sidecars: false,
    }),
    serializeTransaction({
      type: 'eip7702',
      chainId: 8453,
      to: usdc,
      gas: 9n,
      maxFeePerGas: 77n,
      authorizationList: [friend, usdc].map((address) => ({
        address: address as Hex,
        chainId: 8453,
        nonce: 7,
        r: `0x${'11'.repeat(32)}`,
        s: `0x${'11'.repeat(32)}`,
        yParity: 0,
      })),
    }),
  ].map((hex) => hexToBytes(hex.slice(2)))

  /** `undefined` where viem reads it, and then refuses its fees, the version of its blobs or the form of a signature. */
  const refused = [
    'TipAboveFeeCapError',
    'InvalidVersionedHashVersionError',
    'InvalidVersionedHashSizeError',
    'InvalidYParityError',
  ]
  const parsed = (transaction: Hex) => {
    try {
      return parseTransaction(transaction)
    } catch (cause) {
      if (cause instanceof BaseError && refused.includes(cause.name)) return undefined
      throw cause
    }
  }

  it('is never read otherwise than viem reads it, whatever became of its bytes', () => {
    let taken = 0
    for (const bytes of mutationsOf(good, numbers)) {
      const transaction = bytesToHex(bytes)
      const facts = factsOf(ask({ kind: 'transaction', transaction, chainId: '8453', send: false }))
      if (facts.isOpaque) continue
      const read = parsed(`0x${transaction}`)
      if (read === undefined) continue
      taken += 1
      const { to, value = 0n, gas = 0n } = read
      const price = ('maxFeePerGas' in read ? read.maxFeePerGas : read.gasPrice) ?? 0n
      expect(valuesOf(facts, 'to')).toEqual(to === undefined || to === null ? [] : [to.toLowerCase()])
      expect(valuesOf(facts, 'value')).toEqual([String(value)])
      const blobs = read.type === 'eip4844' ? BigInt(read.blobVersionedHashes?.length ?? 0) : 0n
      const blobPrice = read.type === 'eip4844' ? (read.maxFeePerBlobGas ?? 0n) : 0n
      expect(valuesOf(facts, 'maxFee')).toEqual([String(gas * price + blobs * 131_072n * blobPrice)])
      const delegates = read.type === 'eip7702' ? read.authorizationList : []
      expect(valuesOf(facts, 'delegate')).toEqual([...new Set(delegates.map(({ address }) => address.toLowerCase()))])
      expect(facts.calls?.[0]?.data ?? '0x').toBe(read.data ?? '0x')
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})

describe('a transaction of an EVM chain with blobs or authorizations', () => {
  const factsOfTransaction = (transaction: Hex) =>
    factsOf(ask({ kind: 'transaction', transaction: transaction.slice(2), chainId: '1', send: false }))

  it('can cost the gas of its blobs, too', () => {
    const transaction = serializeTransaction({
      type: 'eip4844',
      chainId: 1,
      to: contract,
      gas: 21_000n,
      maxFeePerGas: 3n,
      maxFeePerBlobGas: 5n,
      blobVersionedHashes: [`0x01${'11'.repeat(31)}`, `0x01${'22'.repeat(31)}`],
      sidecars: false,
    })
    expect(valuesOf(factsOfTransaction(transaction), 'maxFee')).toEqual([String(21_000n * 3n + 2n * 131_072n * 5n)])
  })

  it('names what accounts are delegated to', () => {
    const signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'11'.repeat(32)}`, yParity: 0 } as const
    const transaction = serializeTransaction({
      type: 'eip7702',
      chainId: 1,
      to: contract,
      authorizationList: [friend, usdc].map((address) => ({
        address: address as Hex,
        chainId: 1,
        nonce: 0,
        ...signature,
      })),
    })
    expect(valuesOf(factsOfTransaction(transaction), 'delegate')).toEqual([friend, usdc])
  })
})

describe('a call of a token', () => {
  /** Words of 32 bytes: the standards that have numbers and addresses alone. */
  const plain: Readonly<
    Record<string, { readonly to: number; readonly amount: number; readonly isApproval: boolean }>
  > = {
    a9059cbb: { to: 0, amount: 1, isApproval: false },
    '23b872dd': { to: 1, amount: 2, isApproval: false },
    '095ea7b3': { to: 0, amount: 1, isApproval: true },
    '39509351': { to: 0, amount: 1, isApproval: true },
  }
  const good = [
    transferOf(friend, 5n),
    data('transferFrom(address,address,uint256)', contract, friend, 7n),
    data('approve(address,uint256)', friend, 9n),
    data('increaseAllowance(address,uint256)', friend, 9n),
    data('multicall(bytes[])', [transferOf(friend, 5n), data('approve(address,uint256)', contract, 1n)]),
  ].map((hex) => hexToBytes(hex.slice(2)))

  type Read = { readonly to: string; readonly amount: bigint; readonly isApproval: boolean }

  /** By the words; `undefined` where they are not exactly a call. */
  const wordsOf = (bytes: Uint8Array): readonly Read[] | undefined => {
    const hex = bytesToHex(bytes)
    const words = hex.slice(8).match(/.{64}/g) ?? []
    const layout = plain[hex.slice(0, 8)]
    const number = (index: number) => BigInt(`0x${words[index] ?? '0'}`)
    if (layout !== undefined) {
      const isExact = bytes.length === 4 + 32 * (layout.amount + 1)
      const addresses = words.slice(0, layout.amount)
      if (!isExact || !addresses.every((word) => word.startsWith('0'.repeat(24)))) return undefined
      const to = `0x${(words[layout.to] ?? '').slice(24)}`
      return [{ to, amount: number(layout.amount), isApproval: layout.isApproval }]
    }
    if (hex.slice(0, 8) !== 'ac9650d8') return undefined
    // An offset to the list, its length, an offset to each item, and each with its length and zeros behind it.
    const count = Number(number(1))
    if (number(0) !== 32n || number(1) > 8n) return undefined
    let next = 32 * count
    const calls: (readonly Read[] | undefined)[] = []
    for (let index = 0; index < count; index++) {
      if (number(2 + index) !== BigInt(next)) return undefined
      const start = 64 + next
      const length = Number(number(start / 32))
      const whole = Math.ceil(length / 32) * 32
      const inside = bytes.subarray(4 + start + 32, 4 + start + 32 + whole)
      if (length > 1_000 || inside.length !== whole || inside.subarray(length).some((byte) => byte !== 0))
        return undefined
      calls.push(wordsOf(inside.subarray(0, length)))
      next += 32 + whole
    }
    if (bytes.length !== 4 + 64 + next) return undefined
    return calls.every((one) => one !== undefined) ? calls.flat() : undefined
  }

  it('is never read otherwise than by its words, whatever became of its bytes', () => {
    let taken = 0
    for (const bytes of mutationsOf(good, numbers)) {
      const called: Hex = `0x${bytesToHex(bytes)}`
      const transaction = serializeTransaction({ type: 'eip1559', chainId: 1, to: usdc, data: called }).slice(2)
      const facts = factsOf(ask({ kind: 'transaction', transaction, chainId: '1', send: false }))
      expect(facts.isOpaque).toBe(false)
      const words = wordsOf(bytes)
      expect(facts.outflowUnknown).toBe(words === undefined)
      if (words === undefined) continue
      taken += 1
      const isUnlimited = ({ amount, isApproval }: Read) => isApproval && amount >= 2n ** 159n
      expect(facts.outflows).toEqual(
        words.map((one) => ({
          asset: `eip155:1/erc20:${usdc}`,
          to: one.to,
          isApproval: one.isApproval,
          amount: isUnlimited(one) ? 'unlimited' : one.amount,
        })),
      )
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})

describe('a message', () => {
  it('is text only where it is the very same in UTF-8, whatever became of its bytes', () => {
    const good = ['shop.example wants you to sign in:\n', 'für “tea” 👩‍🚀'].map((one) => new TextEncoder().encode(one))
    let taken = 0
    for (const bytes of mutationsOf(good, numbers)) {
      const facts = factsOf(ask({ kind: 'eip191', message: bytesToHex(bytes) }))
      if (facts.text === undefined) continue
      taken += 1
      expect(Buffer.from(facts.text)).toEqual(Buffer.from(bytes))
      expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe(facts.text)
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})

describe('a transaction of Solana', () => {
  const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
  const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  type Flow = {
    readonly asset: string
    readonly amount: bigint | 'unlimited'
    readonly to: string | undefined
    readonly isApproval: boolean
  }
  const coins = (amount: bigint | number, to: string | undefined): Flow => ({
    asset: `${mainnet}/slip44:501`,
    amount: BigInt(amount),
    to,
    isApproval: false,
  })

  /** What an instruction moves, by web3.js where it decodes the program, else by the program's published layout. */
  const flowsOf = (program: string, accounts: readonly (string | undefined)[], bytes: Uint8Array): readonly Flow[] => {
    const bytesOfData = Buffer.from(bytes)
    const named = (programId: PublicKey) =>
      new TransactionInstruction({
        programId,
        data: bytesOfData,
        // What a table holds has no address here; the layouts are read all the same.
        keys: accounts.map((account) => ({
          pubkey: account === undefined ? PublicKey.default : new PublicKey(account),
          isSigner: false,
          isWritable: true,
        })),
      })
    if (program === SystemProgram.programId.toBase58()) {
      const whole = named(SystemProgram.programId)
      switch (SystemInstruction.decodeInstructionType(whole)) {
        case 'Transfer':
          return [coins(SystemInstruction.decodeTransfer(whole).lamports, accounts[1])]
        case 'Create': {
          // web3.js reads this number as a double.
          const lamports = bytesOfData.readBigUInt64LE(4)
          expect(Number(lamports)).toBe(SystemInstruction.decodeCreateAccount(whole).lamports)
          return [coins(lamports, accounts[1])]
        }
        default:
          expect(SystemInstruction.decodeInstructionType(whole)).toBe('AdvanceNonceAccount')
          return []
      }
    }
    if (program === ComputeBudgetProgram.programId.toBase58()) {
      if (bytesOfData[0] !== 4) ComputeBudgetInstruction.decodeInstructionType(named(ComputeBudgetProgram.programId))
      return []
    }
    if (!tokenPrograms.includes(program)) {
      const isAccount = program === 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
      return isAccount ? [coins(2_039_280, accounts[1])] : []
    }
    const tag = bytesOfData[0] ?? 255
    // Revoke, CloseAccount to the wallet itself, SyncNative; TransferChecked, ApproveChecked, BurnChecked.
    if ([5, 9, 17].includes(tag)) return []
    expect([12, 13, 15]).toContain(tag)
    const amount = bytesOfData.readBigUInt64LE(1)
    return [
      {
        asset: `${mainnet}/token:${accounts[1]}`,
        amount: tag === 13 && amount === 2n ** 64n - 1n ? 'unlimited' : amount,
        to: tag === 15 ? undefined : accounts[2],
        isApproval: tag === 13,
      },
    ]
  }

  const feeOf = (signers: number, compiled: VersionedMessage['compiledInstructions'], keys: readonly string[]) => {
    const budgets = compiled
      .filter(({ programIdIndex }) => keys[programIdIndex] === ComputeBudgetProgram.programId.toBase58())
      .map(({ data: bytes }) => Buffer.from(bytes))
    const price = budgets.find((bytes) => bytes[0] === 3)?.readBigUInt64LE(1) ?? 0n
    const asked = budgets.find((bytes) => bytes[0] === 2)?.readUInt32LE(1) ?? 1_400_000
    const priority = price * BigInt(Math.min(asked, 1_400_000))
    return BigInt(signers) * 5_000n + (priority + 999_999n) / 1_000_000n
  }

  it('is never read otherwise than web3.js reads it, whatever became of its bytes', () => {
    const good = [
      ...instructions.map((one) => messageOf([one])),
      messageOf([createAccount(solanaFriend, 7), closeAccount(solanaWallet), burnChecked(3n), advanceNonce]),
      messageOf([limitUnits(1_000), priceUnits(70_000n), pay(solanaFriend, 5), transferChecked(solanaFriend, 9n)]),
      messageOf([pay(solanaFriend, 5), transferChecked(solanaFriend, 9n)], solanaWallet, tables),
      messageOf([setAuthority(solanaFriend), pay(solanaFriend, 5)]),
    ]
    let taken = 0
    for (const bytes of mutationsOf(good, numbers)) {
      const facts = factsOf({
        ...ask({ kind: 'solanaTransaction', message: bytesToHex(bytes) }),
        wallet: { type: 'SOLANA', address: solanaWallet.toBase58(), ageMs: 0 },
      })
      if (facts.isOpaque || facts.outflowUnknown) continue
      taken += 1
      const message = VersionedMessage.deserialize(bytes)
      const keys = message.staticAccountKeys.map((key) => key.toBase58())
      const compiled = message.compiledInstructions
      const payer = keys[0]
      const fee = coins(feeOf(message.header.numRequiredSignatures, compiled, keys), undefined)
      expect(valuesOf(facts, 'programIds')).toEqual([
        ...new Set(compiled.map(({ programIdIndex }) => keys[programIdIndex])),
      ])
      expect(valuesOf(facts, 'feePayer')).toEqual([payer])
      expect(facts.outflows).toEqual([
        ...compiled.flatMap(({ programIdIndex, accountKeyIndexes, data: bytesOfData }) =>
          flowsOf(
            keys[programIdIndex] ?? '',
            accountKeyIndexes.map((index) => keys[index]),
            bytesOfData,
          ),
        ),
        ...(payer === solanaWallet.toBase58() ? [fee] : []),
      ])
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})

describe('a document of Cosmos', () => {
  const { root } = protobuf.parse(`syntax = "proto3";
    message Any { string type_url = 1; bytes value = 2; }
    message Coin { string denom = 1; string amount = 2; }
    message SignDoc { bytes body_bytes = 1; bytes auth_info_bytes = 2; string chain_id = 3; uint64 account_number = 4; }
    message Fee { repeated Coin amount = 1; uint64 gas_limit = 2; string payer = 3; string granter = 4; }
    message AuthInfo { repeated Any signer_infos = 1; Fee fee = 2; }
    message TxBody { repeated Any messages = 1; string memo = 2; uint64 timeout_height = 3; }
    message MsgSend { string from_address = 1; string to_address = 2; repeated Coin amount = 3; }
    message Account { string address = 1; repeated Coin coins = 2; }
    message MsgMultiSend { repeated Account inputs = 1; repeated Account outputs = 2; }
    message MsgDelegate { string delegator_address = 1; string validator_address = 2; Coin amount = 3; }
    message MsgExec { string grantee = 1; repeated Any msgs = 2; }
    message MsgTransfer { string source_port = 1; string source_channel = 2; Coin token = 3; string sender = 4; string receiver = 5; bytes timeout_height = 6; uint64 timeout_timestamp = 7; string memo = 8; }`)
  type Read = Record<string, unknown>
  const read = (type: string, bytes: unknown): Read =>
    root
      .lookupType(type)
      .toObject(root.lookupType(type).decode(bytes instanceof Uint8Array ? bytes : new Uint8Array(0)), {
        arrays: true,
        defaults: true,
        bytes: Uint8Array,
        longs: String,
      })
  const list = (value: unknown): readonly Read[] => (Array.isArray(value) ? (value as readonly Read[]) : [])

  const movesNothing = [undelegate('', 1), redelegate('', '', 1), withdraw(''), vote].map((one) => one.typeUrl)

  const flowsIn = (chain: string, { typeUrl, value }: Read): readonly (readonly [string, string, string])[] => {
    const of = (to: unknown, coins: readonly Read[]) =>
      coins.map(({ denom, amount }) => [`${chain}|${text(denom)}`, text(amount), text(to)] as const)
    if (text(typeUrl).endsWith('MsgExec'))
      return list(read('MsgExec', value)['msgs']).flatMap((one) => flowsIn(chain, one))
    if (text(typeUrl).endsWith('MsgTransfer')) {
      const { token, receiver } = read('MsgTransfer', value)
      return of(receiver, [token as Read])
    }
    if (text(typeUrl).endsWith('MsgMultiSend'))
      return list(read('MsgMultiSend', value)['outputs']).flatMap(({ address, coins }) => of(address, list(coins)))
    if (text(typeUrl).endsWith('MsgDelegate')) {
      const { validatorAddress, amount } = read('MsgDelegate', value)
      return of(validatorAddress, [amount as Read])
    }
    if (movesNothing.includes(text(typeUrl))) return []
    expect(typeUrl).toBe('/cosmos.bank.v1beta1.MsgSend')
    const { toAddress, amount } = read('MsgSend', value)
    return of(toAddress, list(amount))
  }

  const channelsIn = ({ typeUrl, value }: Read): readonly string[] => {
    if (text(typeUrl).endsWith('MsgExec')) return list(read('MsgExec', value)['msgs']).flatMap(channelsIn)
    if (!text(typeUrl).endsWith('MsgTransfer')) return []
    const { sourcePort, sourceChannel } = read('MsgTransfer', value)
    return [`${text(sourcePort)}/${text(sourceChannel)}`]
  }

  const flowsOf = (facts: Facts) =>
    facts.outflows.map(({ asset, amount, to = '' }) => {
      const [chain = '', denom = ''] = asset.split('/denom:')
      return [`${chain}|${decodeURIComponent(denom)}`, String(amount), to]
    })

  it('is never read otherwise than protobufjs reads it, whatever became of its bytes', () => {
    const good = [
      documentOf([send(cosmosFriend, 5), send(thief, 7, 'ibc/AB')]),
      documentOf([execute(send(cosmosFriend, 5))]),
      documentOf([transfer(cosmosFriend)]),
      documentOf([multiSend(cosmosFriend, thief)]),
      documentOf([delegate(cosmosFriend, 9), vote]),
      documentOf([undelegate(cosmosFriend, 9), redelegate(cosmosFriend, thief, 9), withdraw(cosmosFriend)]),
    ]
    let taken = 0
    for (const bytes of mutationsOf(good, numbers)) {
      const facts = factsOf(ask({ kind: 'cosmosDirect', signDoc: bytesToHex(bytes) }))
      if (facts.isOpaque || facts.outflowUnknown) continue
      taken += 1
      const document = read('SignDoc', bytes)
      const chain = `cosmos:${text(document['chainId'])}`
      const { fee } = read('AuthInfo', document['authInfoBytes'])
      const coins = list((fee as Read)['amount'])
      const channels = list(read('TxBody', document['bodyBytes'])['messages']).flatMap(channelsIn)
      const plain = channels.filter((channel) => /^[!-~]{1,256}$/.test(channel))
      expect(valuesOf(facts, 'channel')).toEqual([
        ...new Set(plain.map((channel) => `${text(document['chainId'])}/${channel}`)),
      ])
      expect(facts.fields.get('channel')?.isUnknown ?? false).toBe(plain.length < channels.length)
      if (channels.length > 0) expect(facts.fields.get('recipient')?.isUnknown).toBe(true)
      expect(flowsOf(facts)).toEqual([
        ...list(read('TxBody', document['bodyBytes'])['messages']).flatMap((one) => flowsIn(chain, one)),
        ...coins.map(({ denom, amount }) => [`${chain}|${text(denom)}`, text(amount), '']),
      ])
    }
    expect(taken).toBeGreaterThan(numbers / 20)
  })
})
