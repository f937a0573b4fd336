/** Signatures of messages. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { signMessage } from '../../../domain/client/sign.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import { toBase64 } from '../base64.ts'
import type { Flows } from '../flows.ts'
import type { MessageSignature, SignMessageInput } from '../verbs.ts'

export const flows = {
  signMessage: (input) => Effect.map(signMessage(input, messageOf(input)), toMessageSignature),
} satisfies Partial<Flows>

/** The bytes to sign; text becomes UTF-8. */
const messageOf = ({ message }: SignMessageInput): Uint8Array =>
  typeof message === 'string' ? utf8ToBytes(message) : message

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

const toMessageSignature = ({ wallet, signature }: Signed): MessageSignature => {
  const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
  if (wallet.scheme === 'ED25519') return { ...common, signature: toBase64(signature) }
  const parts = Result.getOrThrow(Signature.fromBytes(signature))
  return {
    ...common,
    signature: Signature.toHex(parts),
    ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
  }
}
