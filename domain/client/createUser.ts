import * as Effect from 'effect/Effect'
import { requireApiKey } from '../model/Partner.ts'
import { abandonLogin } from './abandonLogin.ts'
import type { CodeIdentity } from './checkUserExists.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { rememberIdentity, rememberUserId } from './rememberedUser.ts'
import { isTabSession } from './sessionToken.ts'
import { currentSession } from './touch.ts'

/** Makes the user, or finds the one that never finished, and has a code sent. Answers the user's id. */
export const createUser = Effect.fn('users.createUser')(function* (identity: CodeIdentity) {
  const { apiKey, mailLook } = yield* Settings
  yield* Effect.fromResult(requireApiKey(apiKey))
  if (yield* isTabSession) yield* abandonLogin()
  yield* currentSession
  const { kind, ...fields } = identity
  const { userId } = yield* (yield* Api).call('createUser', {
    body: { ...fields, ...(kind === 'email' ? mailLook : {}) },
  })
  yield* rememberIdentity(identity)
  yield* rememberUserId(userId)
  return userId
})
