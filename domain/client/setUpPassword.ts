import * as Effect from 'effect/Effect'
import { newPassword } from '../model/Credential.ts'
import type { Opened } from './openWindow.ts'
import { Api } from './ports/Api.ts'
import { setUpCredential, type NewCredential } from './setUpCredential.ts'

/** Lets a verified user make a password in the portal. */
export const setUpPassword = Effect.fn('passwords.setUp')(function* (opened?: Opened) {
  return yield* setUpCredential(password, opened)
})

export const password: NewCredential = {
  page: 'create-password',
  create: (userId) =>
    Effect.gen(function* () {
      return (yield* (yield* Api).call('createPassword', { path: { userId }, body: newPassword })).id
    }),
}
