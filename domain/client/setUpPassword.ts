import * as Effect from 'effect/Effect'
import { newPassword } from '../model/Credential.ts'
import { Api } from './ports/Api.ts'
import { setUpCredential } from './setUpCredential.ts'

/** Lets a verified user make a password in the portal (flows 3.4). */
export const setUpPassword = Effect.fn('passwords.setUp')(function* () {
  return yield* setUpCredential({
    page: 'create-password',
    create: (userId) =>
      Effect.gen(function* () {
        return (yield* (yield* Api).call('createPassword', { path: { userId }, body: newPassword })).id
      }),
  })
})
