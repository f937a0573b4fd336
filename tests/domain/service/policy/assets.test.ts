/** Assets of limits: what a document may name is what facts name, because a limit of any other bounds nothing. */
import fc from 'fast-check'
import { base58 } from '@scure/base'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { checksum } from '../../../../domain/model/EvmAddress.ts'
import * as TypedData from '../../../../domain/mpc/TypedData.ts'
import { factsOf } from '../../../../domain/service/policy/facts.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { plain } from '../../../../domain/service/policy/fields.ts'
import { read } from '../../../../domain/service/policy/Policy.ts'
import { times } from '../../../kit/long.ts'
import { aminoWith } from './cosmosPayloads.ts'
import { call, data, friend, transfer, usdc } from './evmPayloads.ts'
import { coin, friend as solanaFriend, mint, pay, signed, token, wallet } from './solanaPayloads.ts'
import { ask, limit, rule } from './table.ts'

const problemsOf = (asset: string): readonly string[] => {
  const rules = [rule('allow', {}, limit(asset, '1'))]
  const policy = read({ tandem: 'policy/1', default: 'deny', rules })
  return Result.isFailure(policy) ? policy.failure.problems : []
}

const emitted = (asked: Asked): readonly string[] => factsOf(asked).outflows.map(({ asset }) => asset)

describe('the asset of a limit', () => {
  const counted: readonly (readonly [string, string])[] = [
    ['cosmos:cosmoshub-4/slip44:118', 'cosmos:cosmoshub-4/denom:uatom'],
    ['cosmos:osmosis-1/denom:ibc%2f27394AB', 'cosmos:osmosis-1/denom:ibc%2F27394AB'],
    ['cosmos:osmosis-1/denom:ibc/27394AB', 'cosmos:osmosis-1/denom:ibc%2F27394AB'],
    ['cosmos:osmosis-1/denom:%75osmo', 'cosmos:osmosis-1/denom:uosmo'],
    ['eip155:137/slip44:966', 'eip155:137/slip44:60'],
    ['eip155:1/slip44:61', 'eip155:1/slip44:60'],
    ['eip155:0x1/slip44:60', 'eip155:1/slip44:60'],
    ['eip155:01/slip44:60', 'eip155:1/slip44:60'],
    [`eip155:0x2105/erc20:${usdc}`, `eip155:8453/erc20:${usdc}`],
    ['eip155:42220/erc20:0x471EcE3750Da237f93B8E339c536989b8978a438', 'eip155:42220/slip44:60'],
    ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1/slip44:501', coin],
    ['solana:devnet/slip44:501', coin],
    [`solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z/token:${mint.toBase58()}`, token],
  ]
  it.each(counted)('is refused as %s, which counts as %s', (asset, name) => {
    expect(problemsOf(asset)).toEqual([`rules[0].limits[0].asset: nothing counts under this name, but as ${name}`])
    expect(problemsOf(name)).toEqual([])
  })

  it.each([
    'eip155:1/erc20:0x1234',
    'eip155:0/slip44:60',
    `eip155:1/erc20:${usdc}/1`,
    `eip155:1/erc1155:${usdc}`,
    `eip155:1/erc721:${usdc}/0x1`,
    `eip155:1/erc721:${usdc}/${2n ** 256n}`,
    `eip155:1/token:${usdc}`,
    'eip155:1',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:USDC',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:60',
    'cosmos:osmosis-1/slip44:118',
    'cosmos:osmosis-1/denom:%',
    'cosmos:osmosis-1/denom:%C3%A4',
    'cosmos:osmosis-1/cw20:osmo1',
    'bip122:000000000019d6689c085ae165831e93/slip44:0',
    'Count',
  ])('is refused as %s, which nothing moves', (asset) => {
    expect(problemsOf(asset)).toEqual([
      'rules[0].limits[0].asset: is neither count nor a CAIP-19 identifier of what payloads move',
    ])
  })

  it.each([
    'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914',
    // With the checksum of Rootstock (ERC-1191).
    'eip155:30/erc20:0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD',
    'eip155:30/erc721:0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD/7',
  ])('is refused as %s, whose address has another checksum', (asset) => {
    expect(problemsOf(asset)).toEqual([
      'rules[0].limits[0].asset: write it in lower case, or with the checksum of ERC-55',
    ])
    expect(problemsOf(asset.toLowerCase())).toEqual([])
  })
})

const moving = (asset: string): Asked => {
  const [, namespace = '', reference = '', standard = '', id = ''] = /^([^:]+):([^/]+)\/([^:]+):(.*)$/.exec(asset) ?? []
  if (namespace === 'cosmos') {
    const amount = [{ denom: decodeURIComponent(id), amount: '1' }]
    const value = { from_address: 'cosmos1wallet', to_address: 'cosmos1friend', amount }
    return aminoWith({ chain_id: reference }, { type: 'cosmos-sdk/MsgSend', value })
  }
  if (namespace === 'solana') return signed([standard === 'slip44' ? pay(solanaFriend, 1) : moved(id)])
  const [contract = '', number] = id.toLowerCase().split('/')
  const chainId = Number(reference)
  switch (standard) {
    case 'slip44':
      return call(friend, '0x', 1n, chainId)
    case 'erc20':
      return call(contract, transfer(friend, 1n), 0n, chainId)
    case 'erc721':
      return number === undefined
        ? call(contract, data('setApprovalForAll(address,bool)', friend, true), 0n, chainId)
        : call(contract, data('safeTransferFrom(address,address,uint256)', usdc, friend, BigInt(number)), 0n, chainId)
    default: {
      const signature = 'safeTransferFrom(address,address,uint256,uint256,bytes)'
      return call(contract, data(signature, usdc, friend, BigInt(number ?? 0), 1n, '0x'), 0n, chainId)
    }
  }
}

const moved = (of: string) =>
  new TransactionInstruction({
    programId: new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
    data: Buffer.from([12, 1, 0, 0, 0, 0, 0, 0, 0, 6]),
    keys: [solanaFriend, new PublicKey(of), solanaFriend, wallet].map((pubkey) => ({
      pubkey,
      isSigner: pubkey === wallet,
      isWritable: true,
    })),
  })

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const chainId = fc.oneof(fc.constantFrom(1, 137, 1088, 1284, 42220), fc.integer({ min: 1, max: 2 ** 40 }))
const contract = fc.oneof(
  fc.constantFrom(usdc, '0x471ece3750da237f93b8e339c536989b8978a438', '0x0000000000000000000000000000000000000802'),
  hex(20),
)
const tokenId = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const pubkey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes))
const denom = fc.string({ unit: fc.constantFrom(...Array.from('azAZ09/:._-%~ibc')), minLength: 1, maxLength: 256 })
const chainName = fc.stringMatching(/^[a-zA-Z][-\w.]{0,40}$/)
const written = fc.oneof(
  fc.tuple(chainId, contract, tokenId, fc.nat(6)).map(([chain, address, id, form]) => {
    const mixed = checksum(address)
    return (
      [
        `eip155:${chain}/slip44:60`,
        `eip155:${chain}/erc20:${address}`,
        `eip155:${chain}/erc20:${mixed}`,
        `eip155:${chain}/erc721:${mixed}`,
        `eip155:${chain}/erc721:${address}/${id}`,
        `eip155:${chain}/erc1155:${address}/${id}`,
      ][form] ?? `eip155:0x${chain.toString(16)}/erc20:${mixed}`
    )
  }),
  pubkey.map((key) => `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:${key}`),
  fc.constant(coin),
  fc.tuple(chainName, denom, fc.boolean()).map(([chain, name, isEncoded]) => {
    return `cosmos:${chain}/denom:${isEncoded ? encodeURIComponent(name) : name}`
  }),
)
/** One as it is, or with a character left out, doubled or exchanged. */
const candidate = fc
  .tuple(written, fc.nat(), fc.constantFrom('', '', '0', 'x', 'A', '%', '/'), fc.nat(3))
  .map(([asset, place, sign, how]) => {
    const at = place % asset.length
    if (how === 0) return asset
    return asset.slice(0, at) + sign + asset.slice(how === 1 ? at : at + 1)
  })

describe('the assets that a document may name', () => {
  it('are those that facts name, each', () => {
    let accepted = 0
    fc.assert(
      fc.property(candidate, (asset) => {
        if (problemsOf(asset).length > 0) return
        accepted++
        expect(emitted(moving(asset))).toContain(plain(asset))
      }),
      { numRuns: times(500, 20_000) },
    )
    expect(accepted).toBeGreaterThan(50)
  })

  it('are all of those that facts name', () => {
    const permit = (chain: number, address: string): Asked => {
      const types = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
      const fields = types.Permit.split(',').map((field) => field.split(' ') as [string, string])
      const text = TypedData.read({
        types: { Permit: fields.map(([type, name]) => ({ name, type })) },
        primaryType: 'Permit',
        domain: { chainId: chain, verifyingContract: address },
        message: { owner: usdc, spender: friend, value: '1', nonce: '0', deadline: '1' },
      })?.text
      return ask({ kind: 'eip712', typedData: text ?? '' })
    }
    const wrapped = (chain: number, address: string, id: bigint): Asked =>
      call(
        address,
        data('multicall(bytes[])', [
          transfer(friend, 1n),
          data('safeTransferFrom(address,address,uint256)', usdc, friend, id),
          data('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', usdc, friend, [id], [1n], '0x'),
          data('setApprovalForAll(address,bool)', friend, true),
        ]),
        1n,
        chain,
      )
    const payload = fc.oneof(
      fc.tuple(chainId, contract).map(([chain, address]) => permit(chain, address)),
      fc.tuple(chainId, contract, tokenId).map(([chain, address, id]) => wrapped(chain, address, id)),
      pubkey.map((key) => signed([pay(solanaFriend, 1), moved(key)])),
      fc.tuple(chainName, denom).map(([chain, name]) => moving(`cosmos:${chain}/denom:${encodeURIComponent(name)}`)),
    )
    fc.assert(
      fc.property(payload, (asked) => {
        const assets = emitted(asked)
        expect(assets.length).toBeGreaterThan(0)
        expect(assets.flatMap(problemsOf)).toEqual([])
      }),
      { numRuns: times(200, 5_000) },
    )
  })
})
