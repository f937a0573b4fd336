/**
 * A file of cases: payloads in the words of a policy's author, and what the policy has to say about each
 * (domain/service/policy/README.md#cases). They are judged by the same functions as signatures.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { encodeFunctionData, parseAbiItem, serializeTransaction } from 'viem'
import { aminoBytes } from '../../model/CosmosMessage.ts'
import type { WalletType } from '../../model/WalletTypes.ts'
import * as TypedData from '../../mpc/TypedData.ts'
import type { SigningRequest } from '../../mpc/SigningRequest.ts'
import { factsOf } from './facts.ts'
import { wholeNumber, type Asked, type Facts } from './facts/Facts.ts'
import { durationOf } from './fields.ts'
import { judge, matches, spendOf, type Judgement, type LimitQuery } from './judge.ts'
import { issuesIn, PolicyRefused, type Policy } from './Policy.ts'

const text = Schema.String
const decimal = Schema.String.check(Schema.isPattern(wholeNumber, { message: 'has to be decimal text' }))
const evmAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/, { message: 'has to be an address' }))
const data = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})*$/, { message: 'has to be hex with 0x' }))
const age = Schema.String.check(
  Schema.makeFilter((value) => (durationOf(value) === undefined ? 'has to be a time such as 24h' : undefined)),
)

const payload = {
  /** A transaction; instead of `data` the method with its arguments. */
  evm: Schema.optionalKey(
    Schema.Struct({
      chainId: decimal,
      to: Schema.optionalKey(evmAddress),
      value: Schema.optionalKey(decimal),
      data: Schema.optionalKey(data),
      method: Schema.optionalKey(text),
      args: Schema.optionalKey(Schema.Array(Schema.Unknown)),
      gas: Schema.optionalKey(decimal),
      maxFeePerGas: Schema.optionalKey(decimal),
    }),
  ),
  /** As eth_signTypedData_v4 has it. */
  typedData: Schema.optionalKey(Schema.Unknown),
  authorization: Schema.optionalKey(Schema.Struct({ chainId: decimal, address: evmAddress })),
  /** A personal message of Ethereum. */
  message: Schema.optionalKey(text),
  /** The message of a transaction, base64. */
  solana: Schema.optionalKey(text),
  solanaMessage: Schema.optionalKey(text),
  /** An amino document. */
  cosmos: Schema.optionalKey(Schema.Unknown),
  /** A direct document, base64. */
  cosmosDirect: Schema.optionalKey(text),
  /** A bare digest, hex of 32 bytes. */
  blind: Schema.optionalKey(text),
  wallet: Schema.optionalKey(text),
  origin: Schema.optionalKey(text),
  walletAge: Schema.optionalKey(age),
  deviceAge: Schema.optionalKey(age),
  optedIn: Schema.optionalKey(Schema.Boolean),
}
type Payload = Schema.Struct<typeof payload>['Type']

const Case = Schema.Struct({
  name: text,
  ...payload,
  /** What was signed before, each over a digest of its own; `ago` is a time such as 2h. */
  after: Schema.optionalKey(Schema.Array(Schema.Struct({ ...payload, ago: age }))),
  expect: Schema.Literals(['allow', 'deny', 'review']),
  rule: Schema.optionalKey(text),
})

const Cases = Schema.Struct({ tandem: Schema.Literal('policy-cases/1'), cases: Schema.NonEmptyArray(Case) })
export type Cases = typeof Cases.Type

const decode = Schema.decodeUnknownResult(Cases, { errors: 'all', onExcessProperty: 'error' })

/** Reads parsed JSON; problems name the place, as those of a policy do. */
export const readCases = (json: unknown): Result.Result<Cases, PolicyRefused> =>
  Result.mapError(decode(json), ({ issue }) => new PolicyRefused({ problems: issuesIn(issue) }))

export type Report = {
  readonly results: readonly {
    readonly name: string
    readonly isOk: boolean
    readonly expected: string
    readonly judgement: Judgement
  }[]
  /** Rules that match no case. */
  readonly unreached: readonly string[]
}

/** Fails where a payload is none: a case that cannot be signed would say nothing about the policy. */
export const runCases = (policy: Policy, { cases }: Cases): Result.Result<Report, PolicyRefused> =>
  Result.gen(function* () {
    const results: Report['results'][number][] = []
    const reached = new Set<string>()
    for (const [index, one] of cases.entries()) {
      const { name, after = [], expect, rule } = one
      const facts = yield* factsIn(one, `cases[${index}]`)
      const earlier: { readonly facts: Facts; readonly agoMs: number }[] = []
      for (const [at, before] of after.entries()) {
        const agoMs = durationOf(before.ago) ?? 0
        earlier.push({ facts: yield* factsIn(before, `cases[${index}].after[${at}]`), agoMs })
      }
      const spent = ({ asset, windowMs }: LimitQuery) =>
        earlier
          .filter(({ agoMs }) => agoMs < windowMs)
          .flatMap((before) => spendOf(before.facts))
          .filter((spend) => spend.asset === asset)
          .reduce((sum, { amount }) => sum + amount, 0n)
      const judgement = judge(policy, facts, spent)
      for (const { id } of policy.rules.filter((each) => matches(policy, each, facts))) reached.add(id)
      const isOk = judgement.effect === expect && (rule === undefined || judgement.rules.includes(rule))
      const expected = rule === undefined ? expect : `${expect} by ${rule}`
      results.push({ name, isOk, expected, judgement })
    }
    return { results, unreached: policy.rules.map(({ id }) => id).filter((id) => !reached.has(id)) }
  })

const factsIn = (given: Payload, location: string): Result.Result<Facts, PolicyRefused> => {
  const refused = (problem: string) => Result.fail(new PolicyRefused({ problems: [`${location}: ${problem}`] }))
  const named = payloadNames.filter((name) => given[name] !== undefined)
  if (named.length !== 1) return refused(`has to have one of ${payloadNames.join(', ')}`)
  const request = attempt(() => requestOf(given))
  if (request === undefined) return refused(`${named[0] ?? ''} cannot be read`)
  const facts = factsOf(askedOf(given, request))
  return facts.isOpaque && !['blind', 'evm.messageHash'].includes(facts.payload)
    ? refused(`${named[0] ?? ''} is nothing that can be signed`)
    : Result.succeed(facts)
}

const payloadNames = [
  'evm',
  'typedData',
  'authorization',
  'message',
  'solana',
  'solanaMessage',
  'cosmos',
  'cosmosDirect',
  'blind',
] as const

const askedOf = (given: Payload, request: SigningRequest): Asked => {
  const type: WalletType = request.kind.startsWith('solana')
    ? 'SOLANA'
    : request.kind.startsWith('cosmos')
      ? 'COSMOS'
      : 'EVM'
  return {
    request,
    scheme: type === 'SOLANA' ? 'ED25519' : 'DKLS',
    wallet: { type, address: given.wallet ?? '', ageMs: durationOf(given.walletAge ?? usualAge) ?? 0 },
    deviceAgeMs: durationOf(given.deviceAge ?? usualAge) ?? null,
    origin: given.origin ?? null,
    optedIn: given.optedIn ?? false,
  }
}

const usualAge = '365d'

const requestOf = (given: Payload): SigningRequest | undefined => {
  const { evm, typedData, authorization, message, solana, solanaMessage, cosmos, cosmosDirect, blind } = given
  if (evm !== undefined) return transactionOf(evm)
  if (message !== undefined) return { kind: 'eip191', message: bytesToHex(utf8ToBytes(message)) }
  if (solanaMessage !== undefined) return { kind: 'solanaMessage', message: bytesToHex(utf8ToBytes(solanaMessage)) }
  if (solana !== undefined) return { kind: 'solanaTransaction', message: bytesToHex(base64.decode(solana)) }
  if (cosmosDirect !== undefined) return { kind: 'cosmosDirect', signDoc: bytesToHex(base64.decode(cosmosDirect)) }
  if (cosmos !== undefined) return { kind: 'cosmosAmino', signDoc: bytesToHex(aminoBytes(cosmos)) }
  if (blind !== undefined) return { kind: 'blind', digest: blind }
  if (authorization !== undefined) {
    const { chainId, address } = authorization
    return { kind: 'authorization', chainId, address: address.slice(2).toLowerCase(), nonce: '0' }
  }
  const canonical = TypedData.read(typedData)?.text
  return canonical === undefined ? undefined : { kind: 'eip712', typedData: canonical }
}

const transactionOf = (evm: NonNullable<Payload['evm']>): SigningRequest | undefined => {
  const { chainId, to, value = '0', gas = '0', maxFeePerGas = '0', method } = evm
  if (method !== undefined && evm.data !== undefined) return undefined
  const called = method === undefined ? (evm.data ?? '0x') : callOf(method, evm.args ?? [])
  const transaction = serializeTransaction({
    type: 'eip1559',
    chainId: Number(chainId),
    ...(to === undefined ? {} : { to: to.toLowerCase() as `0x${string}` }),
    value: BigInt(value),
    data: called.toLowerCase() as `0x${string}`,
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
  })
  return { kind: 'transaction', transaction: transaction.slice(2), chainId, send: false }
}

const callOf = (method: string, args: readonly unknown[]): string => {
  const item = parseAbiItem(`function ${method}`)
  if (item.type !== 'function') return '0x'
  return encodeFunctionData({ abi: [item], args: args.map((arg, index) => argOf(item.inputs[index]?.type ?? '', arg)) })
}

/** Numbers are decimal text; hex is written in any case. */
const argOf = (type: string, arg: unknown): unknown => {
  if (Array.isArray(arg)) return arg.map((one: unknown) => argOf(type.replace(/\[\d*\]$/, ''), one))
  if (typeof arg !== 'string' || type === 'string') return arg
  return /^u?int/.test(type) ? BigInt(arg) : arg.toLowerCase()
}

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
