/**
 * A partner's policy: a document of rules that allow, deny or hold what is to be signed
 * (domain/service/policy/README.md#a-document). It is data: there are no expressions, and the order of rules has no
 * meaning. Reading is strict, because a rule with a misspelled name would protect nothing.
 */
import { p256 } from '@noble/curves/nist.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import * as SchemaIssue from 'effect/SchemaIssue'
import { problemOfAsset } from './assets.ts'
import { wholeNumber } from './facts/Facts.ts'
import { durationOf, fieldRule, nameFor, numberOf } from './fields.ts'

const text = Schema.String.check(Schema.isBetweenLength(1, 4_096))
const texts = Schema.NonEmptyArray(text)
const name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    message: 'has to be 1 to 64 letters, digits, dots, dashes or underscores',
  }),
)

const Predicate = Schema.Struct({
  is: Schema.optionalKey(text),
  in: Schema.optionalKey(texts),
  notIn: Schema.optionalKey(texts),
  inList: Schema.optionalKey(name),
  atMost: Schema.optionalKey(text),
  atLeast: Schema.optionalKey(text),
  startsWith: Schema.optionalKey(text),
})
export type Predicate = typeof Predicate.Type

const Review = Schema.Struct({
  by: Schema.Literals(['user', 'partner', 'both']),
  stepUp: Schema.optionalKey(Schema.Boolean),
})

const Limit = Schema.Struct({
  /** CAIP-19, or `count`: how often something is signed. */
  asset: text,
  /** Base units, decimal. */
  max: text,
  /** A rolling window. */
  per: text,
  of: Schema.Literals(['wallet', 'user', 'partner']),
  /** What happens beyond it; `deny` without it. */
  over: Schema.optionalKey(Schema.Literals(['deny', 'review'])),
})
export type Limit = typeof Limit.Type

const Rule = Schema.Struct({
  id: name,
  effect: Schema.Literals(['allow', 'deny', 'review']),
  when: Schema.Record(Schema.String, Predicate),
  limits: Schema.optionalKey(Schema.Array(Limit)),
  review: Schema.optionalKey(Review),
  onUnknown: Schema.optionalKey(Schema.Literal('ignore')),
})
export type Rule = typeof Rule.Type

const keyOptions = { kid: Schema.optionalKey(text), alg: Schema.optionalKey(text), use: Schema.optionalKey(text) }
const Approver = Schema.Union([
  Schema.Struct({ kty: Schema.Literal('EC'), crv: Schema.Literal('P-256'), x: text, y: text, ...keyOptions }),
  Schema.Struct({ kty: Schema.Literal('OKP'), crv: Schema.Literal('Ed25519'), x: text, ...keyOptions }),
]).annotate({ message: 'has to be a public key as JWK, EC on P-256 or OKP on Ed25519' })
/** A public key as JWK (RFC 7517, 8037), which signs a partner's decisions. */
export type Approver = typeof Approver.Type

export const Policy = Schema.Struct({
  tandem: Schema.Literal('policy/1'),
  default: Schema.Literals(['allow', 'deny', 'review']),
  rules: Schema.Array(Rule).check(Schema.isMaxLength(256)),
  lists: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(text).check(Schema.isMaxLength(10_000)))),
  approver: Schema.optionalKey(Approver),
})
export type Policy = typeof Policy.Type

const decode = Schema.decodeUnknownResult(Policy, { errors: 'all', onExcessProperty: 'error' })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads parsed JSON. The problems name the place, for example `rules[2].when.to: there is no such field`. */
export const read = (json: unknown): Result.Result<Policy, PolicyRefused> => readBy(json, neverOccurring)

/**
 * Reads parsed JSON that is to replace `current`, the document in force. Values that never occur and that stand there in the
 * same place are answered as notes: nobody has to mend them before a leaked approver's key can be replaced.
 */
export const readOver = (json: unknown, current: unknown): Result.Result<readonly string[], PolicyRefused> => {
  const before = Result.match(readStored(current), {
    onFailure: () => new Set<string>(),
    onSuccess: (policy) => new Set(neverOccurring(policy).map(textOf)),
  })
  const isBefore = (found: Found) => before.has(textOf(found))
  return Result.map(
    readBy(json, (policy) => neverOccurring(policy).filter((found) => !isBefore(found))),
    (policy) => neverOccurring(policy).map(({ problem }) => problem),
  )
}

/**
 * Reads a policy that was applied before, perhaps by a version that knew fewer values that never occur. One of them makes no rule
 * mean something else, and a policy that cannot be read denies everything.
 */
export const readStored = (json: unknown): Result.Result<Policy, PolicyRefused> => readBy(json, () => [])

const readBy = (json: unknown, valuesOf: (policy: Policy) => readonly Found[]) => {
  const decoded = decode(json)
  if (Result.isFailure(decoded)) return Result.fail(new PolicyRefused({ problems: issuesIn(decoded.failure.issue) }))
  const values = valuesOf(decoded.success)
  const problems = [...problemsOf(decoded.success), ...values.map(({ problem }) => problem)]
  return problems.length === 0 ? Result.succeed(decoded.success) : Result.fail(new PolicyRefused({ problems }))
}

/** A sentence for each issue of a document of ours, with its place. */
export const issuesIn = (issue: SchemaIssue.Issue): readonly string[] =>
  issuesOf(issue).issues.map(({ path = [], message }) => `${locationOf(path)}: ${sentenceOf(message)}`)

type Segment = PropertyKey | { readonly key: PropertyKey }

const locationOf = (path: readonly Segment[]): string => {
  const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment))
  const written = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return written === '' ? 'the document' : written.replace(/^\./, '')
}

const sentenceOf = (message: string): string =>
  message
    .replace('Missing key', 'is missing')
    .replace('Expected no excess property', 'there is no such key')
    .replace(/^Expected /, 'has to be ')

const problemsOf = (policy: Policy): readonly string[] => [
  ...policy.rules.flatMap((rule, index) => problemsOfRule(policy, rule, index)),
  ...Object.keys(policy.lists ?? {}).flatMap((list) =>
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(list) ? [] : [`lists.${list}: is no name`],
  ),
  ...(policy.approver === undefined || isPublicKey(policy.approver) ? [] : ['approver: is no public key of its curve']),
]

const problemsOfRule = (policy: Policy, rule: Rule, index: number): readonly string[] => {
  const location = `rules[${index}]`
  const isTwice = policy.rules.findIndex(({ id }) => id === rule.id) !== index
  const limits = rule.limits ?? []
  const mayReview =
    rule.effect === 'review' || (rule.effect === 'allow' && limits.some(({ over }) => over === 'review'))
  return [
    ...(isTwice ? [`${location}.id: another rule is called ${rule.id}`] : []),
    ...Object.entries(rule.when).flatMap(([field, predicate]) =>
      problemsOfPredicate(policy, field, predicate).map((problem) => `${location}.when.${field}${problem}`),
    ),
    ...(limits.length > 0 && rule.effect === 'deny' ? [`${location}.limits: a rule that denies has no limits`] : []),
    ...limits.flatMap((limit, at) => problemsOfLimit(limit).map((problem) => `${location}.limits[${at}]${problem}`)),
    ...(rule.review !== undefined && !mayReview
      ? [`${location}.review: the rule holds nothing: its effect is not review, and no limit has over: review`]
      : []),
    ...(rule.review !== undefined && rule.review.by !== 'user' && policy.approver === undefined
      ? [`${location}.review.by: there is no approver, whose key signs the partner's decisions`]
      : []),
    ...(rule.onUnknown !== undefined && rule.effect === 'allow'
      ? [`${location}.onUnknown: a rule that allows never matches what is unknown`]
      : []),
  ]
}

const problemsOfPredicate = (policy: Policy, field: string, predicate: Predicate): readonly string[] => {
  const rule = fieldRule(field)
  if (rule === undefined) return [': there is no such field']
  const { is, in: among, notIn, inList, atMost, atLeast, startsWith } = predicate
  const bounds = Object.entries({ atMost, atLeast }).filter(
    (bound): bound is [string, string] => bound[1] !== undefined,
  )
  const exact = [...(is === undefined ? [] : [is]), ...(among ?? []), ...(notIn ?? [])]
  return [
    ...(Object.keys(predicate).length === 0 ? [': has no predicate'] : []),
    ...(inList !== undefined && !Object.hasOwn(policy.lists ?? {}, inList)
      ? [`.inList: there is no list ${inList}`]
      : []),
    ...bounds.flatMap(([bound, value]) => {
      if (rule.kind === 'text') return [`.${bound}: the field is no number`]
      if (rule.kind === 'duration') return durationOf(value) === undefined ? [`.${bound}: is no time such as 24h`] : []
      return numberOf(value) === undefined ? [`.${bound}: is no whole number in decimal`] : []
    }),
    ...(rule.kind === 'duration' && (exact.length > 0 || inList !== undefined)
      ? [': a time is compared by atMost and atLeast']
      : []),
    ...(startsWith !== undefined && rule.kind !== 'text' && rule.kind !== 'any'
      ? ['.startsWith: the field is no text']
      : []),
  ]
}

type Found = { readonly value: string; readonly problem: string }

const textOf = ({ value, problem }: Found): string => JSON.stringify([value, problem])

/** Values of fields and assets: a rule or a limit with such a value could not do what it says. */
const neverOccurring = ({ rules, lists = {} }: Policy): readonly Found[] => {
  const predicates = rules.flatMap(({ when }) => Object.entries(when))
  return [
    ...rules.flatMap(({ when }, index) =>
      Object.entries(when).flatMap(([field, { is, in: among = [], notIn = [] }]) => {
        const form = fieldRule(field)?.form
        return [...(is === undefined ? [] : [is]), ...among, ...notIn].flatMap((value) => {
          const isIt = form === undefined || form.isOf(value)
          return isIt
            ? []
            : [{ value, problem: `rules[${index}].when.${field}: ${value} is not ${nameFor(form, value)}` }]
        })
      }),
    ),
    ...Object.entries(lists).flatMap(([list, values]) => {
      const fields = predicates.flatMap(([field, { inList }]) => (inList === list ? [field] : []))
      return neverInList(list, values, [...new Set(fields)])
    }),
    ...rules.flatMap(({ limits = [] }, index) =>
      limits.flatMap(({ asset }, at) => {
        const problem = asset === 'count' ? undefined : problemOfAsset(asset)
        const location = `rules[${index}].limits[${at}].asset`
        return problem === undefined ? [] : [{ value: asset, problem: `${location}: ${problem}` }]
      }),
    ),
  ]
}

/**
 * Of a list that these fields ask for: values that none of the fields can have, and fields that can have none of the values. One
 * list may hold addresses of several chains.
 */
const neverInList = (list: string, values: readonly string[], fields: readonly string[]): readonly Found[] => {
  const asking = fields.map((field) => {
    const form = fieldRule(field)?.form
    return { field, form, takes: values.map((value) => form === undefined || form.isOf(value)) }
  })
  const isTaken = values.map((_, at) => asking.some(({ takes }) => takes[at]))
  return asking.flatMap(({ field, form, takes }) => {
    if (form === undefined) return []
    const isNone = isTaken.includes(true) && !takes.includes(true)
    return [
      ...values.flatMap((value, at) =>
        isTaken[at] ? [] : [{ value, problem: `[${at}]: ${value} is not ${nameFor(form, value)}` }],
      ),
      ...(isNone ? [{ value: values.join(' '), problem: `: no value of it is ${form.name}` }] : []),
    ].map(({ value, problem }) => ({ value, problem: `lists.${list}${problem}, and ${field} asks for the list` }))
  })
}

const problemsOfLimit = ({ max, per }: Limit): readonly string[] => {
  const window = durationOf(per)
  return [
    ...(wholeNumber.test(max) ? [] : ['.max: is no amount in base units, in decimal']),
    ...(window !== undefined && window >= shortestWindow && window <= longestWindow
      ? []
      : ['.per: has to be a time from 1m to 30d']),
  ]
}

const shortestWindow = 60_000
/** No limit reads what was counted before. */
export const longestWindow = 30 * 86_400_000

const isPublicKey = (key: Approver): boolean => {
  try {
    const x = base64urlnopad.decode(key.x)
    if (key.kty === 'OKP') return x.length === 32 && !ed25519.Point.fromBytes(x).isSmallOrder()
    const y = base64urlnopad.decode(key.y)
    return x.length === 32 && y.length === 32 && p256.utils.isValidPublicKey(concatBytes(Uint8Array.of(4), x, y))
  } catch {
    return false
  }
}

/** What is wrong with a document, a sentence each. */
export class PolicyRefused extends Data.TaggedError('PolicyRefused')<{ readonly problems: readonly string[] }> {
  override readonly message = 'policy is not valid'
}
