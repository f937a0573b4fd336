import * as Effect from 'effect/Effect'
import type { Success } from '../../../generated/handlers.ts'
import { Api } from '../ports/Api.ts'
import { touch } from '../touch.ts'

/** The user and the wallets that can be recovered, of all partners, as the service lists them. */
export type Recoverable = Success<'verifyRecoveryEmail'>
export type RecoverableWallet = Recoverable['wallets'][number]

/** Proves the code from the mail; from then on the session is the recovery's. */
export const verifyRecovery = Effect.fn('recovery.verify')(function* (email: string, verificationCode: string) {
  const recoverable = yield* (yield* Api).call('verifyRecoveryEmail', { body: { email, verificationCode } })
  yield* touch(false)
  return recoverable
})
