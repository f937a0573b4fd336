import * as Effect from 'effect/Effect'
import type { Identity } from '../model/Identity.ts'
import { Api } from './ports/Api.ts'

/** The identities that sign up with a code. */
export type CodeIdentity = Extract<Identity, { kind: 'email' | 'phone' }>

/**
 * Whether a user has signed up with this e-mail or phone. For a partner in strict mode the answer is always the same.
 */
export const checkUserExists = Effect.fn('users.checkUserExists')(function* ({ kind: _, ...query }: CodeIdentity) {
  const { exists } = yield* (yield* Api).call('checkUserExists', { query })
  return exists
})
