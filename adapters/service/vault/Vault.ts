/** The vault on a key-encryption key from a file. */
import { createHmac, hkdfSync } from 'node:crypto'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { encode } from '../../../domain/crypto/Transcript.ts'
import { Vault, VaultRefusal, type Place } from '../../../domain/service/ports/Vault.ts'
import { dayOf, type RunKeys } from './RunKeys.ts'
import type { ShareKeyFiles } from './ShareKeys.ts'
import { openRecord, openRun, sealRecord, sealRun } from './sealing.ts'

export const VaultFile = (
  keyEncryptionKey: Uint8Array,
  runKeys: RunKeys,
  shareKeys: ShareKeyFiles,
): Layer.Layer<Vault> =>
  Layer.sync(
    Vault,
    () => {
      const keys = { keyEncryptionKey, shareKeys }
      const macKey = Buffer.from(hkdfSync('sha256', keyEncryptionKey, '', 'tandem/vault/mac/v1', 32))
      const orRefuse = (place: Place, opened: Uint8Array | undefined) =>
        opened === undefined ? Effect.fail(new VaultRefusal({ place })) : Effect.succeed(opened)
      return Vault.of({
        seal: (place, plaintext) => Effect.sync(() => sealRecord(keys, place, plaintext)),
        open: (place, sealed) => Effect.suspend(() => orRefuse(place, openRecord(keys, place, sealed))),
        sealRun: (incarnation, place, plaintext) =>
          Effect.map(Clock.currentTimeMillis, (now) =>
            sealRun(runKeys, { incarnation, day: dayOf(now) }, place, plaintext),
          ),
        openRun: (incarnation, place, sealed) =>
          Effect.suspend(() => orRefuse(place, openRun(runKeys, incarnation, place, sealed))),
        mac: (purpose, text) =>
          createHmac('sha256', macKey).update(encode('tandem/vault/mac/v1', [purpose, text])).digest('hex'),
      })
    },
  )
