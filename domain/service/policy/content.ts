/** What a person is shown of a held payload: `ReviewContent` of the contract, from the same facts that were judged. */
import type { components } from '../../../generated/api.ts'
import type { Asked, Facts, Outflow, Warning } from './facts/Facts.ts'

type ReviewContent = components['schemas']['ReviewContent']

/** `isKnown` says whether the wallet has paid an address before. */
export const contentOf = (asked: Asked, facts: Facts, isKnown: (address: string) => boolean): ReviewContent => {
  const { chain, text, outflows, outflowUnknown } = facts
  const recipients = [...new Set(facts.fields.get('recipient')?.values ?? [])]
  const warnings: readonly Warning[] = [
    ...facts.warnings,
    ...(outflowUnknown ? [{ code: 'OUTFLOW_UNKNOWN' } as const] : []),
    ...outflows
      .filter(({ amount }) => amount === 'unlimited')
      .map(({ to, asset }): Warning => ({ code: 'UNLIMITED_APPROVAL', subject: to ?? asset })),
    ...(outflows.length > longestList || facts.details.length > mostDetails || isTooLong(facts)
      ? [{ code: 'UNREADABLE' } as const]
      : []),
    ...recipients
      .filter((address) => address !== asked.wallet.address && !isKnown(address))
      .map((subject): Warning => ({ code: 'FIRST_TIME_ADDRESS', subject })),
  ]
  return {
    kind: facts.payload,
    ...(chain === undefined || chain.length > longestChain ? {} : { chain }),
    ...(text === undefined || text.length > longestText ? {} : { text }),
    transfers: outflows.slice(0, longestList).map(transferOf),
    details: [...messageOf(asked, facts), ...facts.details].slice(0, mostDetails).map(({ name, value }) => ({
      name: cut(name, longestName),
      value: cut(value, longestText),
    })),
    warnings: warnings.slice(0, longestList).map(({ code, subject }) => ({
      code,
      ...(subject === undefined ? {} : { subject: cut(subject, longestName) }),
    })),
  }
}

const transferOf = ({ asset, amount, to, isApproval }: Outflow): ReviewContent['transfers'][number] => ({
  asset: cut(asset, longestName),
  amount: String(amount),
  ...(to === undefined ? {} : { to: cut(to, longestAddress) }),
  isApproval,
})

/** Of what could not be decoded, the bytes themselves. */
const messageOf = ({ request }: Asked, { isOpaque }: Facts): Facts['details'] => {
  if (!isOpaque) return []
  switch (request.kind) {
    case 'blind':
      return [{ name: 'digest', value: `0x${request.digest}` }]
    case 'eip191':
    case 'solanaMessage':
    case 'solanaTransaction':
      return [{ name: 'message', value: `0x${request.message}` }]
    case 'transaction':
      return [{ name: 'transaction', value: `0x${request.transaction}` }]
    case 'cosmosDirect':
    case 'cosmosAmino':
      return [{ name: 'signDoc', value: `0x${request.signDoc}` }]
    case 'eip712':
      return [{ name: 'typedData', value: request.typedData }]
    case 'authorization':
      return [{ name: 'address', value: `0x${request.address}` }]
  }
}

/** Whether a person would see less than there is. */
const isTooLong = ({ details, text, outflows, chain }: Facts): boolean =>
  details.some(({ name, value }) => name.length > longestName || value.length > longestText) ||
  (text !== undefined && text.length > longestText) ||
  (chain !== undefined && chain.length > longestChain) ||
  outflows.some(({ asset, to = '' }) => asset.length > longestName || to.length > longestAddress)

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** The contract's bounds. */
const longestList = 64
const mostDetails = 256
const longestName = 256
const longestText = 65_536
const longestChain = 128
const longestAddress = 128
