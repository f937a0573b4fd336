/**
 * What the portal signed with the user's root key (domain/crypto/README.md#certificates): the credential's own public
 * key, the host's recovery key, and, at the commit, the host's device. The service checks all of it and can make none
 * of it.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import { InvalidCredential, type RootFields } from './Credential.ts'
import type { SessionRecord } from './Session.ts'

/** As the wire has them. */
export type RootFieldsToCheck = {
  readonly sigDerivedPublicKey?: string | undefined
  readonly rootPublicKey?: string | undefined
  readonly wrappedRootKey?: string | undefined
  readonly rootSignature?: string | undefined
  readonly recoverySignature?: string | undefined
  readonly deviceCertificate?: string | undefined
  readonly sealedResult?: string | undefined
}

export type CheckedRoot = {
  readonly root: RootFields
  readonly sigDerivedPublicKey: string
  /** Over the recovery key of the session's host. */
  readonly recoverySignature: string | null
  readonly deviceCertificate: string | null
  readonly sealedResult: string | null
}

/** The certificate is checked with the commit, against the session that it is for. */
export const check = Effect.fn('rootSignatures.check')(function* (
  fields: RootFieldsToCheck,
  session: SessionRecord,
  credential: { readonly kind: RootKey.CredentialKind; readonly userId: string; readonly recordId: string },
) {
  const { sigDerivedPublicKey, rootPublicKey, wrappedRootKey, rootSignature } = fields
  const publicKey = RsaKey.publicPem(sigDerivedPublicKey ?? '')
  const root = fromHex(rootPublicKey ?? '', 32)
  const signature = fromHex(rootSignature ?? '', 64)
  if (sigDerivedPublicKey === undefined || publicKey === undefined) return yield* new InvalidCredential()
  if (rootPublicKey === undefined || root === undefined || wrappedRootKey === undefined)
    return yield* new InvalidCredential()
  if (rootSignature === undefined || signature === undefined) return yield* new InvalidCredential()
  if (!RootKey.isSignedRecipient(root, { ...credential, publicKey }, signature)) return yield* new InvalidCredential()
  if (!isRecoverySigned(fields.recoverySignature, root, session, credential.userId))
    return yield* new InvalidCredential()
  if ((fields.sealedResult !== undefined) !== session.deviceSignsRequests) return yield* new InvalidCredential()
  return {
    root: { rootPublicKey, wrappedRootKey, rootSignature },
    sigDerivedPublicKey,
    recoverySignature: fields.recoverySignature ?? null,
    deviceCertificate: fields.deviceCertificate ?? null,
    sealedResult: fields.sealedResult ?? null,
  } satisfies CheckedRoot
})

/** Over the recovery key that the session registered, and over no other. */
const isRecoverySigned = (
  text: string | undefined,
  root: Uint8Array,
  session: SessionRecord,
  userId: string,
): boolean => {
  if (text === undefined) return true
  const signature = fromHex(text, 64)
  if (signature === undefined || session.recoveryPublicKey === null) return false
  const publicKey = hexToBytes(session.recoveryPublicKey)
  return RootKey.isSignedRecipient(root, { kind: 'RECOVERY', userId, publicKey }, signature)
}
