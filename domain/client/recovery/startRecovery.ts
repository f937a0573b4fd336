import * as Effect from 'effect/Effect'
import { requireApiKey } from '../../model/Partner.ts'
import { forgetSession } from '../forgetSession.ts'
import { Api } from '../ports/Api.ts'
import { Settings } from '../ports/Settings.ts'
import { beginTabSession } from '../sessionToken.ts'
import { touch } from '../touch.ts'
import { forgetRecovery } from './untoldSecret.ts'

/**
 * Asks for a code by mail (flows 10.1), in a session of this tab's own in which nobody has proven anything yet; the answer is
 * the same for everybody. What an earlier attempt left on this page counts for nothing, but for a secret that was not
 * shown.
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

/** Another code for the recovery that was begun; the one before it counts no more. */
export const sendRecoveryCode = Effect.fn('recovery.sendCode')(function* (email: string) {
  yield* (yield* Api).call('initRecovery', { body: { email } })
})
