import * as Effect from 'effect/Effect'
import type { Success } from '../../../generated/handlers.ts'
import { Api } from '../ports/Api.ts'
import { touch } from '../touch.ts'

/** Whose wallets there are to recover, whichever partner they belong to, as the service says. */
export type Recoverable = Success<'verifyRecoveryEmail'>
export type RecoverableWallet = Recoverable['wallets'][number]

/** Shows the code from the mail (flows 10.2); the session is the recovery's from then on. */
export const verifyRecovery = Effect.fn('recovery.verify')(function* (email: string, verificationCode: string) {
  const recoverable = yield* (yield* Api).call('verifyRecoveryEmail', { body: { email, verificationCode } })
  yield* touch(false)
  return recoverable
})
