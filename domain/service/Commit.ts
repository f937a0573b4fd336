/**
 * What a portal session does when it is committed: all of it, or nothing. In the variant `redirect` it waits, sealed,
 * until the registered page redeems it; this is its stored form.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Schema from 'effect/Schema'
import { PasskeyCompletion, PasswordCompletion } from './Credential.ts'
import { StoredWalletIds } from './Session.ts'
import { reader } from './Stored.ts'

const credentialCommit = <K extends string, C extends Schema.Codec<unknown, unknown>>(kind: K, completion: C) =>
  Schema.Struct({
    kind: Schema.Literal(kind),
    id: Schema.String,
    completion,
    /** hex(64): the new root key's signature over the recovery key that the session registered. */
    recoverySignature: Schema.NullOr(Schema.String),
  })

const CredentialCommit = Schema.Union([
  credentialCommit('PASSWORD', PasswordCompletion),
  credentialCommit('BIOMETRICS', PasskeyCompletion),
])
export type CredentialCommit = typeof CredentialCommit.Type

const Commit = Schema.Struct({
  userId: Schema.String,
  currentWalletIds: StoredWalletIds,
  needsWallet: Schema.Boolean,
  /** hex; only for sessions whose device key signs requests. */
  deviceCertificate: Schema.NullOr(Schema.String),
  sealedResult: Schema.NullOr(Schema.String),
  credential: Schema.NullOr(CredentialCommit),
})
export type Commit = typeof Commit.Type

const Json = Schema.fromJsonString(Commit)
const encodeJson = Schema.encodeSync(Json)
const decodeJson = reader('openings.deferred_commit', Json)

export const encode = (commit: Commit): Uint8Array => utf8ToBytes(encodeJson(commit))

export const decode = (bytes: Uint8Array): Commit => decodeJson(utf8.encode(bytes))
