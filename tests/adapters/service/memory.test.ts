/**
 * What a worker thread of the co-signer opened is overwritten wherever it was copied to: in the heap that a collector
 * moves, in a cipher's buffers, in memory that was freed.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '../../../adapters/service/cosigner/messages.ts'
import { quarterOf, runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { open, overhead } from '../../../adapters/service/vault/seal.ts'
import { headerLength, sealRecord, sealRun } from '../../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import { encode, hash } from '../../../domain/crypto/Transcript.ts'
import * as ClientRun from '../../../domain/mpc/ClientRun.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import type { Context } from '../../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../../domain/mpc/protocols.ts'
import type { Scheme } from '../../../domain/mpc/Scheme.ts'
import * as ShareRecord from '../../../domain/mpc/ShareRecord.ts'
import type { Job } from '../../../domain/service/ports/CosignerEngine.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import {
  cosignerKeyAssociatedData,
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
  stateAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { startChild } from '../../kit/child.ts'
import { ringsOfKey } from '../../kit/rings.ts'
import { someFrame } from '../../kit/someFrame.ts'
import { dealShares } from '../../kit/toyProtocols.ts'
import { mask, type Said, type Told } from './opener.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

const none = new Uint8Array(0)
const key = randomBytes(32)
const rings = ringsOfKey(key)
const [runKeysFolder, shareKeysFolder] = [join(folder, 'run-keys'), join(folder, 'share-keys')]
const runKeys = runKeysIn(runKeysFolder)
const shareKeys = shareKeysIn(shareKeysFolder)
const keys = { rings, shareKeys }
const generation = randomUUID()
const now = Date.now()
const rootPublicKey = randomBytes(32)
const workerOptions = { runKeysFolder, shareKeysFolder }

/** What its share and its OT records are sealed under. */
const sharingKeyOf = (sharing: Sharing): Uint8Array =>
  hash('tandem/vault/sharing-key/v1', [key, shareKeys.findOrCreate(sharing)])

/** A wallet whose share is sealed, and a job that opens it with a seed, a state and, for DKLS, an OT record. */
const wallet = (scheme: Scheme) => {
  const walletId = randomUUID()
  const { user, provider } = dealShares(scheme, { walletId, rootPublicKey }, (length) => randomBytes(length))
  const context: Context = {
    kind: 'sign',
    scheme,
    protocolId: randomUUID(),
    walletId,
    userId: 'user',
    partnerId: 'partner',
    deviceKeyThumb: randomBytes(32),
    epoch: 1,
    attempt: new Uint8Array(16),
    shareId: provider.shareId,
    otId: scheme === 'DKLS' ? randomBytes(32) : new Uint8Array(0),
    rootPublicKey,
    payload: { message: randomBytes(32), class: 'bytes' },
  }
  const [seed, state, ot] = [randomBytes(32), randomBytes(48), randomBytes(9_000)]
  const inRun = (associatedData: Parameters<typeof sealRun>[2], secret: Uint8Array) =>
    sealRun({ rings, runKeys }, { generation, period: quarterOf(now) }, associatedData, secret)
  const sharing = { walletId, epoch: 1, shareId: bytesToHex(provider.shareId) }
  const job: Job = {
    context,
    generation,
    step: 9,
    requestHashes: [],
    request: none,
    sealedSeed: inRun(seedAssociatedData(context), seed),
    sealedState: inRun(stateAssociatedData(context, 8), state),
    sealedShare: sealRecord(keys, shareAssociatedData(sharing), ShareRecord.encode(provider)),
    sealedOt: scheme === 'DKLS' ? sealRecord(keys, otAssociatedData(sharing, bytesToHex(context.otId)), ot) : null,
    newRoot: false,
  }
  return {
    user,
    context,
    job,
    secrets: {
      seed,
      state,
      ot,
      share: provider.secret,
      'share key': shareKeys.findOrCreate(sharing),
      'key of both': sharingKeyOf(sharing),
      'key of the run': hash('tandem/vault/run-key/v1', [key, runKeys.toSeal(generation, quarterOf(now))]),
    },
  }
}

/** The frame key is of no sharing, so it is sealed under a data key of its own, which is beside it under the ring's key. */
const frameKey = () => {
  const secret = Uint8Array.from(randomBytes(32))
  const sealedFor = cosignerKeyAssociatedData('worker')
  const sealedKey = sealRecord(keys, sealedFor, secret)
  const place = encode('tandem/vault/data-key/v1', [sealedFor.table, sealedFor.id, ''])
  const dataKey = open(key, place, sealedKey.subarray(headerLength, headerLength + key.length + overhead))
  const order: Order = {
    kind: 'sign',
    id: 1,
    request: someFrame,
    answer: { status: 'OK', body: none },
    sealedKey,
    sealedFor,
  }
  return { order, secrets: { 'frame key': secret, 'data key of the frame key': dataKey ?? none } }
}

const step = (job: Job): Order => ({ kind: 'step', id: 1, job, now })

/** The job of a signature that goes through. */
const signature = ({ user, context, job }: ReturnType<typeof wallet>): Job => {
  const protocol = protocolOf(context.scheme, 'sign')
  const random = (length: number) => Uint8Array.from(randomBytes(length))
  const client = protocol && ClientRun.begin(protocol, { context, share: user, random, arithmetic: noble })
  if (client === undefined || !('request' in client)) throw new Error('not begun')
  return { ...job, step: 1, sealedState: null, request: client.request, requestHashes: [sha256(client.request)] }
}

const named = (of: string, { secrets }: ReturnType<typeof wallet>) =>
  Object.fromEntries(Object.entries(secrets).map(([what, bytes]) => [`${of}: ${what}`, bytes]))

const carriedOut = async (orders: readonly Order[], secrets: Readonly<Record<string, Uint8Array>>) => {
  const masked = Object.entries(secrets).map(([of, bytes]) => ({ name: of, bytes: bytes.map((byte) => byte ^ mask) }))
  const ring = { keys: rings.cosigner?.keys() ?? [], isFiled: true, takesRunsOfBefore: false }
  const told: Told = { workerOptions, orders, ring, masked }
  const child = startChild('tests/adapters/service/opener.ts', {}, [serialize(told).toString('base64')])
  const said = await child.until(/^([\w+/=]+)\n/m)
  await child.ended
  return deserialize(Buffer.from(said, 'base64')) as Said
}

const changed = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))

describe.runIf(existsSync('/proc/self/mem'))('a process of the co-signer', () => {
  const [whole, broken, signing] = [wallet('DKLS'), wallet('DKLS'), wallet('ED25519')]
  const ofAnswers = frameKey()
  let said: Said

  beforeAll(async () => {
    const { job } = broken
    const orders = [
      step(whole.job),
      step({ ...job, sealedSeed: changed(job.sealedSeed) }),
      step({ ...job, sealedState: changed(job.sealedState ?? none) }),
      step({ ...job, sealedShare: changed(job.sealedShare ?? none) }),
      step({ ...job, sealedOt: changed(job.sealedOt ?? none) }),
      step(signature(signing)),
      ofAnswers.order,
    ]
    said = await carriedOut(orders, {
      ...named('whole', whole),
      ...named('broken', broken),
      ...named('signing', signing),
      ...ofAnswers.secrets,
    })
  })

  it('opens seed, state, share and OT record, with and without success, and signs, answers too', () => {
    expect(said.reports).toMatchObject([
      { outcome: { reason: 'no such step' } },
      { outcome: { reason: 'seed cannot be opened' } },
      { outcome: { reason: 'state cannot be opened' } },
      { outcome: { kind: 'unopened' } },
      { outcome: { reason: 'OT record cannot be opened' } },
      { outcome: { kind: 'done' } },
      { kind: 'sign' },
    ])
    expect(ofAnswers.secrets['data key of the frame key']).toHaveLength(32)
  })

  it('has none of them left in its memory', () => {
    expect(said.searched).toBeGreaterThan(10_000_000)
    expect([...new Set(said.found)]).toEqual([])
  })
})
