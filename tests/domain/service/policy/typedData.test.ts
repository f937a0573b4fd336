/** What policies say about typed data and authorizations of EVM chains. */
import * as TypedData from '../../../../domain/mpc/TypedData.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import type { Hex } from 'viem'
import { contract, data, friend, most, permit2, thief, transfer, usdc, usdcAsset } from './evmPayloads.ts'
import { ask, describeTable, limit, policy, rule } from './table.ts'

type Fields = Readonly<Record<string, string>>

const typed = (
  primaryType: string,
  types: Readonly<Record<string, Fields>>,
  message: object,
  domain: object = { name: 'USD Coin', chainId: 8453, verifyingContract: usdc },
): Asked => {
  const written = Object.fromEntries(
    Object.entries(types).map(([name, fields]) => [
      name,
      Object.entries(fields).map(([field, type]) => ({ name: field, type })),
    ]),
  )
  const read = TypedData.read({ types: written, primaryType, domain, message })
  if (read === undefined) throw new Error('no typed data')
  return ask({ kind: 'eip712', typedData: read.text })
}

const permitType = { owner: 'address', spender: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' }
const permit = (value: bigint, spender = friend, domain?: object) =>
  typed('Permit', { Permit: permitType }, { owner: contract, spender, value, nonce: 0, deadline: 9 }, domain)

const daiType = { holder: 'address', spender: 'address', nonce: 'uint256', expiry: 'uint256', allowed: 'bool' }
const dai = (allowed: boolean) =>
  typed('Permit', { Permit: daiType }, { holder: contract, spender: friend, nonce: 0, expiry: 9, allowed })

const ofPermit2 = { name: 'Permit2', chainId: 8453, verifyingContract: permit2 }
const PermitDetails = { token: 'address', amount: 'uint160', expiration: 'uint48', nonce: 'uint48' }
const detailsOf = (token: string, amount: bigint) => ({ token, amount, expiration: 9, nonce: 0 })
const single = (amount: bigint, domain: object = ofPermit2) =>
  typed(
    'PermitSingle',
    { PermitSingle: { details: 'PermitDetails', spender: 'address', sigDeadline: 'uint256' }, PermitDetails },
    { details: detailsOf(usdc, amount), spender: friend, sigDeadline: 9 },
    domain,
  )
const batch = (...details: readonly object[]) =>
  typed(
    'PermitBatch',
    { PermitBatch: { details: 'PermitDetails[]', spender: 'address', sigDeadline: 'uint256' }, PermitDetails },
    { details, spender: friend, sigDeadline: 9 },
    ofPermit2,
  )
const transferFrom = (spender: string, amount: bigint) =>
  typed(
    'PermitTransferFrom',
    {
      PermitTransferFrom: {
        permitted: 'TokenPermissions',
        spender: 'address',
        nonce: 'uint256',
        deadline: 'uint256',
      },
      TokenPermissions: { token: 'address', amount: 'uint256' },
    },
    { permitted: { token: usdc, amount }, spender, nonce: 0, deadline: 9 },
    ofPermit2,
  )
const authorized = (to: string) =>
  typed(
    'TransferWithAuthorization',
    {
      TransferWithAuthorization: {
        from: 'address',
        to: 'address',
        value: 'uint256',
        validAfter: 'uint256',
        validBefore: 'uint256',
        nonce: 'bytes32',
      },
    },
    { from: contract, to, value: 5n, validAfter: 0, validBefore: 9, nonce: `0x${'11'.repeat(32)}` },
  )
const login = typed('Login', { Login: { text: 'string' } }, { text: 'hello' }, { name: 'Shop' })
const order = typed(
  'OrderComponents',
  { OrderComponents: { offerer: 'address', offer: 'uint256' } },
  { offerer: contract, offer: 1n },
  { name: 'Seaport', chainId: 8453, verifyingContract: contract },
)
/** An operation of a smart account, as EntryPoint 0.8 has it signed (ERC-4337). */
const operation = (called: Hex) =>
  typed(
    'PackedUserOperation',
    {
      PackedUserOperation: {
        sender: 'address',
        nonce: 'uint256',
        initCode: 'bytes',
        callData: 'bytes',
        accountGasLimits: 'bytes32',
        preVerificationGas: 'uint256',
        gasFees: 'bytes32',
        paymasterAndData: 'bytes',
      },
    },
    {
      sender: contract,
      nonce: 0,
      initCode: '0x',
      callData: called,
      accountGasLimits: `0x${'00'.repeat(32)}`,
      preVerificationGas: 0,
      gasFees: `0x${'00'.repeat(32)}`,
      paymasterAndData: '0x',
    },
    {
      name: 'ERC4337',
      version: '1',
      chainId: 8453,
      verifyingContract: '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
    },
  )
const executed = (to: string) => data('execute(address,uint256,bytes)', to, 1n, '0x')
const authorization = (address: string) =>
  ask({ kind: 'authorization', address: address.slice(2), chainId: '8453', nonce: '0' })

const isDefault = 'No rule matches, and the default is deny'
const isUnknown = 'what leaves the wallet cannot be known'
const limited = policy('deny', [rule('allow', { payload: { is: 'evm.typedData' } }, limit(usdcAsset, '250'))])

describeTable('a policy for typed data', [
  {
    name: 'a permit within a limit',
    policy: limited,
    good: { asked: permit(250n), effect: 'allow', because: 'payload as it says' },
    attack: { name: 'without an end', asked: permit(most), effect: 'deny', because: 'an unlimited amount' },
  },
  {
    name: 'a permit of DAI that is taken back',
    policy: limited,
    good: { asked: dai(false), effect: 'allow', because: 'allows it' },
    attack: { name: 'given', asked: dai(true), effect: 'deny', because: 'an unlimited amount' },
  },
  {
    name: 'a permit of Permit2',
    policy: limited,
    good: { asked: single(250n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'more in parts of a batch',
      asked: batch(detailsOf(usdc, 200n), detailsOf(usdc, 51n)),
      effect: 'deny',
      because: '251 of',
    },
  },
  {
    name: 'a permit of Permit2 at its own address',
    policy: limited,
    good: { asked: single(1n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'of a contract with the same words',
      asked: single(1n, { ...ofPermit2, verifyingContract: contract }),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'a transfer by Permit2 for a spender that is named',
    policy: policy('deny', [rule('allow', { recipient: { is: friend } }, limit(usdcAsset, '250'))]),
    good: { asked: transferFrom(friend, 250n), effect: 'allow', because: 'recipient as it says' },
    attack: { name: 'for another', asked: transferFrom(thief, 1n), effect: 'deny', because: isDefault },
  },
  {
    name: 'a transfer by authorization',
    policy: policy('allow', [rule('deny', { recipient: { notIn: [friend] } })]),
    good: { asked: authorized(friend), effect: 'allow', because: 'the default is allow' },
    attack: { name: 'to another', asked: authorized(thief), effect: 'deny', because: 'recipient as it says' },
  },
  {
    name: 'a login in a form that is named',
    policy: policy('deny', [rule('allow', { primaryType: { is: 'Login' } })]),
    good: { asked: login, effect: 'allow', because: 'primaryType as it says' },
    attack: { name: 'an order of an exchange', asked: order, effect: 'deny', because: isDefault },
  },
  {
    name: 'typed data of one chain',
    policy: policy('deny', [rule('allow', { chainId: { is: '8453' } })]),
    good: { asked: order, effect: 'allow', because: 'chainId as it says' },
    attack: {
      name: 'a permit that holds on every chain',
      asked: permit(1n, friend, { name: 'USD Coin', verifyingContract: usdc }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a chain that is denied',
    policy: policy('allow', [rule('deny', { chainId: { is: '1' } })]),
    good: { asked: permit(1n), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'a permit that holds on every chain',
      asked: permit(1n, friend, { name: 'USD Coin', verifyingContract: usdc }),
      effect: 'deny',
      because: 'chainId cannot be known',
    },
  },
  {
    name: 'a limit that counts permits of one form',
    policy: limited,
    good: { asked: permit(1n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'a form with a field more',
      asked: typed(
        'Permit',
        { Permit: { ...permitType, extra: 'uint256' } },
        { owner: contract, spender: friend, value: 1n, nonce: 0, deadline: 9, extra: 1 },
      ),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'a bound of a value in the message',
    policy: policy('deny', [
      rule('allow', { 'message.value': { atMost: '10' }, 'domain.verifyingContract': { is: usdc } }),
    ]),
    good: { asked: permit(10n), effect: 'allow', because: 'message.value' },
    attack: { name: 'one more', asked: permit(11n), effect: 'deny', because: isDefault },
  },
  {
    name: 'a limit of a token in what is signed as typed data',
    policy: limited,
    good: { asked: permit(1n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'an operation of a smart account that sends it',
      asked: operation(data('execute(address,uint256,bytes)', usdc, 0n, transfer(thief, 1n))),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'operations of a smart account by one call that is named',
    policy: policy('deny', [rule('allow', { 'message.callData': { is: executed(friend) } })]),
    good: { asked: operation(executed(friend)), effect: 'allow', because: 'message.callData as it says' },
    attack: { name: 'by another', asked: operation(executed(thief)), effect: 'deny', because: isDefault },
  },
  {
    name: 'recipients that are denied, in what is signed as typed data',
    policy: policy('allow', [rule('deny', { recipient: { is: thief } })]),
    good: { asked: permit(1n), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'behind an operation of a smart account',
      asked: operation(executed(thief)),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'a token that is denied in a list',
    policy: policy('allow', [rule('deny', { 'message.details[].token': { is: contract } })]),
    good: { asked: batch(detailsOf(usdc, 1n)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'behind another',
      asked: batch(detailsOf(usdc, 1n), detailsOf(contract, 1n)),
      effect: 'deny',
      because: 'message.details[].token as it says',
    },
  },
])

describeTable('a policy for authorizations', [
  {
    name: 'a delegate that is named',
    policy: policy('deny', [rule('allow', { delegate: { is: contract } })]),
    good: { asked: authorization(contract), effect: 'allow', because: 'delegate as it says' },
    attack: { name: 'another', asked: authorization(thief), effect: 'deny', because: isDefault },
  },
  {
    name: 'a delegation is taken back under a limit',
    policy: policy('deny', [rule('allow', {}, limit(usdcAsset, '0'))]),
    good: { asked: authorization(`0x${'00'.repeat(20)}`), effect: 'allow', because: 'it matches everything' },
    attack: { name: 'is given', asked: authorization(contract), effect: 'deny', because: isUnknown },
  },
])
