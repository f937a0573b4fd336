/** By which root key the device that sends a frame is certified. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { fromHex } from '../../crypto/Hex.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import { Caller } from '../Caller.ts'
import { isDelegated } from '../Delegation.ts'
import { allowsUnprovenClients } from '../Partner.ts'
import { Deployment } from '../ports/Deployment.ts'
import { Signatures } from '../ports/Signatures.ts'
import type { Request } from './Plan.ts'
import { DeviceNotCertified } from './refusals.ts'

/**
 * The device is the user's: the root key that the wallet is pinned to signed its certificate. A wallet without a root
 * key belongs to a public client, whose sessions have no certificates (domain/service/README.md#callers-and-sessions). The
 * device of a delegated session has its right from one that is certified.
 */
export const requireCertificate = Effect.fnUntraced(function* (
  { session, userId, devicePublicKey }: Request,
  rootPublicKey: string,
) {
  const { partner } = yield* Caller
  const signatures = yield* Signatures
  const now = yield* Clock.currentTimeMillis
  if (session.delegation !== null) {
    if (isDelegated(rootPublicKey, session, session.delegation, now, signatures)) return
    return yield* new DeviceNotCertified()
  }
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
  const checked = RootKey.checkCertificate(root, certificate, device, now, signatures.ed25519)
  if (Result.isFailure(checked)) return yield* new DeviceNotCertified()
})
