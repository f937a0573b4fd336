import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { rememberedUserId } from './rememberedUser.ts'

/** Proves the code from the mail; then a credential may be made. */
export const verifyEmail = Effect.fn('users.verifyEmail')(function* (verificationCode: string) {
  const userId = yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
  yield* (yield* Api).call('verifyEmail', { path: { userId }, body: { verificationCode } })
})
