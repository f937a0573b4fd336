/**
 * Authentication of a frame: the co-signer's own check of session, device key, signature, wallet and certificate,
 * before anything else. A frame that fails here never reaches code that can end a run or lock a wallet.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import * as DeviceKey from '../../crypto/DeviceKey.ts'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import { NoSignedInUser } from '../../model/Session.ts'
import { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import { Caller } from '../Caller.ts'
import { allowsUnprovenClients } from '../Partner.ts'
import { CosignerEngine } from '../ports/CosignerEngine.ts'
import { Deployment } from '../ports/Deployment.ts'
import { Wallets } from '../ports/Wallets.ts'
import type { Recovery } from '../Recovery.ts'
import type { RunHeader } from '../Run.ts'
import type { Session } from '../Session.ts'
import type { WalletRecord } from '../Wallet.ts'
import { DeviceNotCertified, FrameRefused, InvalidFrame } from './refusals.ts'

export type Request = {
  readonly frame: MpcFrame.Frame
  readonly session: Session
  /** Present if the frame belongs to a recovery's refresh. */
  readonly recovery: Recovering | undefined
  readonly userId: string
  /** 65 bytes. */
  readonly devicePublicKey: Uint8Array
  /** Read without a lock. Decide nothing by it that can have changed since. */
  readonly wallet: WalletRecord
  /** hex(32) over all of the frame but its signature: the same request signed anew is the same request. */
  readonly hash: string
  readonly header: RunHeader
}

/** A recovery with a credential, whose root key certifies the device. */
export type Recovering = Recovery & { readonly credential: NonNullable<Recovery['credential']> }

/** Decodes and authenticates a frame; everything but the certificate, for which the plan has to be known. */
export const authenticate = Effect.fn('protocol.authenticate')(function* (bytes: Uint8Array) {
  const signed = MpcFrame.decode(bytes)
  if (signed === undefined) return yield* new InvalidFrame()
  const { frame, unsigned, signature } = signed
  const { session, recovery: begun } = yield* Caller
  if (session === undefined || session.userId === null || session.id !== frame.sessionId) {
    return yield* new NoSignedInUser()
  }
  const recovery = session.state === 'AUTHENTICATED' ? undefined : yield* recovering(begun, frame)
  const devicePublicKey = fromHex(session.devicePublicKey ?? '', DeviceKey.publicKeyLength)
  if (devicePublicKey === undefined) return yield* new FrameRefused()
  const { identity } = yield* CosignerEngine
  const isSigned =
    equal(frame.deviceKeyThumb, DeviceKey.thumbprint(devicePublicKey)) &&
    DeviceKey.verify(devicePublicKey, MpcFrame.signedMessage(identity.name, unsigned), signature)
  if (!isSigned) return yield* new FrameRefused()
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).find(frame.walletId))
  const isAbout = recovery?.walletIds.includes(frame.walletId) ?? wallet?.partnerId === session.partnerId
  if (wallet?.userId !== session.userId || !isAbout) return yield* new WalletDoesNotExist({ walletId: frame.walletId })
  const request: Request = {
    frame,
    session,
    recovery,
    userId: session.userId,
    devicePublicKey,
    wallet,
    hash: bytesToHex(sha256(unsigned)),
    header: {
      scheme: frame.scheme,
      sessionId: frame.sessionId,
      deviceKeyThumb: bytesToHex(frame.deviceKeyThumb),
      epoch: frame.epoch,
      shareId: bytesToHex(frame.shareId),
      attempt: bytesToHex(frame.attempt),
    },
  }
  return request
})

/** A recovery may send only the frames of a refresh. The root key of its credential certifies its device. */
const recovering = Effect.fnUntraced(function* (recovery: Recovery | undefined, { operation }: MpcFrame.Frame) {
  const isOfRefresh = operation === 'REFRESH' || operation === 'CONFIRM'
  if (recovery?.state !== 'READY' || !isOfRefresh) return yield* new NoSignedInUser()
  const { credential } = recovery
  return credential === null ? yield* new DeviceNotCertified() : { ...recovery, credential }
})

/**
 * The device is the user's: the root key that the wallet is pinned to signed its certificate. A wallet without a root
 * key belongs to a public client, whose sessions have no certificates (domain/service/README.md#callers-and-sessions).
 */
export const requireCertificate = Effect.fn('protocol.requireCertificate')(function* (
  { session, userId, devicePublicKey }: Request,
  rootPublicKey: string,
) {
  const { partner } = yield* Caller
  if (rootPublicKey === '') {
    const { environment } = yield* Deployment
    if (partner !== undefined && allowsUnprovenClients(partner, environment)) return
    return yield* new DeviceNotCertified()
  }
  const root = fromHex(rootPublicKey, 32)
  const certificate = fromHex(session.deviceCertificate ?? '')
  if (root === undefined || certificate === undefined) return yield* new DeviceNotCertified()
  const device = {
    userId,
    partnerId: session.partnerId,
    origin: session.origin ?? '',
    sessionId: session.id,
    devicePublicKey,
  }
  const now = yield* Clock.currentTimeMillis
  if (Result.isFailure(RootKey.checkCertificate(root, certificate, device, now))) return yield* new DeviceNotCertified()
})
