/**
 * Keys are believed from what the page sealed under this host's secret, not from the service
 * (domain/client/README.md#sealed-result). If the page's own message is lost, touch repeats the sealed text.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { fromHex } from '../crypto/Hex.ts'
import * as OpenerMessages from '../crypto/Opener.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { portalSessionSecret } from './portalSessionSecret.ts'
import { redeemCode } from './portalReturn.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Settings } from './ports/Settings.ts'
import type { HostSession } from './SessionState.ts'
import { serverTime } from './touch.ts'

/** Opens the result, and checks that it names this session's user and that its certificate is for this device key. */
export const readPortalSessionResult = Effect.fn('portalSessions.readResult')(function* (
  session: HostSession,
  done: Option.Option<OpenerMessages.Done>,
) {
  const kept = yield* portalSessionSecret
  if (Option.isNone(kept)) return yield* new OpenerNotProven()
  const { openingId, secret } = kept.value
  const sealed = [Option.getOrUndefined(done), session.openingResult].flatMap((said) =>
    said?.openingId === openingId && said.sealedResult !== undefined ? [said.sealedResult] : [],
  )
  const result = sealed
    .map((text) => Result.getOrUndefined(OpenerMessages.openResult(secret, openingId, text)))
    .find((opened) => opened !== undefined)
  if (result === undefined || result.userId !== session.userId) return yield* new OpenerNotProven()
  yield* checkCertificate(session, result)
  return result
})

const checkCertificate = Effect.fn('portalSessions.checkCertificate')(function* (
  { sessionId, partnerId }: HostSession,
  { userId, rootPublicKey, deviceCertificate }: OpenerMessages.PortalSessionResult,
) {
  const { origin } = yield* Settings
  const key = yield* (yield* DeviceKeys).find(sessionId)
  if (Option.isNone(key)) return yield* new OpenerNotProven()
  const device = {
    userId,
    partnerId: partnerId ?? '',
    origin,
    sessionId,
    devicePublicKey: hexToBytes(key.value.publicKey),
  }
  const checked = RootKey.checkCertificate(
    hexToBytes(rootPublicKey),
    hexToBytes(deviceCertificate),
    device,
    yield* serverTime,
  )
  if (Result.isFailure(checked)) return yield* new OpenerNotProven()
})

/**
 * Stores the certificate and the user's root key: from now on the device counts as the user's. Anything that would be
 * missed if the page is left now has to be stored before.
 */
export const believePortalSessionResult = Effect.fn('portalSessions.believeResult')(function* (
  { sessionId }: HostSession,
  { rootPublicKey, deviceCertificate }: OpenerMessages.PortalSessionResult,
) {
  const kept = Option.getOrUndefined(yield* portalSessionSecret)
  // After a redirect only the host can tell that the certified key is its own, so it hands the certificate in itself.
  if (kept?.kind === 'code') yield* redeemCode(kept, deviceCertificate)
  yield* (yield* DeviceKeys).certify(sessionId, { rootPublicKey, certificate: deviceCertificate })
})

/** The root key's signature over the recovery key of this host, hex(64), or `undefined` if it does not verify. */
export const recoverySignatureOf = (
  { userId, rootPublicKey, recoverySignature = '' }: OpenerMessages.PortalSessionResult,
  recoveryPublicKey: string,
): string | undefined => {
  const signature = fromHex(recoverySignature, 64)
  const recipient = { kind: 'RECOVERY', userId, publicKey: hexToBytes(recoveryPublicKey) } as const
  const isSigned = signature !== undefined && RootKey.isSignedRecipient(hexToBytes(rootPublicKey), recipient, signature)
  return isSigned ? recoverySignature : undefined
}
