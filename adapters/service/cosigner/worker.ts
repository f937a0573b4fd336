/**
 * A worker thread of the co-signer: the only place where provider shares, OT state, seeds and run states are opened,
 * where arithmetic is done, and where answers are signed (design 8.21). What it opens it wipes; what it makes it seals.
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
import type { Job, Made, Outcome, Reattachment, ShareExport } from '../../../domain/service/ports/CosignerEngine.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import type { Place } from '../../../domain/service/ports/Vault.ts'
import {
  capsulePlace,
  cosignerKeyPlace,
  otPlace,
  seedPlace,
  sharePlace,
  statePlace,
} from '../../../domain/service/protocol/places.ts'
import { dayOf, runKeysIn, type RunKeys } from '../vault/RunKeys.ts'
import { kernelOf } from '../../../wasm/Kernel.ts'
import { openRecord, openRun, sealRecord, sealRun, type RecordKeys } from '../vault/sealing.ts'
import { shareKeysIn } from '../vault/ShareKeys.ts'
import type { Equipment, Order, Report } from './messages.ts'

const { name, sealedKey, keyEncryptionKey, runKeysFolder, shareKeysFolder, kernel } = workerData as Equipment
const keys: RecordKeys = { keyEncryptionKey, shareKeys: shareKeysIn(shareKeysFolder) }
const arithmetic = kernel === undefined ? noble : kernelOf(kernel)

type StepOrder = Extract<Order, { kind: 'step' }>

const step = (order: StepOrder): Outcome => {
  const { job } = order
  // Read anew for each step: a key that was destroyed is not kept alive in a thread's memory (mpc-review 3).
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
    if (cause instanceof Unopened) return { kind: 'abort', reason: `${cause.message} cannot be opened` }
    throw cause
  } finally {
    for (const secret of opened) secret.fill(0)
  }
}

/** The step's input, with everything sealed opened by `open`, which remembers what to wipe. */
const inputOf = (
  { job }: StepOrder,
  runKeys: RunKeys,
  open: (secret: Uint8Array | undefined, what: string) => Uint8Array,
): ServerInput => {
  const { context, incarnation, request, requestHashes, sealedState, sealedShare, sealedOt, newRoot } = job
  const { walletId, epoch, otId } = context
  const sharing = { walletId, epoch, shareId: bytesToHex(context.shareId) }
  const run = (place: Place, bytes: Uint8Array) => openRun(runKeys, incarnation, place, bytes)
  const record = (place: Place, bytes: Uint8Array) => openRecord(keys, place, bytes)
  const seed = open(run(seedPlace(context), job.sealedSeed), 'seed')
  const state = sealedState === null ? none : open(run(statePlace(context, job.step - 1), sealedState), 'state')
  const input: ServerInput = { context, seed, requestHashes, state, request, arithmetic }
  if (sealedShare === null) return input
  const sealedBytes = record(sharePlace(sharing), sealedShare)
  if (sealedBytes === undefined) throw new ShareUnopened()
  const share = ShareRecord.decode(open(sealedBytes, 'share'))
  if (share === undefined) throw new Unopened('share')
  open(share.secret, 'share')
  // The sealed share says which root key certifies devices; the database may have been told another (flows 5.3). A new one
  // takes a refresh, and that the user's half of this very sharing (flows 10.6).
  const movesRoot = newRoot && context.kind === 'refresh' && context.rootPublicKey.length === 32
  if (!movesRoot && !equal(share.rootPublicKey, context.rootPublicKey)) throw new Unopened('share under this root key')
  if (sealedOt === null) return { ...input, share }
  return { ...input, share, ot: open(record(otPlace(sharing, bytesToHex(otId)), sealedOt), 'OT record') }
}

const answerTo = ({ context, step: number }: Job, input: ServerInput): ServerAnswer => {
  const serverStep = protocolOf(context.scheme, context.kind)?.server[number - 1]
  return serverStep === undefined ? { kind: 'abort', reason: 'no such step' } : serverStep(input)
}

/** The answer with its secrets sealed for where they will rest. */
const sealed = ({ job, now }: StepOrder, runKeys: RunKeys, answer: ServerAnswer): Outcome => {
  switch (answer.kind) {
    case 'answer': {
      const { response, state } = answer
      const place = statePlace(job.context, job.step)
      const sealedState = sealRun(runKeys, { incarnation: job.incarnation, day: dayOf(now) }, place, state)
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
    const sealedBytes = sealRecord(keys, sharePlace(sharing), bytes)
    const capsule = sealRecord(keys, capsulePlace(sharing.walletId, sharing.epoch), bytes)
    return { shareId, publicKey, sealed: sealedBytes, capsule }
  } finally {
    wipe(bytes, share.secret)
  }
}

const sealedOtOf = (ot: Uint8Array, otId: Uint8Array, sharing: Sharing) => {
  try {
    return { otId, sealed: sealRecord(keys, otPlace(sharing, bytesToHex(otId)), ot) }
  } finally {
    wipe(ot)
  }
}

/**
 * The provider's scalar, sealed to the page of the user that asks for it. The wallet, the sharing, the device and the
 * page are checked here by what the sealed share says, whatever the database was told.
 */
const exportShare = (asked: ShareExport): string | undefined => {
  const { walletId, epoch, shareId, sealedShare, answerer, answer, now } = asked
  const bytes = openRecord(keys, sharePlace({ walletId, epoch, shareId: bytesToHex(shareId) }), sealedShare)
  const share = bytes === undefined ? undefined : ShareRecord.decode(bytes)
  try {
    const isAsked =
      share?.role === 'PROVIDER' &&
      share.walletId === walletId &&
      share.epoch === epoch &&
      equal(share.shareId, shareId) &&
      answer.opening.page === 'export' &&
      answer.opening.recordId === walletId &&
      isShareOfKey(arithmetic, share) &&
      isAskedByUser(share.rootPublicKey, answerer, answer, now)
    if (!isAsked) return undefined
    const { sessionId, id: openingId } = answer.opening
    const { serverPublic, publicKey } = share
    const binding = { walletId, shareId, epoch, openingId, sessionId, userId: answerer.userId, serverPublic, publicKey }
    return Export.seal(binding, share.secret, {
      recipientPublicKey: hexToBytes(answer.recipientPublicKey),
      ephemeralSecretKey: randomBytes(32),
    })
  } finally {
    bytes?.fill(0)
    share?.secret.fill(0)
  }
}

const reattach = (asked: Reattachment): Uint8Array | undefined => {
  const { scheme, walletId, epoch, shareId, publicKey, rootPublicKey, capsule } = asked
  const bytes = openRecord(keys, capsulePlace(walletId, epoch), capsule)
  const share = bytes === undefined ? undefined : ShareRecord.decode(bytes)
  try {
    const isOfSharing =
      share?.role === 'PROVIDER' &&
      share.scheme === scheme &&
      share.walletId === walletId &&
      share.epoch === epoch &&
      equal(share.shareId, shareId) &&
      equal(share.publicKey, publicKey) &&
      equal(share.rootPublicKey, rootPublicKey)
    if (bytes === undefined || !isOfSharing) return undefined
    return sealRecord(keys, sharePlace({ walletId, epoch, shareId: bytesToHex(shareId) }), bytes)
  } finally {
    bytes?.fill(0)
    share?.secret.fill(0)
  }
}

/** The frame key, for as long as `use` takes. */
const withFrameKey = <A>(use: (secretKey: Uint8Array) => A): A => {
  const secretKey = openRecord(keys, cosignerKeyPlace(name), sealedKey)
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
      return { kind: 'sign', id, signed: withFrameKey((key) => MpcFrame.signAnswer(key, order.request, order.answer)) }
    case 'export':
      return { kind: 'export', id, sealed: exportShare(order.asked) }
    case 'reattach':
      return { kind: 'reattach', id, sealed: reattach(order.asked) }
  }
}

/** Sealed for another place, under a key that is gone, or changed since. */
class Unopened extends Error {}

/** Its share key may be lost, which the device's capsule makes good. */
class ShareUnopened extends Error {}

const none = new Uint8Array(0)

const port = parentPort
if (port === null) throw new Error('this file is a worker thread of the co-signer')
// What is thrown here is a fault of ours: the thread ends, and the engine rejects the job and starts another.
port.on('message', (order: Order) => port.postMessage(report(order)))
