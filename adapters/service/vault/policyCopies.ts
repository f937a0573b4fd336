/** Copies of policies for processes without the co-signer's ring (domain/service/policies.ts). */
import * as Effect from 'effect/Effect'
import { copyAssociatedData, policyAssociatedData } from '../../../domain/service/policies.ts'
import { Database } from '../database/Database.ts'
import type { KeyRing } from './KeyRing.ts'
import { noShareKeys, openRecord, sealRecord, type RecordKeys } from './sealing.ts'

/**
 * Makes the copies that are missing, or are of another version, because an earlier version of the service applied the policy.
 * Each start of a co-signer does it. A policy that does not open stays as it is, and nothing is allowed by it.
 */
export const copyPolicies = Effect.fn('vault.copyPolicies')(function* (rings: {
  readonly service: KeyRing
  readonly cosigner: KeyRing
}) {
  const { query } = yield* Database
  const keys: RecordKeys = { rings, shareKeys: noShareKeys }
  const rows = yield* query((db) =>
    db.selectFrom('policies').select(['partner_id', 'version', 'sealed', 'service_copy']).execute(),
  )
  for (const { partner_id: partnerId, version, sealed, service_copy: existing } of rows) {
    const ofCopy = copyAssociatedData({ partnerId, version })
    if (existing !== null && openRecord(keys, ofCopy, existing) !== undefined) continue
    const policy = openRecord(keys, policyAssociatedData({ partnerId, version }), sealed)
    if (policy === undefined) continue
    const copy = sealRecord(keys, ofCopy, policy)
    yield* query((db) =>
      db
        .updateTable('policies')
        .set({ service_copy: copy })
        .where('partner_id', '=', partnerId)
        .where('version', '=', version)
        .execute(),
    )
  }
})
