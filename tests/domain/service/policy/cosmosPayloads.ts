/** Documents of Cosmos, as cosmjs writes them. */
import { serializeSignDoc, type StdSignDoc } from '@cosmjs/amino'
import { makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { ask } from './table.ts'

type Any = { readonly typeUrl: string; readonly value: Uint8Array }

export const friend = 'cosmos1friend'
export const thief = 'cosmos1thief'
const wallet = 'cosmos1wallet'
const coinOf = (amount: number, denom = 'uatom') => ({ denom, amount: String(amount) })
const coins = (amount: number, denom?: string) => [coinOf(amount, denom)]
/** A field of protobuf with a length; `AuthInfo` has one for a tip that cosmjs no longer writes. */
const field = (number: number, value: Uint8Array) => concatBytes(Uint8Array.of((number << 3) | 2, value.length), value)

export const send = (to: string, amount: number, denom?: string): Any => ({
  typeUrl: MsgSend.typeUrl,
  value: MsgSend.encode({ fromAddress: wallet, toAddress: to, amount: coins(amount, denom) }).finish(),
})
export const multiSend = (...to: readonly string[]): Any => ({
  typeUrl: MsgMultiSend.typeUrl,
  value: MsgMultiSend.encode({
    inputs: [{ address: wallet, coins: coins(to.length) }],
    outputs: to.map((address) => ({ address, coins: coins(1) })),
  }).finish(),
})
export const execute = (...msgs: readonly Any[]): Any => ({
  typeUrl: MsgExec.typeUrl,
  value: MsgExec.encode({ grantee: wallet, msgs: [...msgs] }).finish(),
})
export const grant: Any = {
  typeUrl: MsgGrant.typeUrl,
  value: MsgGrant.encode(MsgGrant.fromPartial({ granter: wallet, grantee: thief })).finish(),
}
export const delegate = (validator: string, amount: number): Any => ({
  typeUrl: MsgDelegate.typeUrl,
  value: MsgDelegate.encode({
    delegatorAddress: wallet,
    validatorAddress: validator,
    amount: coinOf(amount),
  }).finish(),
})
export const undelegate = (validator: string, amount: number): Any => ({
  typeUrl: MsgUndelegate.typeUrl,
  value: MsgUndelegate.encode({
    delegatorAddress: wallet,
    validatorAddress: validator,
    amount: coinOf(amount),
  }).finish(),
})
export const redelegate = (from: string, to: string, amount: number): Any => ({
  typeUrl: MsgBeginRedelegate.typeUrl,
  value: MsgBeginRedelegate.encode({
    delegatorAddress: wallet,
    validatorSrcAddress: from,
    validatorDstAddress: to,
    amount: coinOf(amount),
  }).finish(),
})
export const withdraw = (validator: string): Any => ({
  typeUrl: MsgWithdrawDelegatorReward.typeUrl,
  value: MsgWithdrawDelegatorReward.encode({ delegatorAddress: wallet, validatorAddress: validator }).finish(),
})
export const vote: Any = {
  typeUrl: MsgVote.typeUrl,
  value: MsgVote.encode({ proposalId: 7n, voter: wallet, option: VoteOption.VOTE_OPTION_YES }).finish(),
}
/** By IBC, to the chain at the other end of the channel. */
export const transfer = (receiver: string, sourceChannel = 'channel-141', memo = ''): Any => ({
  typeUrl: MsgTransfer.typeUrl,
  value: MsgTransfer.encode(
    MsgTransfer.fromPartial({
      sourcePort: 'transfer',
      sourceChannel,
      token: coinOf(1),
      sender: wallet,
      receiver,
      timeoutTimestamp: 1_900_000_000n,
      memo,
    }),
  ).finish(),
})
export const aminoTransfer = (receiver: string, source_channel: string, source_port = 'transfer') => ({
  type: 'cosmos-sdk/MsgTransfer',
  value: {
    source_port,
    source_channel,
    token: coinOf(1),
    sender: wallet,
    receiver,
    timeout_height: {},
    timeout_timestamp: '1900000000',
  },
})

export const documentOf = (
  messages: readonly Any[],
  {
    fee = 1,
    payer,
    granter,
    extension,
    tip,
    chain = 'cosmoshub-4',
  }: { fee?: number; payer?: string; granter?: string; extension?: Any; tip?: number; chain?: string } = {},
): Uint8Array => {
  const body = TxBody.encode(
    TxBody.fromPartial({
      messages: [...messages],
      ...(extension === undefined ? {} : { extensionOptions: [extension] }),
    }),
  ).finish()
  const authInfo = makeAuthInfoBytes([], coins(fee), 200_000, granter, payer)
  const tipped =
    tip === undefined ? authInfo : concatBytes(authInfo, field(3, field(1, Coin.encode(coinOf(tip)).finish())))
  return makeSignBytes(makeSignDoc(body, tipped, chain, 7))
}

export const direct = (...parameters: Parameters<typeof documentOf>): Asked =>
  ask({ kind: 'cosmosDirect', signDoc: bytesToHex(documentOf(...parameters)) })

export const aminoDocument = (...msgs: readonly StdSignDoc['msgs'][number][]): StdSignDoc => ({
  chain_id: 'cosmoshub-4',
  account_number: '7',
  sequence: '0',
  fee: { amount: coins(1), gas: '200000' },
  msgs,
  memo: '',
})

export const aminoWith = (more: Partial<StdSignDoc>, ...msgs: readonly StdSignDoc['msgs'][number][]): Asked =>
  ask({ kind: 'cosmosAmino', signDoc: bytesToHex(serializeSignDoc({ ...aminoDocument(...msgs), ...more })) })
export const amino = (...msgs: readonly StdSignDoc['msgs'][number][]): Asked => aminoWith({}, ...msgs)

export const aminoSend = (to: string, amount: number, more: object = {}) => ({
  type: 'cosmos-sdk/MsgSend',
  value: { from_address: wallet, to_address: to, amount: coins(amount), ...more },
})

export const plainMessage = (text: string, chain_id = ''): Asked => {
  const value = { signer: wallet, data: Buffer.from(text).toString('base64') }
  const document = { ...aminoDocument({ type: 'sign/MsgSignData', value }), chain_id, account_number: '0' }
  return ask({ kind: 'cosmosAmino', signDoc: bytesToHex(serializeSignDoc(document)) })
}
