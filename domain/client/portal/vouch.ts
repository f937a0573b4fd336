/**
 * What the root key says at the end of a page (flows 3.7 to 3.9): that the session's device is the user's, and which
 * keys and shares the host may believe in. All of it goes to the host under a secret that the service never sees (flows
 * A3).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as OpenerMessages from '../../crypto/Opener.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import * as Wrap from '../../crypto/Wrap.ts'
import { Random } from '../ports/Random.ts'
import type { PortalOpening } from './opening.ts'

/** A certificate lives as long as its session may (flows 12): 24 hours. */
const sessionLife = 24 * 60 * 60_000

type Finding = Pick<OpenerMessages.OpeningResult, 'userId' | 'credentialId' | 'wallets' | 'missing'>

/**
 * The fields of the commit. A page that had to ask vouches for nothing. One that returns by redirect was never told by
 * its host which keys are his: what the root key says of the registered ones goes into the sealed result alone, and the
 * host hands it in once he has found them to be his own.
 */
export type Vouched = {
  readonly deviceCertificate?: string
  readonly recoverySignature?: string
  readonly sealedResult?: string
}

export const vouch = Effect.fn('openings.vouch')(function* (opening: PortalOpening, seed: Uint8Array, found: Finding) {
  const { admission, sessionId, devicePublicKey, openingId } = opening
  const nothing: Vouched = {}
  if (admission.kind === 'asked' || sessionId === undefined || devicePublicKey === undefined) return nothing

  const issuedAt = (yield* Clock.currentTimeMillis) + opening.clockOffset
  const deviceCertificate = bytesToHex(
    RootKey.certifyDevice(seed, {
      userId: found.userId,
      partnerId: opening.partner.id,
      origin: opening.hostOrigin,
      sessionId,
      devicePublicKey: hexToBytes(devicePublicKey),
      issuedAt,
      expiresAt: issuedAt + sessionLife,
    }),
  )
  const recovery =
    admission.recoveryPublicKey === undefined || !makesRoot(opening)
      ? {}
      : { recoverySignature: signRecovery(seed, found.userId, admission.recoveryPublicKey) }
  const result: OpenerMessages.OpeningResult = {
    ...found,
    rootPublicKey: bytesToHex(RootKey.publicKeyOf(seed)),
    deviceCertificate,
    ...recovery,
  }
  const iv = yield* (yield* Random).bytes(Wrap.ivLength)
  const sealedResult = OpenerMessages.sealResult(admission.secret, openingId, result, iv)
  const vouched: Vouched =
    admission.kind === 'redirect' ? { sealedResult } : { deviceCertificate, sealedResult, ...recovery }
  return vouched
})

/**
 * Only a root key that was made just now signs a recovery key (flows A2). One that has wallets of every app behind it
 * would give them all to whichever app's page asks for it with a key of its own.
 */
const makesRoot = ({ page }: PortalOpening): boolean => page === 'create-password' || page === 'create-passkey'

const signRecovery = (seed: Uint8Array, userId: string, publicKey: string): string =>
  bytesToHex(RootKey.signRecipient(seed, { kind: 'RECOVERY', userId, publicKey: hexToBytes(publicKey) }))
