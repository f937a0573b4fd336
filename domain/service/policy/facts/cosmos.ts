/** Transactions of Cosmos, in both forms of their documents: the chain, the fee, and what their messages move. */
import { base64 } from '@scure/base'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { plainMessage, readAmino, readDirect, readPlainMessage } from '../../protocol/cosmosDocument.ts'
import { coinText, detailsOf, isName, named, type Coin } from './cosmosDetails.ts'
import { aminoEffects, decodedOr, directEffects, type Effect, type Moved } from './cosmosMessages.ts'
import { fieldsOf, known, listed, wholeNumber, type Decoded, type Outflow, type Warning } from './Facts.ts'
import { messageFacts } from './messages.ts'

/** `undefined` if it is no direct document. */
export const directFacts = (bytes: Uint8Array): Decoded | undefined => {
  const document = readDirect(bytes)
  if (document === undefined) return undefined
  const { chainId, accountNumber, body, authInfo, fee } = document
  const { messages, memo, ...others } = body
  const { signerInfos, fee: _, ...more } = authInfo
  const effects = messages.flatMap(({ typeUrl, value }, index) => directEffects(typeUrl, value, `msgs[${index}]`))
  const options = [...body.extensionOptions, ...body.nonCriticalExtensionOptions]
  // An old form of a tip, which is paid to another account.
  const hasMore = Object.values<unknown>(more).some((value) => value !== undefined)
  const isExtended = options.length > 0 || hasMore
  const [signer] = signerInfos
  // The key of the one signer is the wallet's: the co-signer refuses any other.
  const isUsual = signerInfos.length === 1 && signer?.modeInfo?.single?.mode === SignMode.SIGN_MODE_DIRECT
  const signers = isUsual ? { sequence: signer.sequence } : { signerInfos }
  const rest = named({ gas: fee.gasLimit, accountNumber, ...signers, ...others, ...more })
  return factsOf({ chainId, effects, fee, memo, isExtended, rest })
}

/** A document of plain messages alone (ADR-036) moves nothing. `decoded` is `undefined` if it is no amino document. */
export const aminoFacts = (
  bytes: Uint8Array,
): { readonly isMessage: boolean; readonly decoded: Decoded | undefined } => {
  const document = readAmino(bytes)
  if (document === undefined) return { isMessage: false, decoded: undefined }
  const { chain_id: chainId, msgs, fee, memo, ...others } = document
  const { gas, ...paid } = fee
  const [first, ...further] = msgs
  const parts = { chainId, fee: { payer: '', granter: '', ...paid }, memo, isExtended: false, rest: { gas, ...others } }
  if (first.type === plainMessage && further.length === 0 && chainId === '') {
    return { isMessage: true, decoded: decodedOr(() => plainFacts(first.value, parts)) }
  }
  const effects = msgs.flatMap(({ type, value }, index) => aminoEffects(type, value, `msgs[${index}]`))
  return { isMessage: false, decoded: factsOf({ ...parts, effects }) }
}

/** Of the document around the message what is not as ADR-036 has it: no fee, and zeros. */
const plainFacts = (value: unknown, parts: Omit<Parts, 'effects'>): Decoded => {
  const facts = messageFacts(base64.decode(readPlainMessage(value).data))
  const around = [...detailsOf('', value), ...documentDetails(parts)].filter(
    ({ name, value: shown }) =>
      name !== 'data' && !(shown === '0' && ['gas', 'account_number', 'sequence'].includes(name)),
  )
  return { ...facts, details: [...facts.details, ...around] }
}

type Parts = {
  readonly chainId: string
  readonly effects: readonly Effect[]
  /** `payer` and `granter` are empty where it names none. */
  readonly fee: { readonly amount: readonly Coin[]; readonly payer: string; readonly granter: string }
  readonly memo: string
  /** There is more in the document than its messages. */
  readonly isExtended: boolean
  /** What a person is shown of the document besides. */
  readonly rest: unknown
}

/** `undefined` if the chain's name is none. */
const factsOf = ({ chainId, effects, fee, memo, isExtended, rest }: Parts): Decoded | undefined => {
  if (!isName.test(chainId)) return undefined
  const chain = `cosmos:${chainId}`
  const flowsOf = ({ to, coins }: Moved): readonly (Outflow | undefined)[] =>
    coins.map(({ denom, amount }) =>
      wholeNumber.test(amount) && isName.test(denom)
        ? { asset: assetOf(chain, denom), amount: BigInt(amount), to, isApproval: false }
        : undefined,
    )
  const moved = effects.flatMap((effect) => effect.moved ?? []).map(({ to, coins }) => ({ to: to && plain(to), coins }))
  const flows = [...moved, { to: undefined, coins: fee.amount }].flatMap(flowsOf)
  const isUnknown = isExtended || effects.some((effect) => effect.moved === undefined) || flows.includes(undefined)
  const channels = effects.flatMap((effect) => effect.moved ?? []).flatMap(({ via }) => via ?? [])
  // Anyone can open a channel to a chain of their own, which does not give the coins to the account that is named.
  const throughChannels = channels.length > 0 ? [undefined] : []
  const recipients = effects.flatMap((effect) => effect.moved?.map(recipientOf) ?? [undefined])
  const denoms = moved.flatMap(({ coins }) => coins.map(({ denom }) => denom))
  const withUnknown = (values: readonly (string | undefined)[]) => listed(isUnknown ? [...values, undefined] : values)
  return {
    chain,
    fields: fieldsOf({
      chainId: known(chainId),
      msgTypes: {
        values: [...new Set(effects.map(({ type, name }) => type ?? name))],
        isUnknown: isExtended || effects.some(({ type }) => type === undefined),
      },
      denom: withUnknown(denoms),
      recipient: withUnknown([...recipients, ...throughChannels]),
      channel: withUnknown(channels.map((via) => (isName.test(via) ? `${chainId}/${via}` : undefined))),
      // Who grants a fee pays it, in the place of its payer.
      feePayer: known(...[fee.payer, fee.granter].filter((account) => account !== '')),
    }),
    ...(channels.length > 0 ? { recipientByChannel: withUnknown(recipients) } : {}),
    outflows: flows.filter((flow) => flow !== undefined),
    outflowUnknown: isUnknown,
    details: [...effects.flatMap(({ details }) => details), ...documentDetails({ fee, memo, rest })],
    warnings: [
      ...effects.flatMap(({ name, moved: flow }): readonly Warning[] =>
        flow === undefined ? [{ code: 'UNKNOWN_CALL', subject: name }] : [],
      ),
      ...[...new Set(channels)].map((subject): Warning => ({ code: 'OTHER_CHAIN', subject })),
    ],
  }
}

const documentDetails = ({ fee, memo, rest }: Pick<Parts, 'fee' | 'memo' | 'rest'>): Decoded['details'] => [
  ...fee.amount.map((coin) => ({ name: 'fee', value: coinText(coin) })),
  ...(memo === '' ? [] : [{ name: 'memo', value: memo }]),
  ...(fee.payer === '' ? [] : [{ name: 'feePayer', value: fee.payer }]),
  ...(fee.granter === '' ? [] : [{ name: 'feeGranter', value: fee.granter }]),
  ...detailsOf('', rest),
]

/** Chains also take an address that is written in capitals (BIP 173). */
const plain = (address: string): string => (address === address.toUpperCase() ? address.toLowerCase() : address)

const recipientOf = ({ to }: Moved): string | undefined =>
  to === undefined || !isName.test(to) ? undefined : plain(to)

/** CAIP-19 with the coin's name, in which all but letters, digits, dashes and dots is percent-encoded. */
export const assetOf = (chain: string, denom: string): string =>
  `${chain}/denom:${encodeURIComponent(denom).replace(/[!'()*_~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
