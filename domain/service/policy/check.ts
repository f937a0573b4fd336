/** What is wrong with a policy beside its form: rules that cannot do what they say (domain/service/policy/README.md#commands). */
import * as Result from 'effect/Result'
import { payloads, type Payload } from './facts/Facts.ts'
import { beginsWith, fieldRule, isAmong, numberOf } from './fields.ts'
import { read, type Policy, type Predicate, type Rule } from './Policy.ts'

/** Sentences that name the place; none if all is well. */
export const check = (json: unknown): readonly string[] => {
  const policy = read(json)
  if (Result.isFailure(policy)) return policy.failure.problems
  const { rules, lists = {} } = policy.success
  const used = new Set(rules.flatMap(({ when }) => Object.values(when).flatMap(({ inList }) => inList ?? [])))
  return [
    ...rules.flatMap((rule, index) => findingsOf(policy.success, rule).map((finding) => `rules[${index}]: ${finding}`)),
    ...Object.keys(lists).flatMap((name) => (used.has(name) ? [] : [`lists.${name}: no rule asks for it`])),
    ...Object.entries(lists).flatMap(([name, values]) =>
      values.length === 0 && used.has(name) ? [`lists.${name}: is empty, so nothing is in it`] : [],
    ),
  ]
}

/** What a policy gives up on purpose, a sentence each; none where it cannot be read. */
export const notesOn = (json: unknown): readonly string[] =>
  Result.match(read(json), {
    onFailure: () => [],
    onSuccess: ({ rules }) =>
      rules.flatMap(({ id, review }, index) =>
        review?.stepUp === false && review.by !== 'partner'
          ? [`rules[${index}]: ${id} says stepUp: false, so a script in the app's page can accept in place of the user`]
          : [],
      ),
  })

const findingsOf = (policy: Policy, rule: Rule): readonly string[] => {
  const names = Object.keys(rule.when)
  const isPossible = names.reduce<readonly Payload[]>(
    (left, name) => left.filter((payload) => (fieldRule(name)?.payloads ?? []).includes(payload)),
    payloads.filter((payload) => rule.when['payload'] === undefined || allows(policy, rule.when['payload'], payload)),
  )
  const shadow = rule.effect === 'deny' ? undefined : policy.rules.find((other) => isShadowed(policy, rule, other))
  return [
    ...(isPossible.length === 0 ? [`no payload has ${names.join(' and ')} together, so ${rule.id} never matches`] : []),
    ...(shadow === undefined ? [] : [`${rule.id} is dead: ${shadow.id} denies everything that it matches`]),
  ]
}

const allows = (policy: Policy, predicate: Predicate, value: string): boolean =>
  isWithin(policy, { is: value }, predicate)

/** Whether the other denies whatever the rule matches: it asks no more fields, and each more widely. */
const isShadowed = (policy: Policy, rule: Rule, other: Rule): boolean => {
  if (other.effect !== 'deny') return false
  const seesUnknown = other.onUnknown !== 'ignore' || rule.effect === 'allow' || rule.onUnknown === 'ignore'
  return (
    seesUnknown &&
    Object.entries(other.when).every(([name, wide]) => {
      const narrow = rule.when[name]
      // The methods that a rule names decide what its arguments are.
      return (
        narrow !== undefined &&
        (!name.startsWith('args.') || sameMethods(rule, other)) &&
        isWithin(policy, narrow, wide)
      )
    })
  )
}

const sameMethods = (rule: Rule, other: Rule): boolean =>
  JSON.stringify(rule.when['method']) === JSON.stringify(other.when['method'])

/** Whether every value that the first takes is one that the second takes. False where that is not plain to see. */
const isWithin = (policy: Policy, narrow: Predicate, wide: Predicate): boolean => {
  const values = valuesOf(policy, narrow)
  const every = (holds: (value: string) => boolean) => values?.every(holds) === true
  const { is, in: among, notIn, inList, atMost, atLeast, startsWith } = wide
  const sets = [
    ...(is === undefined ? [] : [[is]]),
    ...(among === undefined ? [] : [among]),
    ...(inList === undefined ? [] : [listOf(policy, inList)]),
  ]
  const isBelow = (one: string, other: string) => {
    const [left, right] = [numberOf(one), numberOf(other)]
    return left !== undefined && right !== undefined && left <= right
  }
  return (
    sets.every((set) => every((value) => isAmong(set, value))) &&
    (notIn === undefined ||
      every((value) => !isAmong(notIn, value)) ||
      notIn.every((value) => isAmong(narrow.notIn ?? [], value))) &&
    (startsWith === undefined ||
      every((value) => beginsWith(value, startsWith)) ||
      (narrow.startsWith !== undefined && beginsWith(narrow.startsWith, startsWith))) &&
    (atMost === undefined ||
      every((value) => isBelow(value, atMost)) ||
      (narrow.atMost !== undefined && isBelow(narrow.atMost, atMost))) &&
    (atLeast === undefined ||
      every((value) => isBelow(atLeast, value)) ||
      (narrow.atLeast !== undefined && isBelow(atLeast, narrow.atLeast)))
  )
}

/** The values that a predicate names; `undefined` if it names none. */
const valuesOf = (policy: Policy, { is, in: among, inList }: Predicate): readonly string[] | undefined =>
  is !== undefined ? [is] : (among ?? (inList === undefined ? undefined : listOf(policy, inList)))

const listOf = (policy: Policy, name: string): readonly string[] => policy.lists?.[name] ?? []
