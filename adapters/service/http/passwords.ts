import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/passwords.ts'
import type { Incoming } from './Incoming.ts'

export const passwords = {
  createPassword: ({ path }) => flows.createPassword(path.userId),
  listPasswords: ({ query }) =>
    Effect.map(flows.listPasswords(query ?? {}), (list: readonly flows.ListedPassword[]) => ({ passwords: list })),
  updatePassword: ({ path, body }) => Effect.as(flows.updatePassword(path.userId, path.passwordId, body), {}),
  verifyPassword: ({ body }) => flows.verifyPassword(body),
} satisfies Partial<HandlersOf<'passwords', Incoming, unknown>>
