/** A signature of a message, in the form that apps get. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import { toBase64 } from '../base64.ts'
import type { MessageSignature, SignMessageInput } from '../verbs.ts'

/** A signature with the wallet that made it: r ‖ s ‖ v in 65 bytes, of Solana 64. */
export type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

/** The bytes to sign; text becomes UTF-8. */
export const messageOf = ({ message }: SignMessageInput): Uint8Array =>
  typeof message === 'string' ? utf8ToBytes(message) : message

export const toMessageSignature = ({ wallet, signature }: Signed): MessageSignature => {
  const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
  if (wallet.scheme === 'ED25519') return { ...common, signature: toBase64(signature) }
  const parts = Result.getOrThrow(Signature.fromBytes(signature))
  return {
    ...common,
    signature: Signature.toHex(parts),
    ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
  }
}
