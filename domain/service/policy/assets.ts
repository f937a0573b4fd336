/** The assets that a limit may name: those that facts of payloads name, because nothing counts as any other. */
import { isEvm, isSolana } from '../../model/Address.ts'
import { assetOf as cosmosAsset } from './facts/cosmos.ts'
import { isName } from './facts/cosmosDetails.ts'
import { coinOf, tokenOf } from './facts/evmAssets.ts'
import { coin as solanaCoin, tokenOf as solanaToken } from './facts/solana.ts'
import { wholeNumber } from './facts/Facts.ts'
import { checksumMend, plain } from './fields.ts'

/** What is wrong with the asset of a limit, as the end of a sentence; `undefined` if payloads move it under this name. */
export const problemOfAsset = (asset: string): string | undefined => {
  const counted = countedAs(asset)
  if (counted === undefined) {
    const isOfOtherCase = countedAs(plain(asset)) !== undefined
    return isOfOtherCase ? checksumMend : 'is neither count nor a CAIP-19 identifier of what payloads move'
  }
  return counted === plain(asset) ? undefined : `nothing counts under this name, but as ${counted}`
}

/** The name in facts of what the asset means; `undefined` where it means nothing that they name. */
const countedAs = (asset: string): string | undefined => {
  const [, namespace, reference = '', standard = '', id = ''] =
    /^(eip155|solana|cosmos):([-\w.]{1,256})\/([a-z0-9]+):(.+)$/.exec(asset) ?? []
  switch (namespace) {
    case 'eip155':
      return evmCountedAs(reference, standard, id)
    case 'solana':
      // A message does not say on which cluster it is meant.
      if (standard === 'slip44') return id === '501' ? solanaCoin : undefined
      return standard === 'token' && isSolana(id) ? solanaToken(id) : undefined
    case 'cosmos': {
      const denom = standard === 'denom' ? decoded(id) : coinsOfCosmos.get(`${reference}/${standard}:${id}`)
      return denom !== undefined && isName.test(denom) ? cosmosAsset(`cosmos:${reference}`, denom) : undefined
    }
    default:
      return undefined
  }
}

const coinsOfCosmos: ReadonlyMap<string, string> = new Map([['cosmoshub-4/slip44:118', 'uatom']])

const evmCountedAs = (reference: string, standard: string, id: string): string | undefined => {
  const isNumber = /^(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$/.test(reference) && BigInt(reference) > 0n
  const [contract = '', token, ...more] = id.toLowerCase().split('/')
  if (!isNumber || more.length > 0) return undefined
  const chain = `eip155:${BigInt(reference)}`
  if (standard === 'slip44') return /^[0-9]+$/.test(id) ? coinOf(chain) : undefined
  if (!isEvm(id.slice(0, contract.length)) || (token !== undefined && !isTokenId(token))) return undefined
  switch (standard) {
    case 'erc20':
      return token === undefined ? tokenOf(chain, contract) : undefined
    case 'erc721':
      return `${chain}/erc721:${token === undefined ? contract : `${contract}/${token}`}`
    case 'erc1155':
      return token === undefined ? undefined : `${chain}/erc1155:${contract}/${token}`
    default:
      return undefined
  }
}

const isTokenId = (id: string): boolean => wholeNumber.test(id) && BigInt(id) < 2n ** 256n

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
