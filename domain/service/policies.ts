/**
 * The policy of a partner (domain/service/README.md#policies). The document is sealed for its partner and version, and
 * the version is a mark outside the database. So a writer of the database can make the co-signer deny, and nothing else.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { tell } from './events.ts'
import { byOperator } from './operator.ts'
import { existingPartner } from './partnerKeys.ts'
import * as Policy from './policy/Policy.ts'
import { Audit } from './ports/Audit.ts'
import { Partners } from './ports/Partners.ts'
import { Policies, type StoredPolicy } from './ports/Policies.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { Watermarks } from './ports/Watermarks.ts'
import { policyWatermark } from './protocol/watermarks.ts'

/**
 * Makes `json`, parsed JSON, the partner's policy, and answers its version. It counts at once, also for signatures that
 * have begun. Refused with `PolicyRefused`, which names each problem, or `NotFound`.
 */
export const applyPolicy = (partnerId: string, json: unknown) =>
  Effect.map(applyWithNotes(partnerId, json), ({ version }) => version)

const applyWithNotes = Effect.fn('policies.apply')(function* (partnerId: string, json: unknown) {
  const notes = yield* Effect.fromResult(Policy.readOver(json, yield* documentInForce(partnerId)))
  return { version: yield* put(partnerId, json), notes }
})

/** Parsed JSON; also of a frozen partner, for whom nothing is judged by it meanwhile. */
const documentInForce = Effect.fnUntraced(function* (partnerId: string) {
  const stored = Option.getOrUndefined(yield* (yield* Policies).find(partnerId))
  if (stored?.version !== (yield* policyVersion(partnerId))) return undefined
  return Option.getOrUndefined(yield* documentOf(stored))
})

const put = Effect.fnUntraced(function* (partnerId: string, json: unknown) {
  const partner = yield* existingPartner(partnerId)
  const [policies, watermarks, vault] = [yield* Policies, yield* Watermarks, yield* Vault]
  const mark = policyWatermark(partnerId)
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const before = Option.getOrUndefined(yield* policies.lock(partnerId))
      const version = Math.max(yield* watermarks.read(mark), before?.version ?? 0) + 1
      // Before the row: if the row is not written, everything is denied until a policy is applied.
      yield* watermarks.raise(mark, version)
      const text = utf8ToBytes(JSON.stringify(json))
      const sealed = yield* vault.seal(policyAssociatedData({ partnerId, version }), text)
      const copy = yield* vault.seal(copyAssociatedData({ partnerId, version }), text)
      const appliedAt = yield* Clock.currentTimeMillis
      yield* policies.put({ partnerId, version, sealed, copy, appliedAt, before: before ?? null })
      yield* (yield* Audit).record({ event: 'policy.applied', partnerId, detail: { version } })
      yield* tell(partner, 'policy.applied', { version })
      return version
    }),
  )
})

/**
 * The same as a change by an operator. Refused with `ReasonRequired`, too: then the policy is the one before. `notes`: values
 * that never occur, which the one before has in the same place.
 */
export const applyPolicyByOperator = (partnerId: string, json: unknown, reason: string | undefined) =>
  byOperator({ event: 'policy.replaced', partnerId }, reason, applyWithNotes(partnerId, json))

/**
 * Applies the policy that the current one replaced, as a new version: a second rollback takes the first one back. Refused with
 * `NoPolicyBefore` where there is none directly before it, or it cannot be opened: a writer of the database chooses no older one.
 */
export const rollBackPolicy = (partnerId: string, reason: string | undefined) =>
  byOperator({ event: 'policy.rolled back', partnerId }, reason, replaceByBefore(partnerId))

const replaceByBefore = Effect.fn('policies.replaceByBefore')(function* (partnerId: string) {
  yield* existingPartner(partnerId)
  const current = Option.getOrUndefined(yield* (yield* Policies).lock(partnerId))
  const isNewest = current?.version === (yield* policyVersion(partnerId))
  const before = current?.before
  if (!isNewest || before?.version !== current.version - 1) return yield* new NoPolicyBefore()
  const document = yield* documentOf({ ...current, ...before })
  if (Option.isNone(document)) return yield* new NoPolicyBefore()
  yield* Effect.fromResult(Policy.readStored(document.value))
  const version = yield* put(partnerId, document.value)
  return { version, of: before.version }
})

export class NoPolicyBefore extends Data.TaggedError('NoPolicyBefore') {
  override readonly message = 'there is no policy directly before the current one'
}

/** `unusable`: there is a policy and it cannot be known, so everything is denied. `reason` is for the audit. */
export type CurrentPolicy =
  | { readonly kind: 'none' }
  | { readonly kind: 'policy'; readonly version: number; readonly policy: Policy.Policy }
  | { readonly kind: 'unusable'; readonly reason: string }

/** What the partner's signatures are judged by. A partner without a policy costs no statement of its own. */
export const currentPolicy = Effect.fn('policies.current')(function* (partnerId: string) {
  return (yield* readPolicy(partnerId)).current
})

/** With the row and the document that it was read from, where there are any. */
type Found = {
  readonly current: CurrentPolicy
  readonly stored?: Openable & Pick<StoredPolicy, 'appliedAt'>
  /** Parsed JSON. */
  readonly document?: unknown
}

const readPolicy = Effect.fnUntraced(function* (partnerId: string) {
  const version = yield* policyVersion(partnerId)
  const partner = Option.getOrUndefined(yield* (yield* Partners).find(partnerId))
  // A call that began to wait before the freeze is judged after it.
  if (partner?.isFrozen === true) return unusable('the partner is frozen')
  if (version === 0 && partner?.hasPolicy !== true) return { current: none }
  const stored = Option.getOrUndefined(yield* (yield* Policies).find(partnerId))
  if (stored === undefined) return unusable('the policy is missing')
  if (stored.version < version) return unusable('the policy is older than the one that was applied last')
  if (stored.version > version) return unusable('the mark of the policy’s version is missing or older')
  return yield* opened(stored)
})

/** Whether the partner's signatures are judged: that they are not takes no statement and no document. */
export const isJudged = Effect.fn('policies.isJudged')(function* (partnerId: string) {
  const partner = Option.getOrUndefined(yield* (yield* Partners).find(partnerId))
  return partner?.isFrozen === true || partner?.hasPolicy === true || (yield* policyVersion(partnerId)) > 0
})

/** The version that was applied last; 0 where none was. */
export const policyVersion = (partnerId: string) =>
  Effect.flatMap(Watermarks, ({ read }) => read(policyWatermark(partnerId)))

/** What judges a signature never takes the copy, which a process without the co-signer's ring could have written. */
const opened = Effect.fnUntraced(function* (stored: NonNullable<Found['stored']>) {
  const document = Option.getOrUndefined(yield* documentOf(stored))
  if (document === undefined) return unusable('the policy cannot be opened')
  const read = Policy.readStored(document)
  if (Result.isFailure(read)) return unusable('the policy is not in the language of this version')
  const current: CurrentPolicy = { kind: 'policy', version: stored.version, policy: read.success }
  return { current, stored, document } satisfies Found
})

/** Parsed JSON. */
const documentOf = Effect.fnUntraced(function* (stored: Openable) {
  const vault = yield* Vault
  const bytes = yield* Effect.option(
    vault.holds('cosigner')
      ? vault.open(policyAssociatedData(stored), stored.sealed)
      : vault.open(copyAssociatedData(stored), stored.copy ?? new Uint8Array(0)),
  )
  return Option.map(bytes, (text): unknown => JSON.parse(utf8.encode(text)))
})

/**
 * The policy as it was applied, for an operator: parsed JSON, its version, and when in milliseconds since 1970. Undefined where the
 * partner has none; `unusable` says why everything is denied. Refused with `NotFound`.
 */
export const showPolicy = Effect.fn('policies.show')(function* (partnerId: string) {
  yield* existingPartner(partnerId)
  const { current, stored, document }: Found = yield* readPolicy(partnerId)
  if (current.kind === 'none') return undefined
  const unusable = current.kind === 'unusable' ? current.reason : undefined
  return { version: stored?.version, appliedAt: stored?.appliedAt, document, unusable }
})

const none: CurrentPolicy = { kind: 'none' }

const unusable = (reason: string): Found => ({ current: { kind: 'unusable', reason } })

type Named = Pick<StoredPolicy, 'partnerId' | 'version'>

type Openable = Pick<StoredPolicy, 'partnerId' | 'version' | 'sealed' | 'copy'>

export const policyAssociatedData = ({ partnerId, version }: Named): AssociatedData => ({
  table: 'policies',
  id: `${partnerId}/${version}`,
})

export const copyAssociatedData = ({ partnerId, version }: Named): AssociatedData => ({
  table: 'policies.copy',
  id: `${partnerId}/${version}`,
})
