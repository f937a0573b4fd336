/**
 * A worker thread of the co-signer: the only place where provider shares, OT records, seeds and run states are opened,
 * where protocol steps are computed, and where answers are signed. It wipes what it opens and seals what it makes.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import { equal } from '../../../domain/crypto/Equal.ts'
import * as Export from '../../../domain/crypto/Export.ts'
import { wipe } from '../../../domain/crypto/wipe.ts'
import { isShareOfKey } from '../../../domain/mpc/dkls/exportKey.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import * as MpcFrame from '../../../domain/mpc/Frame.ts'
import type { Result, ServerAnswer, ServerInput } from '../../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../../domain/mpc/protocols.ts'
import * as ShareRecord from '../../../domain/mpc/ShareRecord.ts'
import { isAskedByUser } from '../../../domain/service/Export.ts'
import type {
  Job,
  Made,
  Reattached,
  Reattachment,
  ShareExport,
  StepOutcome,
} from '../../../domain/service/ports/CosignerEngine.ts'
import type { ProviderShare } from '../../../domain/service/ports/ProviderShares.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import type { AssociatedData } from '../../../domain/service/ports/Vault.ts'
import {
  capsuleAssociatedData,
  otAssociatedData,
  seedAssociatedData,
  shareAssociatedData,
  stateAssociatedData,
} from '../../../domain/service/protocol/associatedData.ts'
import { openssl } from '../node/Signatures.ts'
import { ringOfHeld, type HeldKeys, type Rings } from '../vault/KeyRing.ts'
import { dayOf, quarterOf, runKeysIn, type RunKeys } from '../vault/RunKeys.ts'
import { kernelOf } from '../../../wasm/Kernel.ts'
import { keyIdOf, openRecord, openRun, sealRecord, sealRun, type RecordKeys } from '../vault/sealing.ts'
import { shareKeysIn } from '../vault/ShareKeys.ts'
import { isUnderRoot } from './rootOfShare.ts'
import type { Instruction, WorkerOptions, Order, Report } from './messages.ts'

const { runKeysFolder, shareKeysFolder, kernel } = workerData as WorkerOptions
const noKeys: HeldKeys = { keys: [], isFiled: true, takesRunsOfBefore: false }
let held = noKeys
const rings: Rings = { cosigner: ringOfHeld(() => held) }
const keys: RecordKeys = { rings, shareKeys: shareKeysIn(shareKeysFolder) }
const arithmetic = kernel === undefined ? noble : kernelOf(kernel)

type StepOrder = Extract<Order, { kind: 'step' }>

const step = (order: StepOrder): StepOutcome => {
  const { job } = order
  // Read from disk for each step, so that no thread keeps a destroyed key in memory.
  const runKeys = runKeysIn(runKeysFolder)
  const opened: Uint8Array[] = []
  const open = (secret: Uint8Array | undefined, what: string): Uint8Array => {
    if (secret === undefined) throw new Unopened(what)
    opened.push(secret)
    return secret
  }
  try {
    return sealed(order, runKeys, answerTo(job, inputOf(order, runKeys, open)))
  } catch (cause) {
    if (cause instanceof ShareUnopened) return { kind: 'unopened' }
    if (cause instanceof Unopened) return { kind: 'lapsed', reason: `${cause.message} cannot be opened` }
    throw cause
  } finally {
    for (const secret of opened) secret.fill(0)
  }
}

/**
 * The last request of a key generation, CONFIRM, may come a day later, when the run's seed does not open any more. It is
 * computed from the state alone and draws nothing, so it gets any seed.
 */
const confirmationOf = ({ kind, scheme }: Job['context']): number | undefined =>
  kind === 'keygen' ? protocolOf(scheme, kind)?.server.length : undefined

/** The step's input, unsealed. `open` remembers what to wipe. */
const inputOf = (
  { job, now }: StepOrder,
  runKeys: RunKeys,
  open: (secret: Uint8Array | undefined, what: string) => Uint8Array,
): ServerInput => {
  const { context, generation, request, requestHashes, sealedState, sealedShare, sealedOt } = job
  const { walletId, epoch, otId } = context
  const sharing = { walletId, epoch, shareId: bytesToHex(context.shareId) }
  const run = (associatedData: AssociatedData, bytes: Uint8Array) =>
    openRun({ rings, runKeys }, { generation, now }, associatedData, bytes)
  const record = (associatedData: AssociatedData, bytes: Uint8Array) => openRecord(keys, associatedData, bytes)
  const isConfirmation = job.step === confirmationOf(context)
  const seed = open(isConfirmation ? randomBytes(32) : run(seedAssociatedData(context), job.sealedSeed), 'seed')
  const state =
    sealedState === null ? none : open(run(stateAssociatedData(context, job.step - 1), sealedState), 'state')
  const input: ServerInput = { context, seed, requestHashes, state, request, arithmetic }
  if (sealedShare === null) return input
  const sealedBytes = record(shareAssociatedData(sharing), sealedShare)
  if (sealedBytes === undefined) throw new ShareUnopened()
  const share = ShareRecord.decode(open(sealedBytes, 'share'))
  if (share === undefined) throw new Unopened('share')
  open(share.secret, 'share')
  if (!isUnderRoot(share, job)) throw new Unopened('share under this root key')
  if (sealedOt === null) return { ...input, share }
  return { ...input, share, ot: open(record(otAssociatedData(sharing, bytesToHex(otId)), sealedOt), 'OT record') }
}

const answerTo = ({ context, step: number }: Job, input: ServerInput): ServerAnswer => {
  const serverStep = protocolOf(context.scheme, context.kind)?.server[number - 1]
  return serverStep === undefined ? { kind: 'abort', reason: 'no such step' } : serverStep(input)
}

/** The answer with its secrets sealed for their rows. */
const sealed = ({ job, now }: StepOrder, runKeys: RunKeys, answer: ServerAnswer): StepOutcome => {
  switch (answer.kind) {
    case 'answer': {
      const { response, state } = answer
      const associatedData = stateAssociatedData(job.context, job.step)
      const isPrepared = job.step + 1 === confirmationOf(job.context)
      const time = { generation: job.generation, period: isPrepared ? dayOf(now) : quarterOf(now) }
      const sealedState = sealRun({ rings, runKeys }, time, associatedData, state)
      state.fill(0)
      return { kind: 'answer', response, sealedState }
    }
    case 'done':
      return { kind: 'done', response: answer.response, made: made(job.context, answer.result) }
    default:
      return answer
  }
}

const made = ({ kind, walletId, epoch, shareId }: Job['context'], { share, ot, otId, signature }: Result): Made => {
  const sharing = { walletId, epoch: share?.epoch ?? epoch, shareId: bytesToHex(share?.shareId ?? shareId) }
  return {
    ...(kind !== 'attach' && share !== undefined ? { share: sealedShareOf(share, sharing) } : {}),
    ...(ot !== undefined && otId !== undefined ? { ot: sealedOtOf(ot, otId, sharing) } : {}),
    ...(signature === undefined ? {} : { signature }),
  }
}

const sealedShareOf = (share: ShareRecord.ShareRecord, sharing: Sharing) => {
  const bytes = ShareRecord.encode(share)
  const { shareId, publicKey } = share
  try {
    const sealedBytes = sealRecord(keys, shareAssociatedData(sharing), bytes)
    const capsule = sealRecord(keys, capsuleAssociatedData(sharing.walletId, sharing.epoch), bytes)
    return { shareId, publicKey, sealed: sealedBytes, capsule }
  } finally {
    wipe(bytes, share.secret)
  }
}

const sealedOtOf = (ot: Uint8Array, otId: Uint8Array, sharing: Sharing) => {
  try {
    return { otId, sealed: sealRecord(keys, otAssociatedData(sharing, bytesToHex(otId)), ot) }
  } finally {
    wipe(ot)
  }
}

/**
 * Runs `use` with the provider's share of this sharing and wipes it; `undefined` if it does not open, or if it says
 * that it is of another wallet or sharing.
 */
const withShare = <A>(
  associatedData: AssociatedData,
  sealedShare: Uint8Array,
  { walletId, epoch, shareId }: { readonly walletId: string; readonly epoch: number; readonly shareId: Uint8Array },
  use: (share: ShareRecord.ShareRecord, bytes: Uint8Array) => A | undefined,
): A | undefined => {
  const bytes = openRecord(keys, associatedData, sealedShare)
  const share = bytes === undefined ? undefined : ShareRecord.decode(bytes)
  try {
    if (bytes === undefined || share?.role !== 'PROVIDER') return undefined
    const isOfSharing = share.walletId === walletId && share.epoch === epoch && equal(share.shareId, shareId)
    return isOfSharing ? use(share, bytes) : undefined
  } finally {
    bytes?.fill(0)
    share?.secret.fill(0)
  }
}

/**
 * The provider's scalar, sealed to the user's page that requests it. Wallet, sharing, device and page are checked here
 * against the sealed share, because the database may have been changed (domain/service/README.md#key-export).
 */
const exportShare = (asked: ShareExport): string | undefined => {
  const { walletId, epoch, shareId, sealedShare, answerer, answer, now } = asked
  const associatedData = shareAssociatedData({ walletId, epoch, shareId: bytesToHex(shareId) })
  return withShare(associatedData, sealedShare, asked, (share) => {
    const isAsked =
      answer.portalSession.page === 'export' &&
      answer.portalSession.recordId === walletId &&
      isShareOfKey(arithmetic, share) &&
      isAskedByUser(share.rootPublicKey, answerer, answer, now)
    if (!isAsked) return undefined
    const { sessionId, id: openingId } = answer.portalSession
    const { serverPublic, publicKey } = share
    const binding = { walletId, shareId, epoch, openingId, sessionId, userId: answerer.userId, serverPublic, publicKey }
    return Export.seal(binding, share.secret, {
      recipientPublicKey: hexToBytes(answer.recipientPublicKey),
      ephemeralSecretKey: randomBytes(32),
    })
  })
}

const opens = (row: ProviderShare): boolean => {
  const sharing = { ...row, shareId: hexToBytes(row.shareId) }
  return withShare(shareAssociatedData(row), row.sealed, sharing, () => true) ?? false
}

/** Runs `use` with the bytes of the share in the capsule; `undefined` if it is of something else than is asked. */
const withCapsule = <A>(
  asked: Reattachment,
  use: (bytes: Uint8Array, share: ShareRecord.ShareRecord) => A,
): A | undefined => {
  const { scheme, walletId, epoch, of, capsule } = asked
  return withShare(capsuleAssociatedData(walletId, epoch), capsule, asked, (share, bytes) => {
    const isOfKey =
      of === undefined || (equal(share.publicKey, of.publicKey) && equal(share.rootPublicKey, of.rootPublicKey))
    return share.scheme === scheme && isOfKey ? use(bytes, share) : undefined
  })
}

const reattach = (asked: Reattachment): Reattached | undefined => {
  const { walletId, epoch, shareId } = asked
  const associatedData = shareAssociatedData({ walletId, epoch, shareId: bytesToHex(shareId) })
  return withCapsule(asked, (bytes, { publicKey, rootPublicKey }) => ({
    sealed: sealRecord(keys, associatedData, bytes),
    publicKey: publicKey.slice(),
    rootPublicKey: rootPublicKey.slice(),
  }))
}

const reissue = (asked: Reattachment): Uint8Array | undefined => {
  const { walletId, epoch, capsule } = asked
  return withCapsule(asked, (bytes) =>
    keyIdOf(capsule) === rings.cosigner?.active().id
      ? capsule
      : sealRecord(keys, capsuleAssociatedData(walletId, epoch), bytes),
  )
}

/** Runs `use` with the frame key and wipes it. */
const withFrameKey = <A>(
  { sealedKey, sealedFor }: Extract<Order, { kind: 'sign' }>,
  use: (secretKey: Uint8Array) => A,
): A => {
  const secretKey = openRecord(keys, sealedFor, sealedKey)
  if (secretKey === undefined) throw new Unopened('the frame key of the co-signer')
  try {
    return use(secretKey)
  } finally {
    secretKey.fill(0)
  }
}

const report = (order: Order): Report => {
  const { id } = order
  switch (order.kind) {
    case 'step':
      return { kind: 'step', id, outcome: step(order) }
    case 'sign':
      return {
        kind: 'sign',
        id,
        signed: withFrameKey(order, (key) => MpcFrame.signAnswer(key, order.request, order.answer, openssl)),
      }
    case 'export':
      return { kind: 'export', id, sealed: exportShare(order.asked) }
    case 'reattach':
      return { kind: 'reattach', id, reattached: reattach(order.asked) }
    case 'reissue':
      return { kind: 'reissue', id, capsule: reissue(order.asked) }
    case 'opens':
      return { kind: 'opens', id, opens: opens(order.share) }
  }
}

/** Sealed with other associated data or under a key that is gone, or changed since. */
class Unopened extends Error {}

/** The share key may be lost; the device's capsule restores the share. */
class ShareUnopened extends Error {}

const none = new Uint8Array(0)

const port = parentPort
if (port === null) throw new Error('this file is a worker thread of the co-signer')
// An exception here is a bug: the thread ends, the order fails as busy, and the pool spawns another thread.
port.on('message', ({ order, ring }: Instruction) => {
  held = ring
  try {
    port.postMessage(report(order))
  } finally {
    wipe(...ring.keys.map(({ key }) => key))
    held = noKeys
  }
})
