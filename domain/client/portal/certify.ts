/**
 * What the root key signs at the end of a page: that the session's device is the user's, and which keys and shares the
 * host may believe in. It goes to the host under a secret that the service never sees
 * (domain/client/README.md#sealed-result).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as OpenerMessages from '../../crypto/Opener.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import * as Wrap from '../../crypto/Wrap.ts'
import { Random } from '../ports/Random.ts'
import type { PortalSession } from './portalSession.ts'

/** 24 hours: a certificate lives as long as its session at most. */
const sessionLife = 24 * 60 * 60_000

type Finding = Pick<OpenerMessages.PortalSessionResult, 'userId' | 'credentialId' | 'wallets' | 'missing'>

/**
 * The fields of the commit. A page that had to ask certifies nothing. A page that returns by redirect cannot know that
 * the registered keys are the host's: its signatures are in the sealed result alone, and the host hands the certificate
 * in after it has found its own key there.
 */
export type Certified = {
  readonly deviceCertificate?: string
  readonly recoverySignature?: string
  readonly sealedResult?: string
}

export const certify = Effect.fn('portalSessions.certify')(function* (
  portalSession: PortalSession,
  rootSeed: Redacted.Redacted<Uint8Array>,
  found: Finding,
) {
  const seed = Redacted.value(rootSeed)
  const { admission, sessionId, devicePublicKey, openingId } = portalSession
  const nothing: Certified = {}
  if (admission.kind === 'asked' || sessionId === undefined || devicePublicKey === undefined) return nothing

  const issuedAt = (yield* Clock.currentTimeMillis) + portalSession.clockOffset
  const deviceCertificate = bytesToHex(
    RootKey.certifyDevice(seed, {
      userId: found.userId,
      partnerId: portalSession.partner.id,
      origin: portalSession.hostOrigin,
      sessionId,
      devicePublicKey: hexToBytes(devicePublicKey),
      issuedAt,
      expiresAt: issuedAt + sessionLife,
    }),
  )
  const recovery =
    admission.recoveryPublicKey === undefined || !makesRoot(portalSession)
      ? {}
      : { recoverySignature: signRecovery(seed, found.userId, admission.recoveryPublicKey) }
  const result: OpenerMessages.PortalSessionResult = {
    ...found,
    rootPublicKey: bytesToHex(RootKey.publicKeyOf(seed)),
    deviceCertificate,
    ...recovery,
  }
  const iv = yield* (yield* Random).bytes(Wrap.ivLength)
  const sealedResult = OpenerMessages.sealResult(admission.secret, openingId, result, iv)
  const certified: Certified =
    admission.kind === 'redirect' ? { sealedResult } : { deviceCertificate, sealedResult, ...recovery }
  return certified
})

/**
 * Only a root key that was made just now signs a recovery key. A root key that protects wallets of other apps would
 * open them to any app whose page asks for a signature over a key of its own.
 */
const makesRoot = ({ page }: PortalSession): boolean => page === 'create-password' || page === 'create-passkey'

const signRecovery = (seed: Uint8Array, userId: string, publicKey: string): string =>
  bytesToHex(RootKey.signRecipient(seed, { kind: 'RECOVERY', userId, publicKey: hexToBytes(publicKey) }))
