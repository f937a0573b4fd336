import { expect, it } from 'vitest'
import { sealedColumns } from '../../../adapters/service/vault/sealedColumns.ts'

it.each(Object.values(sealedColumns).flat())(
  'say of $table, $column whether its records are of a sharing, without which a dead one counts',
  ({ associatedDataOf, isOfSharing = false }) => {
    expect(associatedDataOf?.({}).sharing !== undefined).toBe(isOfSharing)
  },
)
