/**
 * Typed data (EIP-712): its fields by their paths, and what permits of tokens let another account take. Of anything else,
 * an order of an exchange for example, only the contract knows what it moves.
 */
import { amountOf, permit2 } from './calls.ts'
import { tokenOf } from './evmAssets.ts'
import { fieldsOf, known, listed, unknown, type Decoded, type Field, type Outflow } from './Facts.ts'

type Json = string | boolean | readonly Json[] | { readonly [name: string]: Json }
type Document = {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly domain: Readonly<Record<string, string>>
  readonly message: { readonly [name: string]: Json }
}

/** `text`: the canonical text, as a digest was made of it. */
export const typedDataFacts = (text: string): Decoded => {
  const document = JSON.parse(text) as Document
  const { primaryType, domain, message } = document
  const leaves = leavesOf('message', message)
  const outflows = permitsIn(document)
  const recipients = (outflows ?? []).map(({ to }) => to)
  return {
    ...(domain['chainId'] === undefined ? {} : { chain: `eip155:${domain['chainId']}` }),
    fields: fieldsOf({
      ...Object.fromEntries(Object.entries(domain).map(([name, value]) => [`domain.${name}`, known(value)])),
      ...grouped(leaves),
      primaryType: known(primaryType),
      // Without a chain in the domain it holds on all of them.
      chainId: domain['chainId'] === undefined ? unknown : known(domain['chainId']),
      recipient: outflows === undefined ? unknown : listed(recipients),
    }),
    outflows: outflows ?? [],
    outflowUnknown: outflows === undefined,
    details: [
      { name: 'primaryType', value: primaryType },
      ...Object.entries(domain).map(([name, value]) => ({ name: `domain.${name}`, value })),
      ...leaves.map(([name, value = '[]']) => ({ name, value })),
      { name: 'types', value: formOf(document.types, primaryType) },
    ],
    warnings: [],
  }
}

/** Each value with its path; a list without items has none. */
const leavesOf = (path: string, value: Json): readonly (readonly [string, string?])[] => {
  if (typeof value === 'string' || typeof value === 'boolean') return [[path, String(value)]]
  if (!isList(value)) return Object.entries(value).flatMap(([name, one]) => leavesOf(`${path}.${name}`, one))
  return value.length === 0 ? [[path]] : value.flatMap((one, index) => leavesOf(`${path}[${index}]`, one))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** The values as a policy names them: items of a list have the path of the list with `[]`. */
const grouped = (leaves: ReturnType<typeof leavesOf>): Readonly<Record<string, Field>> => {
  const groups = new Map<string, string[]>()
  for (const [at, value] of leaves) {
    const path = at.replace(/\[\d+\]/g, '[]')
    if (value !== undefined) groups.set(path, [...(groups.get(path) ?? []), value])
  }
  return Object.fromEntries([...groups].map(([path, values]) => [path, known(...new Set(values))]))
}

/** What the permit of a known form lets another take; `undefined` for every other form. */
const permitsIn = ({ types, primaryType, domain, message }: Document): readonly Outflow[] | undefined => {
  const { chainId, verifyingContract } = domain
  if (chainId === undefined || verifyingContract === undefined) return undefined
  const chain = `eip155:${chainId}`
  const form = formOf(types, primaryType)
  const own = tokenOf(chain, verifyingContract)
  const text = (name: string): string => {
    const value = message[name]
    return typeof value === 'string' ? value : ''
  }
  const permit = (asset: string, amount: bigint | 'unlimited', to: string): Outflow => ({
    asset,
    amount,
    to,
    isApproval: true,
  })
  if (form === forms.erc2612) return [permit(own, amountOf(BigInt(text('value'))), text('spender'))]
  if (form === forms.dai) return [permit(own, message['allowed'] === true ? 'unlimited' : 0n, text('spender'))]
  if (form === forms.transferWith || form === forms.receiveWith) {
    return [{ asset: own, amount: BigInt(text('value')), to: text('to'), isApproval: false }]
  }
  if (verifyingContract !== permit2) return undefined
  const listOfPermit2 = permit2Lists.get(form)
  if (listOfPermit2 === undefined) return undefined
  const permitted = message[listOfPermit2]
  const all = permitted === undefined ? [] : isList(permitted) ? permitted : [permitted]
  return all.map((one) => {
    const { token, amount } = one as { readonly token: string; readonly amount: string }
    return permit(tokenOf(chain, token), amountOf(BigInt(amount)), text('spender'))
  })
}

/** The primary type and those it needs, as the standards write them. */
const formOf = (types: Document['types'], primaryType: string): string => {
  const write = (name: string) =>
    `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`
  const others = Object.keys(types).filter((name) => name !== 'EIP712Domain' && name !== primaryType)
  return [primaryType, ...others].map(write).join('')
}

const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permissions = 'TokenPermissions(address token,uint256 amount)'
const authorization = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'

const forms = {
  /** ERC-2612. */
  erc2612: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  /** Of DAI, which is older than the standard. */
  dai: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
  /** ERC-3009. */
  transferWith: `TransferWithAuthorization(${authorization})`,
  receiveWith: `ReceiveWithAuthorization(${authorization})`,
}

/** Forms of Permit2, and which field has the tokens. */
const permit2Lists: ReadonlyMap<string, string> = new Map([
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`, 'details'],
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`, 'details'],
  [
    `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`,
    'permitted',
  ],
  [
    `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`,
    'permitted',
  ],
])
