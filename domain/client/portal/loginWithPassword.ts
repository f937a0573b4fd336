import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type { Success } from '../../../generated/handlers.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import * as Identity from '../../model/Identity.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { hostOf } from '../origin.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { deliverShares } from './deliverShares.ts'
import { masterKey } from './masterKey.ts'
import { exportingOf, identityOf, type PortalOpening } from './opening.ts'
import { unwrapKeys } from './unwrapKeys.ts'

/** Logs the person in with what was typed (flows 6.3p to 6.10). Resolves to the wallets that had no usable backup. */
export const loginWithPassword = Effect.fn('passwords.loginWithPassword')(function* (
  opening: PortalOpening,
  password: string,
) {
  return yield* deliverShares(opening, yield* openWithPassword(opening, password))
})

/**
 * What the record of the password opens (flows 6.3p to 6.5). The password proves itself by a signature over a fresh
 * challenge; only then does the service give the pepper without which nothing opens.
 */
export const openWithPassword = Effect.fn('passwords.openWithPassword')(function* (
  opening: PortalOpening,
  password: string,
) {
  const { kind: _, ...query } = yield* Effect.fromResult(Identity.required(identityOf(opening)))
  const { passwords } = yield* (yield* Api).call('listPasswords', { query })
  for (const record of passwords) {
    const verified = yield* Effect.catch(verify(opening, record, password), (error) =>
      error._tag === 'ApiError' && error.code === 'InvalidPassword' ? Effect.undefined : Effect.fail(error),
    )
    if (verified !== undefined) return verified
  }
  return yield* new InvalidPassword()
})

type Record = Success<'listPasswords'>['passwords'][number]

/** Flows 6.4p and 6.5, for one record. */
const verify = Effect.fn('passwords.verify')(function* (opening: PortalOpening, record: Record, password: string) {
  const salt = fromHex(record.salt, PasswordKeys.saltLength)
  if (salt === undefined || opening.sessionId === undefined) return yield* new BackupDecryptionFailed()
  const key = yield* masterKey({ password, passwordId: record.id, salt, kdf: record.kdf ?? PasswordKeys.defaultKdf })
  yield* report({ step: 'proving' })
  const auth = PasswordKeys.authKey(key, record.id)
  const signature = PasswordKeys.signPassword(auth.seed, {
    portalHost: hostOf(opening.portalOrigin),
    partnerId: opening.partner.id,
    sessionId: opening.sessionId,
    openingId: opening.openingId,
    passwordId: record.id,
    loginKeyThumbprint:
      exportingOf(opening)?.publicKey ?? RsaKey.loginKeyThumbprint(opening.recipient ?? '') ?? new Uint8Array(0),
    challenge: yield* opening.challenge,
  })
  const answer = yield* (yield* Api).call(
    'verifyPassword',
    {
      body: {
        signature: bytesToHex(signature),
        publicKey: bytesToHex(auth.publicKey),
        passwordId: record.id,
        sessionLookupId: opening.sessionLookupId,
      },
    },
    { partnerId: opening.partner.id },
  )
  const pepper = fromHex(answer.pepper ?? '', PasswordKeys.pepperLength)
  if (pepper === undefined) return yield* new BackupDecryptionFailed()
  const credential = { kind: 'PASSWORD', recordId: record.id, variant: '' } as const
  return yield* unwrapKeys(answer, credential, PasswordKeys.passwordWrappingKeys(key, pepper, record.id))
})

/** No record of this identity opens with what was typed. */
export class InvalidPassword extends Data.TaggedError('InvalidPassword') {
  override readonly message = 'invalid password'
}
