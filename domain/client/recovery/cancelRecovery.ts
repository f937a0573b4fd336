import * as Effect from 'effect/Effect'
import { forgetSession } from '../forgetSession.ts'
import { Api } from '../ports/Api.ts'
import { forgetRecovery } from './unacknowledgedSecret.ts'

/** Called by a signed-in user: ends a recovery of the account, which another person may have begun. */
export const stopRecovery = Effect.fn('recovery.stop')(function* () {
  yield* (yield* Api).call('cancelRecovery', { body: {} })
})

/**
 * Gives up a recovery that is not finished: the old shares stay active, and its session ends. A secret that was not
 * shown stays, because its recovery may be finished.
 */
export const cancelRecovery = Effect.fn('recovery.cancel')(function* (email: string) {
  yield* Effect.ignore((yield* Api).call('cancelRecovery', { body: { email } }))
  yield* Effect.ignore(forgetRecovery())
  yield* forgetSession()
})
