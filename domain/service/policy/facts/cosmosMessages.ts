/**
 * Messages of Cosmos that are understood, in both forms of their documents. A message of a type that is not known, or that
 * has a field more than is known, may do anything, and is shown as it stands. Messages that are executed for another account
 * (authz) are opened.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Schema from 'effect/Schema'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { canonical, type Codec } from '../../protocol/cosmosDocument.ts'
import { detailsOf, named, type Coin, type Details } from './cosmosDetails.ts'

/** What one message moves: coins to an account, which is `undefined` where it cannot be known. */
export type Moved = {
  readonly to: string | undefined
  readonly coins: readonly Coin[]
  /** The port and the channel to the chain of the account, as `transfer/channel-141`. */
  readonly via?: string
}

/** A message and what it moves; `undefined` if that cannot be known. */
export type Effect = {
  readonly type: string | undefined
  readonly name: string
  readonly moved: readonly Moved[] | undefined
  readonly details: Details
}

/** A type by which a direct and an amino document say the same. */
type Known = {
  readonly url: string
  readonly amino: string
  /** The fields of a direct document's message as an amino document has them. */
  readonly fieldsOf: (value: Uint8Array) => unknown
  /** What the message moves and what is shown of it; `undefined` if it is not exactly such a message. */
  readonly read: (fields: unknown) => { readonly moved: readonly Moved[]; readonly shown: object } | undefined
}

const known = <A, B extends object>(
  codec: Codec<A> & { readonly typeUrl: string },
  amino: string,
  schema: Schema.Codec<B>,
  moved: (message: B) => readonly Moved[],
  shown: (message: B) => object = (message) => message,
): Known => {
  const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: 'error' })
  return {
    url: codec.typeUrl,
    amino,
    fieldsOf: (value) => named(canonical(codec, value)),
    read: (fields) => {
      const message = decodedOr(() => decode(fields))
      return message && { moved: moved(message), shown: shown(message) }
    },
  }
}

export const decodedOr = <A>(decode: () => A): A | undefined => {
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
  known(
    MsgSend,
    'cosmos-sdk/MsgSend',
    Schema.Struct({ from_address: text, to_address: text, amount: coins }),
    ({ to_address, amount }) => [{ to: to_address, coins: amount }],
  ),
  known(
    MsgMultiSend,
    'cosmos-sdk/MsgMultiSend',
    Schema.Struct({ inputs: Schema.Array(account), outputs: Schema.Array(account) }),
    ({ outputs }) => outputs.map((output) => ({ to: output.address, coins: output.coins })),
  ),
  known(
    MsgTransfer,
    'cosmos-sdk/MsgTransfer',
    Schema.Struct({
      source_port: text,
      source_channel: text,
      token: coin,
      sender: text,
      receiver: text,
      timeout_height: height,
      timeout_timestamp: Schema.optionalKey(text),
      memo: Schema.optionalKey(text),
      encoding: Schema.optionalKey(text),
    }),
    ({ source_port, source_channel, receiver, token, memo = '' }) => [
      { to: receiver, coins: [token], via: `${source_port}/${source_channel}` },
      // The chain that receives it may be told by the memo to send it on.
      ...(memo === '' ? [] : [{ to: undefined, coins: [] }]),
    ],
  ),
  known(MsgDelegate, 'cosmos-sdk/MsgDelegate', delegation, ({ validator_address, amount }) => [
    { to: validator_address, coins: [amount] },
  ]),
  known(MsgUndelegate, 'cosmos-sdk/MsgUndelegate', delegation, nothing),
  known(
    MsgBeginRedelegate,
    'cosmos-sdk/MsgBeginRedelegate',
    Schema.Struct({
      delegator_address: text,
      validator_src_address: text,
      validator_dst_address: text,
      amount: coin,
    }),
    // The coins left the wallet when they were delegated.
    ({ validator_dst_address }) => [{ to: validator_dst_address, coins: [] }],
  ),
  known(
    MsgWithdrawDelegatorReward,
    'cosmos-sdk/MsgWithdrawDelegationReward',
    Schema.Struct({ delegator_address: text, validator_address: text }),
    nothing,
  ),
  known(
    MsgVote,
    'cosmos-sdk/MsgVote',
    Schema.Struct({ proposal_id: text, voter: text, option: Schema.Number }),
    nothing,
    (vote) => ({ ...vote, option: VoteOption[vote.option] ?? vote.option }),
  ),
]
const byUrl = new Map(knownTypes.map((one) => [one.url, one]))
const byAmino = new Map(knownTypes.map((one) => [one.amino, one]))

const maximumDepth = 4

/** `path` is where the message is in the document, as `msgs[0]`. */
export const directEffects = (typeUrl: string, value: Uint8Array, path: string, depth = 0): readonly Effect[] => {
  const raw = `0x${bytesToHex(value)}`
  if (typeUrl !== MsgExec.typeUrl) {
    const one = byUrl.get(typeUrl)
    return [effectOf(typeUrl, typeUrl, path, one?.read(one.fieldsOf(value)), raw)]
  }
  const exec = canonical(MsgExec, value)
  if (exec === undefined || exec.msgs.length === 0 || depth === maximumDepth) return [closed(path, raw)]
  const inner = exec.msgs.flatMap((one, index) =>
    directEffects(one.typeUrl, one.value, `${path}.msgs[${index}]`, depth + 1),
  )
  return [opened(path, exec.grantee), ...inner]
}

const aminoExec = 'cosmos-sdk/MsgExec'
const readExec = Schema.decodeUnknownSync(
  Schema.Struct({ grantee: text, msgs: Schema.NonEmptyArray(Schema.Struct({ type: text, value: Schema.Unknown })) }),
  { onExcessProperty: 'error' },
)

export const aminoEffects = (type: string, value: unknown, path: string, depth = 0): readonly Effect[] => {
  const raw = JSON.stringify(value)
  if (type !== aminoExec) {
    const one = byAmino.get(type)
    return [effectOf(one?.url, one?.url ?? type, path, one?.read(value), raw)]
  }
  const exec = decodedOr(() => readExec(value))
  if (exec === undefined || depth === maximumDepth) return [closed(path, raw)]
  const inner = exec.msgs.flatMap((one, index) =>
    aminoEffects(one.type, one.value, `${path}.msgs[${index}]`, depth + 1),
  )
  return [opened(path, exec.grantee), ...inner]
}

/** `raw`: the message as it stands, for one that is not read. */
const effectOf = (
  type: string | undefined,
  name: string,
  path: string,
  read: ReturnType<Known['read']>,
  raw: string,
): Effect => ({
  type,
  name,
  moved: read?.moved,
  details: [
    { name: path, value: name },
    ...(read === undefined ? [{ name: `${path}.value`, value: raw }] : detailsOf(path, read.shown)),
  ],
})

const opened = (path: string, grantee: string): Effect =>
  effectOf(MsgExec.typeUrl, MsgExec.typeUrl, path, { moved: [], shown: { grantee } }, '')

/** Messages inside of which nothing is known, not even their types. */
const closed = (path: string, raw: string): Effect => effectOf(undefined, MsgExec.typeUrl, path, undefined, raw)
