/** Changes by an operator: each is audited, and PROD asks for its reason (domain/service/README.md#operators). */
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { Audit, type AuditEntry } from './ports/Audit.ts'
import { Deployment } from './ports/Deployment.ts'
import { Transaction } from './ports/Transaction.ts'

const longestReason = 500

/**
 * Audits a change by an operator, in the surrounding transaction. Refused with `ReasonRequired` in PROD without a
 * reason, and anywhere with one that does not fit on a line: nothing is changed then.
 */
export const recordChange = Effect.fnUntraced(function* (entry: AuditEntry, reason: string | undefined) {
  yield* requireReason(reason)
  const why = reason === undefined ? {} : { reason }
  yield* (yield* Audit).record({ ...entry, detail: { ...entry.detail, actor: 'operator', ...why } })
})

/** Refused as `recordChange` refuses, before anything is done. */
export const requireReason = Effect.fnUntraced(function* (reason: string | undefined) {
  const { environment } = yield* Deployment
  if (reason === undefined ? environment === 'PROD' : !isReason(reason)) return yield* new ReasonRequired()
})

/** What an operator does, with its record in one transaction. */
export const byOperator = <A, E, R>(
  entry: AuditEntry,
  reason: string | undefined,
  flow: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | ReasonRequired, R | Audit | Deployment | Transaction> =>
  // The record comes first: a flow may do what no rollback takes back.
  Effect.flatMap(Transaction, ({ atomically }) => atomically(Effect.andThen(recordChange(entry, reason), flow)))

/** One line of 1 to 500 characters, and not blank. */
const isReason = (reason: string): boolean =>
  reason.trim() !== '' && reason.length <= longestReason && !/[\p{Cc}\p{Cs}]/u.test(reason)

export class ReasonRequired extends Data.TaggedError('ReasonRequired') {
  override readonly message = 'the change needs a reason, of one line and 500 characters at most'
}
