/** By whom a frame is signed (openapi/README.md#frames). */
import * as Effect from 'effect/Effect'
import * as DeviceKey from '../../crypto/DeviceKey.ts'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import { CosignerEngine } from '../ports/CosignerEngine.ts'
import { Signatures } from '../ports/Signatures.ts'
import type { SessionRecord } from '../Session.ts'

/** The session's device key if it signed the frame for this co-signer, uncompressed P-256. */
export const signerOf = Effect.fnUntraced(function* (
  { frame, unsigned, signature }: MpcFrame.SignedFrame,
  session: Pick<SessionRecord, 'devicePublicKey'>,
) {
  const devicePublicKey = fromHex(session.devicePublicKey ?? '', DeviceKey.publicKeyLength)
  if (devicePublicKey === undefined) return undefined
  const { p256, sha256 } = yield* Signatures
  const identity = yield* (yield* CosignerEngine).identity
  const isSigned =
    equal(frame.deviceKeyThumb, DeviceKey.thumbprint(devicePublicKey)) &&
    p256(devicePublicKey, MpcFrame.signedMessage(identity.name, unsigned, sha256), signature)
  return isSigned ? devicePublicKey : undefined
})
