/**
 * The MAC key: 32 bytes by which tokens, codes and partners' keys are stored. It is sealed in the database under the
 * service's ring and never changes, so that the ring's keys can.
 */
import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import * as Effect from 'effect/Effect'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { Database } from '../database/Database.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { keyLength, type KeyRing } from './KeyRing.ts'
import { noShareKeys, openRecord, sealRecord, type RecordKeys } from './sealing.ts'

export const macKeyAssociatedData: AssociatedData = { table: 'mac_key', id: 'one' }

/**
 * The MAC key of this database; made if there is none, and of several processes that make one at once all get the same.
 * A deployment from before there were rings goes on with the one that it derived from its key-encryption key. Fails with
 * a `StartRefusal` if the ring does not open it, or if it would be another one than partners' keys are stored by.
 */
export const macKeyOf = Effect.fn('vault.macKey')(function* (ring: KeyRing) {
  const { query } = yield* Database
  const keys: RecordKeys = { rings: { service: ring }, shareKeys: noShareKeys }
  const find = query((db) => db.selectFrom('mac_key').select('sealed').executeTakeFirst())
  const found = yield* find
  if (found !== undefined) return yield* opened(keys, found.sealed)
  const [oldest] = ring.keys()
  const made = ring.isFiled() || oldest === undefined ? yield* fresh : derived(oldest.key)
  const sealed = sealRecord(keys, macKeyAssociatedData, made)
  made.fill(0)
  const row = { one: true, sealed, created_at: Date.now() }
  yield* query((db) =>
    db
      .insertInto('mac_key')
      .values(row)
      .onConflict((conflict) => conflict.column('one').doNothing())
      .execute(),
  )
  return yield* opened(keys, (yield* find)?.sealed ?? sealed)
})

const opened = (keys: RecordKeys, sealed: Uint8Array): Effect.Effect<KeyObject, StartRefusal> =>
  Effect.suspend(() => {
    const bytes = openRecord(keys, macKeyAssociatedData, sealed)
    if (bytes === undefined) {
      const message =
        'SERVICE_KEYS_FILE: this ring does not open the MAC key of the database; it is another deployment’s, or lacks a key that was retired after this database was copied.'
      return Effect.fail(new StartRefusal({ message, of: 'configuration' }))
    }
    const key = createSecretKey(bytes)
    bytes.fill(0)
    return Effect.succeed(key)
  })

/** None where partners' keys are stored by a MAC key that this ring does not know. */
const fresh = Effect.gen(function* () {
  const { query } = yield* Database
  const partner = yield* query((db) => db.selectFrom('partner_keys').select('mac').limit(1).executeTakeFirst())
  if (partner === undefined) return randomBytes(keyLength)
  const message =
    'SERVICE_KEYS_FILE: partners’ keys of this database were stored under KEY_ENCRYPTION_KEY_FILE; make the rings by `tandem kek split`.'
  return yield* new StartRefusal({ message, of: 'configuration' })
})

/** As every version before rings did at each start. */
const derived = (keyEncryptionKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'tandem/vault/mac/v1', keyLength))
