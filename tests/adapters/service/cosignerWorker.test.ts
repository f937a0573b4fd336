/** The co-signer's worker thread from inside: its own code and its own sealing, with a port that the test holds. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Instruction, WorkerOptions, Order, Report } from '../../../adapters/service/cosigner/messages.ts'
import { dayOf, quarterOf, runKeysIn } from '../../../adapters/service/vault/RunKeys.ts'
import { openRecord, sealRecord, sealRun } from '../../../adapters/service/vault/sealing.ts'
import { shareKeysIn } from '../../../adapters/service/vault/ShareKeys.ts'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Export from '../../../domain/crypto/Export.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as ShareRecord from '../../../domain/mpc/ShareRecord.ts'
import type { OpenerAnswer } from '../../../domain/service/Export.ts'
import type { Job, Reattachment } from '../../../domain/service/ports/CosignerEngine.ts'
import type { ProviderShare } from '../../../domain/service/ports/ProviderShares.ts'
import {
  capsuleAssociatedData,
  cosignerKeyAssociatedData,
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
  stateAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { dealShares } from '../../kit/toyProtocols.ts'
import { ringsOfKey } from '../../kit/rings.ts'
import { someFrame } from '../../kit/someFrame.ts'

/** The thread's side of its port, and every secret that the thread opened. */
const inside = vi.hoisted(() => ({
  workerOptions: undefined as WorkerOptions | undefined,
  hear: undefined as ((instruction: Instruction) => void) | undefined,
  said: [] as Report[],
  opened: [] as Uint8Array[],
  /** Of the ring, as they were given to it. */
  keys: [] as Uint8Array[],
}))

vi.mock('node:worker_threads', () => ({
  get workerData() {
    return inside.workerOptions
  },
  parentPort: {
    on: (_: string, hear: typeof inside.hear) => void (inside.hear = hear),
    postMessage: (report: Report) => void inside.said.push(report),
  },
}))
vi.mock(import('../../../adapters/service/vault/sealing.ts'), async (original) => {
  const real = await original()
  const noting =
    <Input extends unknown[]>(open: (...input: Input) => Uint8Array | undefined) =>
    (...input: Input) => {
      const secret = open(...input)
      if (secret !== undefined) inside.opened.push(secret)
      return secret
    }
  return { ...real, openRecord: noting(real.openRecord), openRun: noting(real.openRun) }
})
vi.mock(import('../../../domain/mpc/ShareRecord.ts'), async (original) => {
  const real = await original()
  const decode: typeof real.decode = (bytes) => {
    const share = real.decode(bytes)
    if (share !== undefined) inside.opened.push(share.secret)
    return share
  }
  return { ...real, decode }
})

const folder = mkdtempSync(join(tmpdir(), 'tandem-worker-'))
const key = randomBytes(32)
const rings = ringsOfKey(key)
const [runKeysFolder, shareKeysFolder] = [join(folder, 'run-keys'), join(folder, 'share-keys')]
const runKeys = runKeysIn(runKeysFolder)
const keys = { rings, shareKeys: shareKeysIn(shareKeysFolder) }
const generation = randomUUID()
const now = Date.now()
const walletId = randomUUID()
const root = randomBytes(32)
const rootPublicKey = RootKey.publicKeyOf(root)
const { provider } = dealShares('DKLS', { walletId, rootPublicKey }, (length) => randomBytes(length))
const sharing = { walletId, epoch: 1, shareId: bytesToHex(provider.shareId) }
const sealedShare = sealRecord(keys, shareAssociatedData(sharing), ShareRecord.encode(provider))

const sealedFor = cosignerKeyAssociatedData('worker')
const sealedKey = sealRecord(keys, sealedFor, randomBytes(CosignerKey.secretKeyLength))

beforeAll(async () => {
  inside.workerOptions = { runKeysFolder, shareKeysFolder, kernel: undefined }
  await import('../../../adapters/service/cosigner/worker.ts')
})

beforeEach(() => {
  inside.said.length = 0
  inside.opened.length = 0
})

afterAll(() => rmSync(folder, { recursive: true }))

const tell = (order: Order): Report | undefined => {
  // Its own copy, as a message brings it.
  const ring = structuredClone({ keys: rings.cosigner?.keys() ?? [], isFiled: true, takesRunsOfBefore: false })
  inside.hear?.({ order, ring })
  inside.keys.push(...ring.keys.map((one) => one.key))
  return inside.said.at(-1)
}

const isWiped = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

describe('a step', () => {
  const otId = randomBytes(32)
  const context: Job['context'] = {
    kind: 'sign',
    scheme: 'DKLS',
    protocolId: randomUUID(),
    walletId,
    userId: 'user',
    partnerId: 'partner',
    deviceKeyThumb: new Uint8Array(32),
    epoch: 1,
    attempt: new Uint8Array(16),
    shareId: provider.shareId,
    otId,
    rootPublicKey,
  }
  const sealed = (associatedData: Parameters<typeof sealRun>[2]) =>
    sealRun({ rings, runKeys }, { generation, period: quarterOf(now) }, associatedData, randomBytes(32))
  const job: Job = {
    context,
    step: 9,
    generation,
    requestHashes: [new Uint8Array(32)],
    request: new Uint8Array(0),
    sealedSeed: sealed(seedAssociatedData(context)),
    sealedState: sealed(stateAssociatedData(context, 8)),
    sealedShare,
    sealedOt: sealRecord(keys, otAssociatedData(sharing, bytesToHex(otId)), randomBytes(300)),
    newRoot: false,
  }
  const step = (changes: Partial<Job> = {}) => tell({ kind: 'step', id: 1, job: { ...job, ...changes }, now })

  it('wipes what it opened: seed, state, share and OT record', () => {
    expect(step()).toMatchObject({ outcome: { kind: 'abort', reason: 'no such step' } })

    expect(inside.opened.map(({ length }) => length)).toEqual([32, 32, expect.any(Number), 32, 300])
    expect(inside.opened.map(isWiped)).toEqual([true, true, true, true, true])
  })

  it('opens neither seed nor state half an hour later', () => {
    const later = { kind: 'step', id: 1, job, now: now + 30 * 60_000 } as const
    expect(tell(later)).toMatchObject({ outcome: { kind: 'lapsed', reason: 'seed cannot be opened' } })
    expect(inside.opened).toEqual([])
  })

  it.each([
    ['with its seed alone', 3, 'lapsed', 'seed cannot be opened'],
    // What the step itself says of no message: its state was opened.
    ['with the state of a day alone', 4, 'abort', 'request hash'],
  ] as const)('half an hour later computes a key generation %s at request %s', (_, number, kind, reason) => {
    const keygen: Job['context'] = { ...context, kind: 'keygen', shareId: new Uint8Array(0), otId: new Uint8Array(0) }
    const sealedState = sealRun(
      { rings, runKeys },
      { generation, period: dayOf(now) },
      stateAssociatedData(keygen, number - 1),
      randomBytes(48),
    )
    const requestHashes = Array.from({ length: number }, () => new Uint8Array(32))
    const of = { ...job, context: keygen, step: number, requestHashes, sealedState, sealedShare: null, sealedOt: null }
    const report = tell({ kind: 'step', id: 1, job: of, now: now + 30 * 60_000 })
    expect(report).toMatchObject({ outcome: { kind, reason } })
  })

  it('wipes the others where one of them cannot be opened', () => {
    const reason = 'share under this root key cannot be opened'
    expect(step({ context: { ...context, rootPublicKey: randomBytes(32) } })).toMatchObject({ outcome: { reason } })

    expect(inside.opened.map(isWiped)).toEqual([true, true, true, true])
  })

  it('wipes them where it fails, and ends its thread', () => {
    const broken = { ...context, scheme: 'NONE' as 'DKLS' }
    expect(() => step({ context: broken })).toThrow(TypeError)

    expect(inside.said).toEqual([])
    expect(inside.opened.map(isWiped)).toEqual([true, true, true, true, true])
  })
})

describe('the provider’s half of a key', () => {
  const [device, recipient] = [p256.utils.randomSecretKey(), Uint8Array.from(randomBytes(32))]
  const recipientPublicKey = Hpke.publicKeyOf(recipient)
  const [sessionId, userId] = [randomUUID(), randomUUID()]
  const owner = {
    userId,
    partnerId: randomUUID(),
    origin: '',
    sessionId,
    devicePublicKey: p256.getPublicKey(device, false),
  }
  const certificate = RootKey.certifyDevice(root, { ...owner, issuedAt: now, expiresAt: now + 60_000 })

  /** The report on an answer that the user's device signed for a page of this kind and record. */
  const exported = (page: OpenerAnswer['portalSession']['page'], recordId: string) => {
    const portalSession = { id: randomUUID(), sessionId, portalOrigin: 'https://portal.example', page, recordId }
    const [ticket, hostSecretHash] = [randomBytes(32), randomBytes(32)]
    const message = DeviceKey.openerMessageOf({
      openingId: portalSession.id,
      sessionId,
      portalOrigin: portalSession.portalOrigin,
      page,
      record: recordId,
      nonce: Export.nonceOf(recipientPublicKey),
      ticket,
      hostSecretHash,
    })
    const answer: OpenerAnswer = {
      portalSession,
      ticket,
      recipientPublicKey: bytesToHex(recipientPublicKey),
      hostSecretHash: bytesToHex(hostSecretHash),
      deviceSignature: bytesToHex(p256.sign(message, device, { prehash: true })),
    }
    const answerer = { ...owner, certificate }
    const { epoch, shareId, serverPublic, publicKey } = provider
    const report = tell({
      kind: 'export',
      id: 2,
      asked: { walletId, epoch, shareId, sealedShare, answerer, answer, now },
    })
    if (report?.kind !== 'export') throw new Error('no report of an export')
    const binding = {
      walletId,
      shareId,
      epoch,
      openingId: portalSession.id,
      sessionId,
      userId,
      serverPublic,
      publicKey,
    }
    return report.sealed && Export.open(binding, report.sealed, recipient)
  }

  it('is sealed to an export page that the user’s device answered, and wiped', () => {
    expect(exported('export', walletId)).toEqual(provider.secret)

    expect(inside.opened.map(isWiped)).toEqual([true, true])
  })

  it.each<readonly [string, OpenerAnswer['portalSession']['page'], string]>([
    ['a page of another kind', 'create-password', walletId],
    ['the export page of another wallet', 'export', randomUUID()],
  ])('is not sealed to %s that the user’s device answered, and wiped', (_, page, recordId) => {
    expect(exported(page, recordId)).toBeUndefined()

    expect(inside.opened.map(isWiped)).toEqual([true, true])
  })
})

describe('the provider’s share in its row', () => {
  const opens = (changes: Partial<ProviderShare> = {}) =>
    tell({ kind: 'opens', id: 6, share: { ...sharing, sealed: sealedShare, ...changes } })

  it('opens, and is wiped', () => {
    expect(opens()).toEqual({ kind: 'opens', id: 6, opens: true })
    expect(inside.opened.map(isWiped)).toEqual([true, true])
  })

  it.each<readonly [string, Partial<ProviderShare>]>([
    ['of another sharing', { shareId: 'ab'.repeat(32) }],
    ['of another epoch', { epoch: 2 }],
    ['of another wallet', { walletId: randomUUID() }],
    ['that was changed', { sealed: sealedShare.map((byte, index) => (index === 80 ? byte ^ 1 : byte)) }],
  ])('%s does not open', (_, changes) => {
    expect(opens(changes)).toEqual({ kind: 'opens', id: 6, opens: false })
  })
})

describe('a capsule', () => {
  const sealedAs = (share: ShareRecord.ShareRecord, epoch = 1) =>
    sealRecord(keys, capsuleAssociatedData(walletId, epoch), ShareRecord.encode(share))
  const { scheme, shareId, publicKey } = provider
  const own: Reattachment = {
    scheme,
    walletId,
    epoch: 1,
    shareId,
    of: { publicKey, rootPublicKey },
    capsule: sealedAs(provider),
  }
  const reattached = (changes: Partial<Reattachment> = {}) => {
    const report = tell({ kind: 'reattach', id: 4, asked: { ...own, ...changes } })
    if (report?.kind !== 'reattach') throw new Error('no report of a capsule')
    return report.reattached
  }

  it.each([own.of, undefined])('is sealed for the row of the provider’s share, with its key, and wiped', (of) => {
    const { sealed, ...key } = reattached({ of }) ?? { sealed: new Uint8Array(0) }
    expect(inside.opened.map(isWiped)).toEqual([true, true])

    expect(key).toEqual(own.of)
    expect(openRecord(keys, shareAssociatedData(sharing), sealed)).toEqual(ShareRecord.encode(provider))
    expect(openRecord(keys, capsuleAssociatedData(walletId, 1), sealed)).toBeUndefined()
  })

  const reissued = (changes: Partial<Reattachment> = {}) => {
    const report = tell({ kind: 'reissue', id: 5, asked: { ...own, ...changes } })
    if (report?.kind !== 'reissue') throw new Error('no report of a capsule')
    return report.capsule
  }

  it('under the active key comes back as it is, and wiped', () => {
    expect(reissued()).toEqual(own.capsule)
    expect(inside.opened.map(isWiped)).toEqual([true, true])
  })

  it.each<readonly [string, Partial<Reattachment>]>([
    ['another scheme', { scheme: 'ED25519' }],
    ['another sharing', { shareId: randomBytes(32) }],
    ['another key', { of: { publicKey: randomBytes(33), rootPublicKey } }],
    ['another root key', { of: { publicKey, rootPublicKey: randomBytes(32) } }],
    ['no root key', { of: { publicKey, rootPublicKey: new Uint8Array(0) } }],
    ['the user’s half', { capsule: sealedAs({ ...provider, role: 'USER' }) }],
    ['another wallet inside', { capsule: sealedAs({ ...provider, walletId: randomUUID() }) }],
    ['another epoch inside', { capsule: sealedAs({ ...provider, epoch: 2 }) }],
  ])('of %s is refused, and wiped', (_, changes) => {
    expect([reattached(changes), reissued(changes)]).toEqual([undefined, undefined])
    expect(inside.opened.map(isWiped)).toEqual([true, true, true, true])
  })

  it.each<readonly [string, Partial<Reattachment>]>([
    ['another epoch', { epoch: 2 }],
    ['another wallet', { walletId: randomUUID() }],
    ['another place', { capsule: sealedShare }],
    ['no bytes', { capsule: new Uint8Array(0) }],
  ])('of %s does not open', (_, changes) => {
    expect([reattached(changes), reissued(changes)]).toEqual([undefined, undefined])
    expect(inside.opened).toEqual([])
  })
})

it('wipes the frame key, and the keys of the ring, once an answer is signed', () => {
  const answer = { status: 'OK', body: Uint8Array.of(1) } as const
  const report = tell({ kind: 'sign', id: 3, request: someFrame, answer, sealedKey, sealedFor })

  expect(report).toMatchObject({ kind: 'sign', id: 3 })
  expect(inside.opened.map(isWiped)).toEqual([true])
  expect([inside.keys.length > 0, inside.keys.every(isWiped)]).toEqual([true, true])
})
