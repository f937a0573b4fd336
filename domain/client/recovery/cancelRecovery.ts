import * as Effect from 'effect/Effect'
import { forgetSession } from '../forgetSession.ts'
import { Api } from '../ports/Api.ts'
import { forgetRecovery } from './untoldSecret.ts'

/** By whoever is signed in: ends a recovery of the account that somebody else may have begun (flows 10.1). */
export const stopRecovery = Effect.fn('recovery.stop')(function* () {
  yield* (yield* Api).call('cancelRecovery', { body: {} })
})

/**
 * Gives a recovery up that is not finished: the old shares stand, and its session ends. A secret that was not shown, of
 * one that may be finished, stays.
 */
export const cancelRecovery = Effect.fn('recovery.cancel')(function* (email: string) {
  yield* Effect.ignore((yield* Api).call('cancelRecovery', { body: { email } }))
  yield* Effect.ignore(forgetRecovery())
  yield* forgetSession()
})
