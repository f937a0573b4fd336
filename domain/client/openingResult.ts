/**
 * What the host believes about keys (flows A3): not what the service says, but what the page sealed under the secret
 * that this host gave it. The page's own message may be lost; touch repeats the sealed text then (flows 3.9).
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { fromHex } from '../crypto/Hex.ts'
import * as OpenerMessages from '../crypto/Opener.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { openingSecret } from './openingSecret.ts'
import { redeemCode } from './portalReturn.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Settings } from './ports/Settings.ts'
import type { HostSession } from './SessionState.ts'
import { serverTime } from './touch.ts'

/** Opens the result, and checks that it is about this session's user and this very device key. */
export const readOpeningResult = Effect.fn('openings.readResult')(function* (
  session: HostSession,
  done: Option.Option<OpenerMessages.Done>,
) {
  const kept = yield* openingSecret
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

const checkCertificate = Effect.fn('openings.checkCertificate')(function* (
  { sessionId, partnerId }: HostSession,
  { userId, rootPublicKey, deviceCertificate }: OpenerMessages.OpeningResult,
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
 * From now on the device has its certificate and the user's root key, and counts as proven: whatever a page that is left
 * now would miss of the result comes before this.
 */
export const believeOpeningResult = Effect.fn('openings.believeResult')(function* (
  { sessionId }: HostSession,
  { rootPublicKey, deviceCertificate }: OpenerMessages.OpeningResult,
) {
  const kept = Option.getOrUndefined(yield* openingSecret)
  // The page that returned by redirect left this to the host: only he knows that the certified key is his (flows A3).
  if (kept?.kind === 'code') yield* redeemCode(kept, deviceCertificate)
  yield* (yield* DeviceKeys).certify(sessionId, { rootPublicKey, certificate: deviceCertificate })
})

/** The root key's signature over the recovery key that this host made, if it is one (flows 3.9). */
export const recoverySignatureOf = (
  { userId, rootPublicKey, recoverySignature = '' }: OpenerMessages.OpeningResult,
  recoveryPublicKey: string,
): string | undefined => {
  const signature = fromHex(recoverySignature, 64)
  const recipient = { kind: 'RECOVERY', userId, publicKey: hexToBytes(recoveryPublicKey) } as const
  const isSigned = signature !== undefined && RootKey.isSignedRecipient(hexToBytes(rootPublicKey), recipient, signature)
  return isSigned ? recoverySignature : undefined
}
