/**
 * What a policy says about a payload (domain/service/policy/README.md#judgement). Every rule is asked and their order has
 * no meaning: deny goes before review, and review before allow. What cannot be known counts against the payload: an allowing
 * rule does not match it, a denying or holding one does.
 */
import { toFunctionSelector } from 'viem'
import type { Review } from '../PendingTransaction.ts'
import { tooLongFor } from './content.ts'
import { callWith } from './facts/calls.ts'
import { known, listed, unknown, type Call, type Facts, type Field } from './facts/Facts.ts'
import { beginsWith, durationOf, fieldRule, isAmong, isSame, numberOf, plain } from './fields.ts'
import type { Limit, Policy, Predicate, Rule } from './Policy.ts'

/** A sum that a limit asks for: of what was signed in the window until now, without the digest that is judged. */
export type LimitQuery = {
  readonly rule: string
  /** CAIP-19 as `spendOf` writes it, or `count`: the number of signatures, whatever they were over. */
  readonly asset: string
  readonly windowMs: number
  readonly of: Limit['of']
}

export type Judgement = {
  readonly effect: 'allow' | 'deny' | 'review'
  /** Those that decided; none if it was the default. */
  readonly rules: readonly string[]
  /** Those of them that decided because a limit was exceeded. */
  readonly limited: readonly string[]
  /** A sentence that names rule and reason. */
  readonly because: string
  /** Who has to accept; only where the effect is review. */
  readonly review: Review | undefined
}

/** What a judged signature counts: one for `count`, and the sum of each asset in base units. */
export type Spend = { readonly asset: string; readonly amount: bigint }

/** Uses up every limit of its asset. */
const unlimited = 2n ** 256n - 1n

export const spendOf = (facts: Facts): readonly Spend[] => {
  const sums = new Map<string, bigint>([['count', 1n]])
  for (const { asset, amount } of facts.outflows) {
    sums.set(asset, (sums.get(asset) ?? 0n) + (amount === 'unlimited' ? unlimited : amount))
  }
  return [...sums].map(([asset, amount]) => ({ asset, amount: amount > unlimited ? unlimited : amount }))
}

/** Who receives something or may take it, as far as it is known. */
export const recipientsOf = (facts: Facts): readonly string[] => facts.fields.get('recipient')?.values ?? []

/** The sums that `judge` asks for, each once for each limit. */
export const limitsOf = (policy: Policy, facts: Facts): readonly LimitQuery[] =>
  policy.rules
    .filter((rule) => matches(policy, rule, facts))
    .flatMap((rule) => (rule.limits ?? []).map((limit) => queryOf(rule, limit)))

const queryOf = (rule: Rule, { asset, per, of }: Limit): LimitQuery => ({
  rule: rule.id,
  asset: plain(asset),
  windowMs: durationOf(per) ?? 0,
  of,
})

/**
 * Without a policy everything is allowed but a bare digest, which the partner has to have opted in to. What would be held is denied if
 * a review cannot show all of it: an acceptance would be of something that the reviewer did not see.
 */
export const judge = (policy: Policy | undefined, facts: Facts, spent: (query: LimitQuery) => bigint): Judgement => {
  const judgement = byRules(policy, facts, spent)
  const tooLong = judgement.effect === 'review' ? tooLongFor(facts) : undefined
  if (tooLong === undefined) return judgement
  const because = `${judgement.because} A review cannot show all of its ${tooLong}.`
  return { ...judgement, effect: 'deny', because, review: undefined }
}

const byRules = (policy: Policy | undefined, facts: Facts, spent: (query: LimitQuery) => bigint): Judgement => {
  const isBlind = facts.payload === 'blind'
  if (isBlind && !facts.optedIn)
    return byDefault('deny', 'A bare digest is denied: the partner did not opt in to them.')
  if (policy === undefined) return byDefault('allow', 'There is no policy.')
  const verdicts = policy.rules
    .filter((rule) => matches(policy, rule, facts))
    .map((rule) => verdictOf(rule, facts, spent))
  const denying = verdicts.filter(({ effect }) => effect === 'deny')
  if (denying.length > 0) return decided('deny', denying)
  if (isBlind && !verdicts.some(({ rule }) => namesBlind(rule))) {
    return byDefault('deny', 'A bare digest is denied: no rule names the payload blind.')
  }
  const holding = verdicts.filter(({ effect }) => effect === 'review')
  if (holding.length > 0) return { ...decided('review', holding), review: strictest(holding.map(({ rule }) => rule)) }
  const allowing = verdicts.filter(({ effect }) => effect === 'allow')
  if (allowing.length > 0) return decided('allow', allowing)
  return byDefault(policy.default, `No rule matches, and the default is ${policy.default}.`)
}

const byDefault = (effect: Judgement['effect'], because: string): Judgement => ({
  effect,
  rules: [],
  limited: [],
  because,
  review: effect === 'review' ? reviewOf(undefined) : undefined,
})

type Verdict = {
  readonly rule: Rule
  readonly effect: Judgement['effect']
  readonly reason: string
  readonly isLimit: boolean
}

const decided = (effect: Judgement['effect'], verdicts: readonly Verdict[]): Judgement => ({
  effect,
  rules: verdicts.map(({ rule }) => rule.id).toSorted(),
  limited: verdicts
    .filter(({ isLimit }) => isLimit)
    .map(({ rule }) => rule.id)
    .toSorted(),
  because: verdicts
    .map(({ rule, reason }) => `Rule ${rule.id} ${verbs[effect]} it: ${reason}.`)
    .toSorted()
    .join(' '),
  review: undefined,
})

const verbs = { allow: 'allows', deny: 'denies', review: 'holds' } as const

/** An allowing rule whose limit is exceeded does what the limit says; of several, the strictest. */
const verdictOf = (rule: Rule, facts: Facts, spent: (query: LimitQuery) => bigint): Verdict => {
  const own = { rule, effect: rule.effect, reason: reasonOf(rule, facts), isLimit: false }
  const exceeded = (rule.limits ?? []).flatMap((limit) => {
    const reason = excessOf(limit, facts, () => spent(queryOf(rule, limit)))
    return reason === undefined ? [] : [{ rule, effect: limit.over ?? 'deny', reason, isLimit: true }]
  })
  return exceeded.find(({ effect }) => effect === 'deny') ?? exceeded[0] ?? own
}

const reasonOf = (rule: Rule, facts: Facts): string => {
  const fields = Object.keys(rule.when)
  const missing = fields.filter((name) => fieldOf(rule, facts, name).isUnknown)
  if (rule.effect !== 'allow' && missing.length > 0) return `${missing.join(', ')} cannot be known`
  return fields.length === 0 ? 'it matches everything' : `${fields.join(', ')} as it says`
}

/** Why the limit is exceeded; `undefined` while it is not. */
const excessOf = (limit: Limit, facts: Facts, spent: () => bigint): string | undefined => {
  const { asset, max, per, of } = limit
  if (asset !== 'count' && facts.outflowUnknown)
    return `what leaves the wallet cannot be known, so no limit of ${asset} holds`
  const mine = facts.outflows.filter((outflow) => isSame(outflow.asset, asset))
  if (mine.some(({ amount }) => amount === 'unlimited')) return `an unlimited amount of ${asset} is over every limit`
  const amount = asset === 'count' ? 1n : mine.reduce((sum, outflow) => sum + BigInt(outflow.amount), 0n)
  const sum = spent() + amount
  // A signature that moves none of the asset passes, even if earlier ones used the limit up.
  return amount > 0n && sum > BigInt(max)
    ? `${sum} of ${asset} would be over the limit of ${max} in ${per} of a ${of}`
    : undefined
}

/** Where the user accepts, they prove themself unless the rule says that they need not. */
const reviewOf = (rule: Rule | undefined): Review => {
  const { by = 'user', stepUp = by !== 'partner' } = rule?.review ?? {}
  return { by, stepUp }
}

const strictest = (rules: readonly Rule[]): Review => {
  const all = rules.map(reviewOf)
  const [first, ...others] = new Set(all.map(({ by }) => by))
  return { by: others.length > 0 ? 'both' : (first ?? 'user'), stepUp: all.some(({ stepUp }) => stepUp) }
}

/** A rule names bare digests only if it says so, for itself or among others; one that matches everything does not. */
const namesBlind = (rule: Rule): boolean => {
  const payload = rule.when['payload']
  return rule.effect !== 'deny' && (payload?.is === 'blind' || payload?.in?.includes('blind') === true)
}

/** Whether the rule speaks about the payload. */
export const matches = (policy: Policy, rule: Rule, facts: Facts): boolean => {
  const truths = Object.entries(rule.when).map(([name, predicate]) =>
    truthOf(policy, rule, name, predicate, fieldOf(rule, facts, name)),
  )
  if (truths.includes('no')) return false
  return !truths.includes('unknown') || (rule.effect !== 'allow' && rule.onUnknown !== 'ignore')
}

type Truth = 'yes' | 'no' | 'unknown'

/** With several values an allowing rule needs all of them, and the others one. No value: no rule matches by it. */
const truthOf = (policy: Policy, rule: Rule, name: string, predicate: Predicate, field: Field): Truth => {
  const truths = field.values.map((value) => holds(policy, name, predicate, value))
  if (field.isUnknown) truths.push('unknown')
  if (truths.length === 0) return 'no'
  const decisive = rule.effect === 'allow' ? 'no' : 'yes'
  if (truths.includes(decisive)) return decisive
  return truths.includes('unknown') ? 'unknown' : rule.effect === 'allow' ? 'yes' : 'no'
}

const holds = (policy: Policy, name: string, predicate: Predicate, value: string): Truth => {
  const { is, in: among, notIn, inList, atMost, atLeast, startsWith } = predicate
  const isNumeric = atMost !== undefined || atLeast !== undefined
  const number = isNumeric ? numberOf(value) : undefined
  if (isNumeric && number === undefined) return 'unknown'
  const bound = (text: string) => (fieldRule(name)?.kind === 'duration' ? durationOf(text) : numberOf(text))
  const lowest = atLeast === undefined ? undefined : bound(atLeast)
  const highest = atMost === undefined ? undefined : bound(atMost)
  const isTrue =
    (is === undefined || isSame(is, value)) &&
    (among === undefined || isAmong(among, value)) &&
    (notIn === undefined || !isAmong(notIn, value)) &&
    (inList === undefined || isAmong(policy.lists?.[inList] ?? [], value)) &&
    (startsWith === undefined || beginsWith(value, startsWith)) &&
    (number === undefined || lowest === undefined || number >= lowest) &&
    (number === undefined || highest === undefined || number <= highest)
  return isTrue ? 'yes' : 'no'
}

/**
 * `method` and `args.N` are read with the signatures of the rule itself, and the recipient with the channels that it allows, so
 * that no other rule changes what it means.
 */
const fieldOf = (rule: Rule, facts: Facts, name: string): Field => {
  const isOfCall = name === 'method' || name.startsWith('args.')
  if (isOfCall && facts.calls !== undefined) return ofCalls(rule, facts.calls, name)
  if (name === 'recipient' && facts.recipientByChannel !== undefined && allowsChannels(rule))
    return facts.recipientByChannel
  return facts.fields.get(name) ?? (facts.isOpaque ? unknown : known())
}

/** Only by their names: of any other channel it is not known where it ends. */
const allowsChannels = ({ effect, when }: Rule): boolean => {
  const { is, in: among, inList } = when['channel'] ?? {}
  return effect === 'allow' && (is ?? among ?? inList) !== undefined
}

const ofCalls = (rule: Rule, calls: readonly Call[], name: string): Field => {
  const { is, in: among } = rule.when['method'] ?? {}
  const signatures = new Map([...(is === undefined ? [] : [is]), ...(among ?? [])].map((one) => [selectorOf(one), one]))
  const read = calls.map((call) => call.decoded ?? callWith(signatures.get(call.data.slice(0, 10)), call.data))
  if (name === 'method') return listed(read.map((call) => call?.method))
  const index = Number(name.slice('args.'.length))
  return listed(
    read.flatMap((call) => (call !== undefined && index >= call.args.length ? [] : [textOf(call?.args[index])])),
  )
}

const selectorOf = (signature: string): string => toFunctionSelector(`function ${signature}`)

/** An argument as text; lists and tuples have none. */
const textOf = (arg: unknown): string | undefined =>
  typeof arg === 'string'
    ? arg
    : typeof arg === 'bigint' || typeof arg === 'boolean' || typeof arg === 'number'
      ? String(arg)
      : undefined
