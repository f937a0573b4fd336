import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import type { Success } from '../../../generated/handlers.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import * as Identity from '../../model/Identity.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { hostOf } from '../../model/Url.ts'
import { Api } from '../ports/Api.ts'
import { DeviceTokens } from '../ports/DeviceTokens.ts'
import { report } from '../ports/Progress.ts'
import { deliverShares } from './deliverShares.ts'
import { masterKey } from './masterKey.ts'
import { exportingOf, identityOf, type PortalSession } from './portalSession.ts'
import { unwrapKeys } from './unwrapKeys.ts'

/** Logs the person in with what they typed. Resolves to the ids of wallets that had no usable backup. */
export const loginWithPassword = Effect.fn('passwords.loginWithPassword')(function* (
  portalSession: PortalSession,
  password: Redacted.Redacted,
) {
  return yield* deliverShares(portalSession, yield* openWithPassword(portalSession, password))
})

/**
 * The keys that the password's record wraps. The password is proven by a signature over a fresh challenge; only then
 * does the service give the pepper, without which nothing opens (domain/client/README.md#login-by-password).
 */
export const openWithPassword = Effect.fn('passwords.openWithPassword')(function* (
  portalSession: PortalSession,
  password: Redacted.Redacted,
) {
  const { kind: _, ...query } = yield* Effect.fromResult(Identity.required(identityOf(portalSession)))
  const { passwords } = yield* (yield* Api).call('listPasswords', { query })
  for (const record of passwords) {
    const verified = yield* Effect.catch(verify(portalSession, record, password), (error) =>
      error._tag === 'ApiError' && error.code === 'InvalidPassword' ? Effect.undefined : Effect.fail(error),
    )
    if (verified !== undefined) return verified
  }
  return yield* new InvalidPassword()
})

type Record = Success<'listPasswords'>['passwords'][number]

/** Proves one record and unwraps its keys. */
const verify = Effect.fn('passwords.verify')(function* (
  portalSession: PortalSession,
  record: Record,
  password: Redacted.Redacted,
) {
  const salt = fromHex(record.salt, PasswordKeys.saltLength)
  if (salt === undefined || portalSession.sessionId === undefined) return yield* new BackupDecryptionFailed()
  const key = yield* masterKey({ password, passwordId: record.id, salt, kdf: record.kdf ?? PasswordKeys.defaultKdf })
  yield* report({ step: 'proving' })
  const auth = PasswordKeys.authKey(key, record.id)
  const signature = PasswordKeys.signPassword(auth.seed, {
    portalHost: hostOf(portalSession.portalOrigin),
    partnerId: portalSession.partner.id,
    sessionId: portalSession.sessionId,
    openingId: portalSession.openingId,
    passwordId: record.id,
    loginKeyThumbprint:
      exportingOf(portalSession)?.publicKey ??
      RsaKey.loginKeyThumbprint(portalSession.recipient ?? '') ??
      new Uint8Array(0),
    challenge: yield* portalSession.challenge,
  })
  const deviceTokens = yield* DeviceTokens
  const deviceToken = yield* deviceTokens.find(record.id)
  const answer = yield* (yield* Api).call(
    'verifyPassword',
    {
      body: {
        signature: bytesToHex(signature),
        publicKey: bytesToHex(auth.publicKey),
        passwordId: record.id,
        sessionLookupId: portalSession.sessionLookupId,
        ...(deviceToken === undefined ? {} : { deviceToken }),
      },
    },
    { partnerId: portalSession.partner.id },
  )
  if (answer.deviceToken !== undefined) yield* deviceTokens.keep(record.id, answer.deviceToken)
  const pepper = fromHex(answer.pepper ?? '', PasswordKeys.pepperLength)
  if (pepper === undefined) return yield* new BackupDecryptionFailed()
  const credential = { kind: 'PASSWORD', recordId: record.id, variant: '' } as const
  return yield* unwrapKeys(answer, credential, PasswordKeys.passwordWrappingKeys(key, pepper, record.id))
})

/** No record of this identity opens with what was typed. */
export class InvalidPassword extends Data.TaggedError('InvalidPassword') {
  override readonly message = 'invalid password'
}
