/** What policies say about transactions of EVM chains. */
import type { Hex } from 'viem'
import {
  call,
  contract,
  data,
  ether,
  friend,
  most,
  permit2,
  requestOf,
  thief,
  transfer,
  usdc,
  usdcAsset,
} from './evmPayloads.ts'
import { ask, describeTable, limit, policy, rule } from './table.ts'

/** Whose contract moves the coin of its chain. */
const celo = '0x471ece3750da237f93b8e339c536989b8978a438'
const transferMethod = 'transfer(address,uint256)'
const sanctions = { sanctions: [thief] }
const sanctioned = rule('deny', { recipient: { inList: 'sanctions' } })
const isDefault = 'No rule matches, and the default is deny'
const isUnknown = 'cannot be known'

const multicall = (...calls: readonly Hex[]): Hex => data('multicall(bytes[])', calls)
const nested = (depth: number, inner: Hex): Hex => (depth === 0 ? inner : nested(depth - 1, multicall(inner)))
const multicalls = { in: ['multicall(bytes[])', transferMethod] } as const
const delegated = requestOf({
  chainId: 8453,
  type: 'eip7702',
  to: friend,
  value: 1n,
  authorizationList: [
    { address: contract, chainId: 8453, nonce: 0, r: `0x${'11'.repeat(32)}`, s: `0x${'11'.repeat(32)}`, yParity: 0 },
  ],
})

describeTable('a policy for EVM chains', [
  {
    name: 'a transfer to an argument that is named',
    policy: policy('deny', [rule('allow', { method: { is: transferMethod }, 'args.0': { in: [friend] } })]),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'Rule allow allows it' },
    attack: { name: 'to another', asked: call(usdc, transfer(thief, 5n)), effect: 'deny', because: isDefault },
  },
  {
    name: 'addresses that begin with a text, in any case',
    policy: policy('allow', [rule('deny', { to: { startsWith: `0x${usdc.slice(2, 12).toUpperCase()}` } })]),
    good: { asked: call(friend, '0x', 7n), effect: 'allow', because: 'No rule matches' },
    attack: { name: 'such an address', asked: call(usdc, '0x', 7n), effect: 'deny', because: 'Rule deny denies it' },
  },
  {
    name: 'payments to a recipient that is named, by coin or token',
    policy: policy('deny', [rule('allow', { recipient: { is: friend } })]),
    good: { asked: call(friend, '0x', 7n), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'a call of the recipient that no standard knows',
      asked: call(friend, '0x12345678', 7n),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'several transfers to one recipient in a multicall',
    policy: policy('deny', [rule('allow', { method: multicalls, recipient: { is: friend } })]),
    good: {
      asked: call(usdc, multicall(transfer(friend, 1n), transfer(friend, 2n))),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'one of them to another',
      asked: call(usdc, multicall(transfer(friend, 1n), transfer(thief, 2n))),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'one method of a token',
    policy: policy('deny', [
      rule('allow', { to: { is: usdc.toUpperCase().replace('0X', '0x') }, method: { is: transferMethod } }),
    ]),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'to, method as it says' },
    attack: {
      name: 'an approval at the same token',
      asked: call(usdc, data('approve(address,uint256)', thief, most)),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a multicall that is named, with the calls inside',
    policy: policy('deny', [rule('allow', { to: { is: usdc }, method: multicalls })]),
    good: { asked: call(usdc, multicall(transfer(friend, 1n))), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'an approval inside',
      asked: call(usdc, multicall(transfer(friend, 1n), data('approve(address,uint256)', thief, 1n))),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a multicall within multicalls',
    policy: policy('deny', [rule('allow', { to: { is: usdc }, method: multicalls })]),
    good: { asked: call(usdc, nested(4, transfer(friend, 1n))), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'too deep to be opened',
      asked: call(usdc, nested(5, transfer(friend, 1n))),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer without a multicall where none is named',
    policy: policy('deny', [rule('allow', { to: { is: usdc }, method: { is: transferMethod } })]),
    good: { asked: call(usdc, transfer(friend, 1n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'the same inside of a multicall',
      asked: call(usdc, multicall(transfer(friend, 1n))),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a limit of a token',
    policy: policy('deny', [rule('allow', { to: { is: usdc } }, limit(usdcAsset, '250'))]),
    good: { asked: call(usdc, transfer(friend, 250n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'two in one multicall',
      asked: call(usdc, multicall(transfer(friend, 250n), transfer(friend, 1n))),
      effect: 'deny',
      because: `251 of ${usdcAsset} would be over the limit of 250 in 24h of a user`,
    },
  },
  {
    name: 'a limit that was partly spent',
    policy: policy('deny', [rule('allow', { to: { is: usdc } }, limit(usdcAsset, '250', 'review'))]),
    spent: 200n,
    good: { asked: call(usdc, transfer(friend, 50n)), effect: 'allow', because: 'allows it' },
    attack: { name: 'one more', asked: call(usdc, transfer(friend, 51n)), effect: 'review', because: '251 of' },
  },
  {
    name: 'an approval within a limit',
    policy: policy('deny', [rule('allow', {}, limit(usdcAsset, '250'))]),
    good: { asked: call(usdc, data('approve(address,uint256)', friend, 250n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'without an end',
      asked: call(usdc, data('approve(address,uint256)', friend, most)),
      effect: 'deny',
      because: 'an unlimited amount',
    },
  },
  {
    name: 'an allowance that grows within a limit',
    policy: policy('deny', [rule('allow', {}, limit(usdcAsset, '250', 'review'))]),
    spent: 100n,
    good: {
      asked: call(usdc, data('increaseAllowance(address,uint256)', friend, 150n)),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'beyond it',
      asked: call(usdc, data('increaseAllowance(address,uint256)', friend, 151n)),
      effect: 'review',
      because: '251 of',
    },
  },
  {
    name: 'a permit that is handed in',
    policy: policy('deny', [rule('allow', {}, limit(usdcAsset, '250'))]),
    good: {
      asked: call(
        usdc,
        data(
          'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
          friend,
          contract,
          250n,
          9n,
          27,
          `0x${'11'.repeat(32)}`,
          `0x${'22'.repeat(32)}`,
        ),
      ),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'in the form of DAI, which has no amount',
      asked: call(
        usdc,
        data(
          'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
          friend,
          contract,
          1n,
          9n,
          true,
          27,
          `0x${'11'.repeat(32)}`,
          `0x${'22'.repeat(32)}`,
        ),
      ),
      effect: 'deny',
      because: 'an unlimited amount',
    },
  },
  {
    name: 'an approval by Permit2',
    policy: policy('deny', [
      rule('allow', { method: { is: 'approve(address,address,uint160,uint48)' } }, limit(usdcAsset, '250')),
    ]),
    good: {
      asked: call(permit2, data('approve(address,address,uint160,uint48)', usdc, friend, 250n, 1)),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'the same call of another contract',
      asked: call(contract, data('approve(address,address,uint160,uint48)', usdc, friend, 250n, 1)),
      effect: 'deny',
      because: 'what leaves the wallet cannot be known',
    },
  },
  {
    name: 'a permit that is handed in to Permit2',
    policy: policy('deny', [rule('allow', { to: { is: permit2 } }, limit(usdcAsset, '250'))]),
    good: {
      asked: call(
        permit2,
        data(
          'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
          contract,
          [[usdc, 250n, 9, 0], friend, 9n],
          '0x11',
        ),
      ),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'more in parts of a batch',
      asked: call(
        permit2,
        data(
          'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
          contract,
          [
            [
              [usdc, 200n, 9, 0],
              [usdc, 51n, 9, 1],
            ],
            friend,
            9n,
          ],
          '0x11',
        ),
      ),
      effect: 'deny',
      because: '251 of',
    },
  },
  {
    name: 'a transfer by Permit2 to a recipient that is named',
    policy: policy('deny', [rule('allow', { to: { is: permit2 }, recipient: { is: friend } })]),
    good: {
      asked: call(
        permit2,
        data(
          'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
          [[usdc, 250n], 0n, 9n],
          [friend, 250n],
          contract,
          '0x11',
        ),
      ),
      effect: 'allow',
      because: 'to, recipient as it says',
    },
    attack: {
      name: 'to another behind it',
      asked: call(
        permit2,
        data('transferFrom((address,address,uint160,address)[])', [
          [contract, friend, 1n, usdc],
          [contract, thief, 1n, usdc],
        ]),
      ),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a call that Permit2 has alone, under a limit',
    policy: policy('deny', [rule('allow', {}, limit(usdcAsset, '250'))]),
    good: {
      asked: call(permit2, data('transferFrom(address,address,uint160,address)', contract, friend, 250n, usdc)),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'of a contract with the same words',
      asked: call(contract, data('transferFrom(address,address,uint160,address)', contract, friend, 1n, usdc)),
      effect: 'deny',
      because: 'what leaves the wallet cannot be known',
    },
  },
  {
    name: 'a list of recipients that are denied',
    policy: policy('allow', [sanctioned], sanctions),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'from another account by transferFrom',
      asked: call(usdc, data('transferFrom(address,address,uint256)', friend, thief, 5n)),
      effect: 'deny',
      because: 'Rule deny denies it: recipient as it says',
    },
  },
  {
    name: 'a list of recipients, and a contract that forwards',
    policy: policy('allow', [sanctioned], sanctions),
    good: { asked: call(friend, '0x', 1n), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'through the execution of a proxy',
      asked: call(contract, data('execute(address,uint256,bytes)', thief, 5n, '0x')),
      effect: 'deny',
      because: `recipient ${isUnknown}`,
    },
  },
  {
    name: 'a list of recipients that ignores what is unknown',
    policy: policy('allow', [{ ...sanctioned, onUnknown: 'ignore' }], sanctions),
    good: { asked: call(contract, '0x12345678'), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'an unknown call with coins for one of the list',
      asked: call(thief, '0x12345678', 1n),
      effect: 'deny',
      because: 'denies it',
    },
  },
  {
    name: 'an own method with a bound of its argument',
    policy: policy('deny', [rule('allow', { method: { is: 'deposit(uint256)' }, 'args.0': { atMost: '10' } })]),
    good: { asked: call(contract, data('deposit(uint256)', 10n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'bytes behind the arguments',
      asked: call(contract, `${data('deposit(uint256)', 10n)}00`),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer whose address is whole',
    policy: policy('deny', [rule('allow', { method: { is: transferMethod } })]),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'bits in front of the address',
      asked: call(usdc, transfer(friend, 5n).replace(/^(0x.{8})00/, '$101') as Hex),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'one chain',
    policy: policy('deny', [rule('allow', { chainId: { is: '8453' } })]),
    good: { asked: call(friend, '0x', 1n), effect: 'allow', because: 'chainId as it says' },
    attack: { name: 'another', asked: call(friend, '0x', 1n, 1), effect: 'deny', because: isDefault },
  },
  {
    name: 'a bound of coins for one transaction',
    policy: policy('deny', [rule('allow', { value: { atMost: '1000000000000000000' } })]),
    good: { asked: call(friend, '0x', 10n ** 18n), effect: 'allow', because: 'value as it says' },
    attack: { name: 'a wei more', asked: call(friend, '0x', 10n ** 18n + 1n), effect: 'deny', because: isDefault },
  },
  {
    name: 'a bound of fees',
    policy: policy('deny', [rule('allow', { maxFee: { atMost: '21000000' } })]),
    good: {
      asked: ask(requestOf({ chainId: 8453, type: 'eip1559', to: friend, gas: 21_000n, maxFeePerGas: 1_000n })),
      effect: 'allow',
      because: 'maxFee as it says',
    },
    attack: {
      name: 'a price that drains the wallet for its block’s builder',
      asked: ask(requestOf({ chainId: 8453, type: 'eip1559', to: friend, gas: 21_000n, maxFeePerGas: 1_001n })),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'an operator of tokens is dismissed',
    policy: policy('deny', [rule('allow', {}, limit(`eip155:8453/erc721:${contract}`, '0'))]),
    good: {
      asked: call(contract, data('setApprovalForAll(address,bool)', friend, false)),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'is appointed',
      asked: call(contract, data('setApprovalForAll(address,bool)', thief, true)),
      effect: 'deny',
      because: 'an unlimited amount',
    },
  },
  {
    name: 'a single token of a collection',
    policy: policy('deny', [
      rule('allow', { recipient: { is: friend } }, limit(`eip155:8453/erc1155:${contract}/9`, '2')),
    ]),
    good: {
      asked: call(
        contract,
        data('safeTransferFrom(address,address,uint256,uint256,bytes)', contract, friend, 9n, 2n, '0x'),
      ),
      effect: 'allow',
      because: 'allows it',
    },
    attack: {
      name: 'twice in a batch',
      asked: call(
        contract,
        data(
          'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
          contract,
          friend,
          [9n, 9n],
          [2n, 1n],
          '0x',
        ),
      ),
      effect: 'deny',
      because: '3 of eip155:8453/erc1155',
    },
  },
  {
    name: 'calls of contracts are held',
    policy: policy('allow', [rule('review', { method: { is: 'approve(address,uint256)' } })]),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'a contract is created, whose code may do it',
      asked: ask(requestOf({ chainId: 8453, type: 'eip1559', data: '0x6000' })),
      effect: 'review',
      because: `method ${isUnknown}`,
    },
  },
  {
    name: 'a limit of coins',
    policy: policy('deny', [rule('allow', {}, limit(ether, '1'))]),
    good: { asked: call(friend, '0x', 1n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'an authorization in the same transaction',
      asked: ask(delegated),
      effect: 'deny',
      because: 'what leaves the wallet cannot be known',
    },
  },
  {
    name: 'a limit of coins, where a contract moves them, too',
    policy: policy('deny', [rule('allow', {}, limit('eip155:42220/slip44:60', '5'))]),
    good: { asked: call(celo, transfer(friend, 5n), 0n, 42220), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'by both in one transaction',
      asked: call(celo, transfer(friend, 5n), 1n, 42220),
      effect: 'deny',
      because: '6 of eip155:42220/slip44:60 would be over',
    },
  },
  {
    name: 'a limit of coins beside a token at the address that is the coin elsewhere',
    policy: policy('deny', [rule('allow', {}, limit(ether, '5'))]),
    good: { asked: call(celo, transfer(friend, 6n)), effect: 'allow', because: 'allows it' },
    attack: { name: 'as coins', asked: call(friend, '0x', 6n), effect: 'deny', because: '6 of eip155:8453/slip44:60' },
  },
  {
    name: 'a limit of a token',
    policy: policy('deny', [rule('allow', { to: { is: usdc } }, limit(usdcAsset, '5'))]),
    good: { asked: call(usdc, transfer(friend, 5n)), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'in calls that a multicall of another kind carries',
      asked: call(
        usdc,
        data('aggregate3((address target,bool allowFailure,bytes callData)[])', [
          { target: usdc, allowFailure: false, callData: transfer(thief, 6n) },
        ]),
      ),
      effect: 'deny',
      because: isUnknown,
    },
  },
])
