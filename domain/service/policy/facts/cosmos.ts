/**
 * Transactions of Cosmos, in both forms of their documents. A message of a type that is not known, or that has a field
 * more than is known, may do anything. Messages that are executed for another account (authz) are opened.
 */
import { base64 } from '@scure/base'
import * as Schema from 'effect/Schema'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import {
  canonical,
  plainMessage,
  readAmino,
  readDirect,
  readPlainMessage,
  type Codec,
} from '../../protocol/cosmosDocument.ts'
import { fieldsOf, known, listed, type Decoded, type Outflow } from './Facts.ts'
import { messageFacts } from './messages.ts'

type Coin = { readonly denom: string; readonly amount: string }

/** What one message moves: coins to an address. */
type Moved = { readonly to: string | undefined; readonly coins: readonly Coin[] }

/** A message and what it moves; `undefined` if that cannot be known. */
type Effect = { readonly type: string | undefined; readonly name: string; readonly moved: readonly Moved[] | undefined }

/** `undefined` if it is no direct document. */
export const directFacts = (bytes: Uint8Array): Decoded | undefined => {
  const document = readDirect(bytes)
  if (document === undefined) return undefined
  const { chainId, body, authInfo, fee } = document
  const effects = body.messages.flatMap((message) => directEffects(message.typeUrl, message.value, 0))
  const options = [...body.extensionOptions, ...body.nonCriticalExtensionOptions]
  // Beside the signers and the fee an old form of a tip, which is paid to another account.
  const hasMore = Object.entries(authInfo).some(
    ([name, value]) => value !== undefined && name !== 'signerInfos' && name !== 'fee',
  )
  const isExtended = options.length > 0 || hasMore
  return factsOf({ chainId, effects, fee, memo: body.memo, isExtended })
}

/** A document of plain messages alone (ADR-036) moves nothing. `decoded` is `undefined` if it is no amino document. */
export const aminoFacts = (
  bytes: Uint8Array,
): { readonly isMessage: boolean; readonly decoded: Decoded | undefined } => {
  const document = readAmino(bytes)
  if (document === undefined) return { isMessage: false, decoded: undefined }
  const { chain_id: chainId, msgs, fee, memo } = document
  const [first, ...others] = msgs
  if (first.type === plainMessage && others.length === 0 && chainId === '') {
    const data = decodedOr(() => base64.decode(readPlainMessage(first.value).data))
    return { isMessage: true, decoded: data && messageFacts(data) }
  }
  const effects = msgs.flatMap(({ type, value }) => aminoEffects(type, value, 0))
  const decoded = factsOf({ chainId, effects, fee: { payer: '', granter: '', ...fee }, memo, isExtended: false })
  return { isMessage: false, decoded }
}

type Parts = {
  readonly chainId: string
  readonly effects: readonly Effect[]
  /** `payer` and `granter` are empty where it names none. */
  readonly fee: { readonly amount: readonly Coin[]; readonly payer: string; readonly granter: string }
  readonly memo: string
  /** There is more in the document than its messages. */
  readonly isExtended: boolean
}

/** `undefined` if the chain's name is none. */
const factsOf = ({ chainId, effects, fee, memo, isExtended }: Parts): Decoded | undefined => {
  if (!isName.test(chainId)) return undefined
  const chain = `cosmos:${chainId}`
  const flowsOf = ({ to, coins }: Moved): readonly (Outflow | undefined)[] =>
    coins.map(({ denom, amount }) =>
      isAmount.test(amount) && isName.test(denom)
        ? { asset: assetOf(chain, denom), amount: BigInt(amount), to, isApproval: false }
        : undefined,
    )
  const moved = effects.flatMap((effect) => effect.moved ?? []).map(({ to, coins }) => ({ to: to && plain(to), coins }))
  const flows = [...moved, { to: undefined, coins: fee.amount }].flatMap(flowsOf)
  const isUnknown = isExtended || effects.some((effect) => effect.moved === undefined) || flows.includes(undefined)
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
      recipient: isUnknown ? withUnknown(recipients) : listed(recipients),
      // Who grants a fee pays it, in the place of its payer.
      feePayer: known(...[fee.payer, fee.granter].filter((account) => account !== '')),
    }),
    outflows: flows.filter((flow) => flow !== undefined),
    outflowUnknown: isUnknown,
    details: [
      ...effects.map(({ name }, index) => ({ name: `msgs[${index}]`, value: name })),
      ...fee.amount.map(({ denom, amount }) => ({ name: 'fee', value: `${amount} ${denom}` })),
      ...(memo === '' ? [] : [{ name: 'memo', value: memo }]),
      ...(fee.payer === '' ? [] : [{ name: 'feePayer', value: fee.payer }]),
      ...(fee.granter === '' ? [] : [{ name: 'feeGranter', value: fee.granter }]),
    ],
    warnings: effects.flatMap(({ name, moved: flow }) =>
      flow === undefined ? [{ code: 'UNKNOWN_CALL', subject: name }] : [],
    ),
  }
}

/** Chains also take an address that is written in capitals (BIP 173). */
const plain = (address: string): string => (address === address.toUpperCase() ? address.toLowerCase() : address)

const recipientOf = ({ to }: Moved): string | undefined =>
  to === undefined || !isName.test(to) ? undefined : plain(to)

/**
 * What can name a chain, a coin or an account: chains take no longer names (CometBFT 50, the SDK's coins 128), and of
 * bech32 no other signs. Of anything else nothing is known, and it is not kept among what was paid.
 */
const isName = /^[!-~]{1,256}$/

const isAmount = /^(?:0|[1-9][0-9]{0,77})$/

/** CAIP-19 with the coin's name, in which all but letters, digits, dashes and dots is percent-encoded. */
const assetOf = (chain: string, denom: string): string =>
  `${chain}/denom:${encodeURIComponent(denom).replace(/[!'()*_~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`

/** A type by which a direct and an amino document say the same; what it moves, from either form. */
type Known = {
  readonly url: string
  readonly amino: string
  readonly direct: (value: Uint8Array) => readonly Moved[] | undefined
  readonly json: (value: unknown) => readonly Moved[] | undefined
}

const direct =
  <A>(codec: Codec<A>, moved: (message: A) => readonly Moved[] | undefined) =>
  (value: Uint8Array): readonly Moved[] | undefined => {
    const message = canonical(codec, value)
    return message === undefined ? undefined : moved(message)
  }

const json = <A>(schema: Schema.Codec<A>, moved: (message: A) => readonly Moved[] | undefined) => {
  const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: 'error' })
  return (value: unknown): readonly Moved[] | undefined => {
    const message = decodedOr(() => decode(value))
    return message === undefined ? undefined : moved(message)
  }
}

const decodedOr = <A>(decode: () => A): A | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}

const nothing = (): readonly Moved[] => []
const text = Schema.String
const coin = Schema.Struct({ denom: text, amount: text })
const coins = Schema.Array(coin)
const account = Schema.Struct({ address: text, coins })
const delegation = Schema.Struct({ delegator_address: text, validator_address: text, amount: coin })
const height = Schema.Struct({ revision_number: Schema.optionalKey(text), revision_height: Schema.optionalKey(text) })

const knownTypes: readonly Known[] = [
  {
    url: MsgSend.typeUrl,
    amino: 'cosmos-sdk/MsgSend',
    direct: direct(MsgSend, ({ toAddress, amount }) => [{ to: toAddress, coins: amount }]),
    json: json(Schema.Struct({ from_address: text, to_address: text, amount: coins }), (message) => [
      { to: message.to_address, coins: message.amount },
    ]),
  },
  {
    url: MsgMultiSend.typeUrl,
    amino: 'cosmos-sdk/MsgMultiSend',
    direct: direct(MsgMultiSend, ({ outputs }) =>
      outputs.map((output) => ({ to: output.address, coins: output.coins })),
    ),
    json: json(Schema.Struct({ inputs: Schema.Array(account), outputs: Schema.Array(account) }), ({ outputs }) =>
      outputs.map((output) => ({ to: output.address, coins: output.coins })),
    ),
  },
  {
    url: MsgTransfer.typeUrl,
    amino: 'cosmos-sdk/MsgTransfer',
    // The chain that receives it may be told by the memo to send it on.
    direct: direct(MsgTransfer, ({ receiver, token, memo }) => [
      { to: receiver, coins: [token] },
      ...(memo === '' ? [] : [{ to: undefined, coins: [] }]),
    ]),
    json: json(
      Schema.Struct({
        source_port: text,
        source_channel: text,
        token: coin,
        sender: text,
        receiver: text,
        timeout_height: height,
        timeout_timestamp: Schema.optionalKey(text),
        memo: Schema.optionalKey(text),
      }),
      ({ receiver, token, memo = '' }) => [
        { to: receiver, coins: [token] },
        ...(memo === '' ? [] : [{ to: undefined, coins: [] }]),
      ],
    ),
  },
  {
    url: MsgDelegate.typeUrl,
    amino: 'cosmos-sdk/MsgDelegate',
    direct: direct(MsgDelegate, ({ validatorAddress, amount }) => [{ to: validatorAddress, coins: [amount] }]),
    json: json(delegation, (message) => [{ to: message.validator_address, coins: [message.amount] }]),
  },
  {
    url: MsgUndelegate.typeUrl,
    amino: 'cosmos-sdk/MsgUndelegate',
    direct: direct(MsgUndelegate, nothing),
    json: json(delegation, nothing),
  },
  {
    url: MsgBeginRedelegate.typeUrl,
    amino: 'cosmos-sdk/MsgBeginRedelegate',
    direct: direct(MsgBeginRedelegate, nothing),
    json: json(
      Schema.Struct({
        delegator_address: text,
        validator_src_address: text,
        validator_dst_address: text,
        amount: coin,
      }),
      nothing,
    ),
  },
  {
    url: MsgWithdrawDelegatorReward.typeUrl,
    amino: 'cosmos-sdk/MsgWithdrawDelegationReward',
    direct: direct(MsgWithdrawDelegatorReward, nothing),
    json: json(Schema.Struct({ delegator_address: text, validator_address: text }), nothing),
  },
  {
    url: MsgVote.typeUrl,
    amino: 'cosmos-sdk/MsgVote',
    direct: direct(MsgVote, nothing),
    json: json(Schema.Struct({ proposal_id: text, voter: text, option: Schema.Number }), nothing),
  },
]
const byUrl = new Map(knownTypes.map((one) => [one.url, one]))
const byAmino = new Map(knownTypes.map((one) => [one.amino, one]))

const maximumDepth = 4

const directEffects = (typeUrl: string, value: Uint8Array, depth: number): readonly Effect[] => {
  if (typeUrl !== MsgExec.typeUrl) {
    return [{ type: typeUrl, name: typeUrl, moved: byUrl.get(typeUrl)?.direct(value) }]
  }
  const exec = canonical(MsgExec, value)
  if (exec === undefined || exec.msgs.length === 0 || depth === maximumDepth) return [closed(typeUrl)]
  return [opened, ...exec.msgs.flatMap((one) => directEffects(one.typeUrl, one.value, depth + 1))]
}

const aminoExec = 'cosmos-sdk/MsgExec'
const readExec = Schema.decodeUnknownSync(
  Schema.Struct({ grantee: text, msgs: Schema.NonEmptyArray(Schema.Struct({ type: text, value: Schema.Unknown })) }),
  { onExcessProperty: 'error' },
)

const aminoEffects = (type: string, value: unknown, depth: number): readonly Effect[] => {
  if (type !== aminoExec) {
    const one = byAmino.get(type)
    return [{ type: one?.url, name: one?.url ?? type, moved: one?.json(value) }]
  }
  const exec = decodedOr(() => readExec(value))
  if (exec === undefined || depth === maximumDepth) return [closed(MsgExec.typeUrl)]
  return [opened, ...exec.msgs.flatMap((one) => aminoEffects(one.type, one.value, depth + 1))]
}

const opened: Effect = { type: MsgExec.typeUrl, name: MsgExec.typeUrl, moved: [] }

/** Messages inside of which nothing is known, not even their types. */
const closed = (name: string): Effect => ({ type: undefined, name, moved: undefined })
