/** Key rings of one key, for tests of what stands on them. */
import { createSecretKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ringKey, type KeyRing, type Rings } from '../../adapters/service/vault/KeyRing.ts'
import { createRing, type RingFile } from '../../adapters/service/vault/ringFile.ts'
import { runKeysIn } from '../../adapters/service/vault/RunKeys.ts'
import { shareKeysIn } from '../../adapters/service/vault/ShareKeys.ts'
import type { VaultKeys } from '../../adapters/service/vault/Vault.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'

const ringOfKey = (key: Uint8Array): KeyRing => {
  const only = ringKey(key, 0)
  return {
    keys: () => [only],
    isFiled: () => true,
    takesRunsOfBefore: () => false,
    active: () => only,
    find: (id) => (id === only.id ? only : undefined),
  }
}

export const ringsOfKey = (key: Uint8Array): Rings => ({ service: ringOfKey(key), cosigner: ringOfKey(key) })

/** A ring in a file of the folder, as the co-signer's threads read it. */
export const ringIn = (folder: string, key: Uint8Array, ring: Ring = 'cosigner'): RingFile => {
  const file = {
    ring,
    path: join(folder, `${ring}-keys.json`),
    before: join(folder, 'key-encryption-key'),
    environment: 'DEV',
  } as const
  createRing(file, key)
  return file
}

/** What a vault takes, with its files in the folder. */
export const vaultKeysIn = (folder: string, key: Uint8Array = randomBytes(32)): VaultKeys => ({
  rings: ringsOfKey(key),
  macKey: createSecretKey(key),
  runKeys: runKeysIn(join(folder, 'run-keys')),
  shareKeys: shareKeysIn(join(folder, 'share-keys')),
})
