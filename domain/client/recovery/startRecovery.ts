import * as Effect from 'effect/Effect'
import type { Success } from '../../../generated/handlers.ts'
import { requireApiKey } from '../../model/Partner.ts'
import { forgetSession } from '../forgetSession.ts'
import { Api } from '../ports/Api.ts'
import { Settings } from '../ports/Settings.ts'
import { beginTabSession } from '../tabSession.ts'
import { touch } from '../touch.ts'
import { forgetRecovery } from './unacknowledgedSecret.ts'

/**
 * Asks for a code by mail, in a session of this tab's own without an identity; the answer is the same for every
 * address. What an earlier attempt left on this page is deleted, except for a secret that was not shown.
 */
export const startRecovery = Effect.fn('recovery.start')(function* (email: string) {
  const { apiKey } = yield* Settings
  yield* Effect.fromResult(requireApiKey(apiKey))
  yield* forgetRecovery()
  yield* forgetSession()
  yield* beginTabSession
  yield* touch(false)
  yield* sendRecoveryCode(email)
})

/** Sends another code for the recovery that was begun; the one before is invalid then. */
export const sendRecoveryCode = Effect.fn('recovery.sendCode')(function* (email: string) {
  yield* (yield* Api).call('initRecovery', { body: { email } })
})

/** The user and the wallets that can be recovered, of all partners, as the service lists them. */
export type Recoverable = Success<'verifyRecoveryEmail'>
export type RecoverableWallet = Recoverable['wallets'][number]

/**
 * The wallets as they are now: another device may have refreshed them since. The service asks for no code again. Fails
 * if the recovery is over.
 */
export const listRecoverable = Effect.fn('recovery.list')(function* (userId: string) {
  yield* requireReady(userId)
  return yield* (yield* Api).call('verifyRecoveryEmail', { body: { verificationCode: '' } })
})

/** Fails if the recovery is over, or was stopped by a device of the user. */
export const requireReady = Effect.fn('recovery.requireReady')(function* (userId: string) {
  yield* (yield* Api).call('listRecoveryPublicKeys', { path: { userId } })
})

/** Proves the code from the mail; from then on the session is the recovery's. */
export const verifyRecovery = Effect.fn('recovery.verify')(function* (email: string, verificationCode: string) {
  const recoverable = yield* (yield* Api).call('verifyRecoveryEmail', { body: { email, verificationCode } })
  yield* touch(false)
  return recoverable
})
