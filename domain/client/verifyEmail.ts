import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { rememberedUserId } from './rememberedUser.ts'

/** Shows the code from the mail; a credential may be made then (flows 3.3). */
export const verifyEmail = Effect.fn('users.verifyEmail')(function* (verificationCode: string) {
  const userId = yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
  yield* (yield* Api).call('verifyEmail', { path: { userId }, body: { verificationCode } })
})
