/** The vault with a key-encryption key from a file (adapters/service/vault/README.md). */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { encode } from '../../../domain/crypto/Transcript.ts'
import { Vault, VaultRefusal, type AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { dayOf, type RunKeys } from './RunKeys.ts'
import type { ShareKeyFiles } from './ShareKeys.ts'
import { openRecord, openRun, sealRecord, sealRun } from './sealing.ts'

export const VaultFile = (
  redactedKey: Redacted.Redacted<Uint8Array>,
  runKeys: RunKeys,
  shareKeys: ShareKeyFiles,
): Layer.Layer<Vault> =>
  Layer.sync(Vault, () => {
    const keyEncryptionKey = Redacted.value(redactedKey)
    const keys = { keyEncryptionKey, shareKeys }
    const macBytes = Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'tandem/vault/mac/v1', 32))
    // As a key object: bytes are made one for each MAC, which takes six times as long as the MAC.
    const macKey = createSecretKey(macBytes)
    macBytes.fill(0)
    const orRefuse = (associatedData: AssociatedData, opened: Uint8Array | undefined) =>
      opened === undefined ? Effect.fail(new VaultRefusal({ associatedData })) : Effect.succeed(opened)
    return Vault.of({
      seal: (associatedData, plaintext) => Effect.sync(() => sealRecord(keys, associatedData, plaintext)),
      open: (associatedData, sealed) =>
        Effect.suspend(() => orRefuse(associatedData, openRecord(keys, associatedData, sealed))),
      sealRun: (generation, associatedData, plaintext) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          sealRun(runKeys, { generation, day: dayOf(now) }, associatedData, plaintext),
        ),
      openRun: (generation, associatedData, sealed) =>
        Effect.suspend(() => orRefuse(associatedData, openRun(runKeys, generation, associatedData, sealed))),
      mac: (purpose, text) =>
        createHmac('sha256', macKey)
          .update(encode('tandem/vault/mac/v1', [purpose, text]))
          .digest('hex'),
    })
  })
