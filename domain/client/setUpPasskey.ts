import * as Effect from 'effect/Effect'
import { newPasskey } from '../model/Credential.ts'
import type { Opened } from './openWindow.ts'
import { Api } from './ports/Api.ts'
import { setUpCredential, type NewCredential } from './setUpCredential.ts'

/** Lets a verified user make a passkey in the portal. */
export const setUpPasskey = Effect.fn('passkeys.setUp')(function* (opened?: Opened) {
  return yield* setUpCredential(passkey, opened)
})

export const passkey: NewCredential = {
  page: 'create-passkey',
  create: (userId) =>
    Effect.gen(function* () {
      return (yield* (yield* Api).call('createPasskey', { path: { userId }, body: newPasskey })).id
    }),
}
