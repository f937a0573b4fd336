/** The vault with the key rings of this process (adapters/service/vault/README.md). */
import { createHmac, type KeyObject } from 'node:crypto'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { encode } from '../../../domain/crypto/Transcript.ts'
import { Vault, VaultRefusal, type AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { quarterOf } from './RunKeys.ts'
import { openRecord, openRun, sealRecord, sealRun, type RecordKeys, type RunSealing } from './sealing.ts'

/** `macKey`: a key object, because from bytes one is made for each MAC, which takes six times as long as the MAC. */
export type VaultKeys = RecordKeys & RunSealing & { readonly macKey: KeyObject }

export const VaultOf = (keys: VaultKeys): Layer.Layer<Vault> => {
  const orRefuse = (associatedData: AssociatedData, opened: Uint8Array | undefined) =>
    opened === undefined ? Effect.fail(new VaultRefusal({ associatedData })) : Effect.succeed(opened)
  return Layer.succeed(Vault, {
    holds: (ring) => keys.rings[ring] !== undefined,
    seal: (associatedData, plaintext) => Effect.sync(() => sealRecord(keys, associatedData, plaintext)),
    open: (associatedData, sealed) =>
      Effect.suspend(() => orRefuse(associatedData, openRecord(keys, associatedData, sealed))),
    sealRun: (generation, associatedData, plaintext) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        sealRun(keys, { generation, period: quarterOf(now) }, associatedData, plaintext),
      ),
    openRun: (generation, associatedData, sealed) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        orRefuse(associatedData, openRun(keys, { generation, now }, associatedData, sealed)),
      ),
    mac: (purpose, text) =>
      createHmac('sha256', keys.macKey)
        .update(encode('tandem/vault/mac/v1', [purpose, text]))
        .digest('hex'),
  })
}
