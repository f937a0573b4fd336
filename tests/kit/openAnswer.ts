import * as Frame from '../../domain/mpc/Frame.ts'
import { verifyP256 } from '../../domain/crypto/Signatures.ts'

/** The answer to a frame's bytes, or `undefined` unless it is whole and signed for exactly this request by this key. */
export const openAnswer = (
  publicKey: Uint8Array,
  request: Uint8Array,
  bytes: Uint8Array,
): Frame.FrameAnswer | undefined => {
  const read = Frame.readAnswer(request, bytes)
  return read !== undefined && verifyP256(publicKey, read.message, read.signature) ? read.answer : undefined
}
