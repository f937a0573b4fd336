import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { rememberedUserId } from './rememberedUser.ts'

/** Has another code sent to the user's e-mail; the one before is invalid then. */
export const resendVerificationCode = Effect.fn('users.resendVerificationCode')(function* () {
  const { mailLook } = yield* Settings
  const userId = yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
  yield* (yield* Api).call('resendVerificationCode', { path: { userId }, body: mailLook })
})
