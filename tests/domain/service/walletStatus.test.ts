/** Which sealed records of the database a run may use, whatever row it was given. */
import * as Effect from 'effect/Effect'
import { expect, it } from 'vitest'
import { sealedShareAndOtOf } from '../../../domain/service/protocol/walletStatus.ts'
import type { RunRecord } from '../../../domain/service/Run.ts'

const [walletId, shareId, otId, deviceKeyThumb] = ['wallet', 'aa', 'bb', 'cc']
const run: RunRecord = {
  walletId,
  protocolId: 'protocol',
  kind: 'sign',
  scheme: 'DKLS',
  sessionId: 'session',
  userId: 'user',
  partnerId: 'partner',
  deviceKeyThumb,
  epoch: 3,
  shareId,
  otId,
  attempt: '',
  rootPublicKey: '',
  payloadClass: 'eip191',
  digest: 'dd',
  sending: null,
  state: 'RUNNING',
  generation: 'database.boot',
  protocolVersion: 1,
  policyVersion: null,
  pendingTransactionId: null,
  sealedSeed: null,
  finalBody: null,
  reason: null,
  areTransfersVoid: false,
  createdAt: 1,
  expiresAt: 2,
}
const share = { walletId, epoch: 3, shareId, sealed: Uint8Array.of(1) }
const ot = { walletId, otId, deviceKeyThumb, databaseLife: 'database', epoch: 3, shareId, sealed: Uint8Array.of(2) }

const tagOf = async (materials: Parameters<typeof sealedShareAndOtOf>[1]) =>
  (await Effect.runPromise(Effect.flip(sealedShareAndOtOf(run, materials))))._tag

it('a signature takes the share of its epoch and the OT record that it names, of its device, sharing and database', async () => {
  const sealed = { sealedShare: share.sealed, sealedOt: ot.sealed }
  expect(await Effect.runPromise(sealedShareAndOtOf(run, { share, ot }))).toEqual(sealed)

  expect(await tagOf({ share: undefined, ot })).toBe('KeyShareOutOfDate')
  expect(await tagOf({ share: { ...share, epoch: 2 }, ot })).toBe('KeyShareOutOfDate')
  expect(await tagOf({ share, ot: undefined })).toBe('DeviceNotAttached')
  const others = [{ otId: 'ee' }, { deviceKeyThumb: 'ee' }, { databaseLife: 'ee' }, { epoch: 2 }, { shareId: 'ee' }]
  for (const other of others) expect(await tagOf({ share, ot: { ...ot, ...other } })).toBe('DeviceNotAttached')
  expect(await tagOf({ share, ot: { ...ot, sealed: null } })).toBe('KeyShareLocked')
})
