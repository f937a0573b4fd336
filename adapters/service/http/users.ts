import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/users.ts'
import type { Incoming } from './Incoming.ts'
import { present } from './present.ts'

export const users = {
  createUser: ({ body }) => Effect.map(flows.createUser(identityOf(body)), (userId) => ({ userId })),
  checkUserExists: ({ query }) => Effect.map(flows.checkUserExists(query ?? {}), (exists) => ({ exists })),
  verifyEmail: ({ path, body }) => Effect.as(flows.verifyEmail(path.userId, body.verificationCode), {}),
  resendVerificationCode: ({ path }) => Effect.as(flows.resendVerificationCode(path.userId), {}),
  getUser: ({ path }) =>
    Effect.map(flows.getUser(path.userId), ({ userId, identity }) => ({ userId, ...present(identity) })),
  getSupportedAuthMethods: ({ query }) =>
    Effect.map(flows.getSupportedAuthMethods(query ?? {}), (supportedAuthMethods) => ({ supportedAuthMethods })),
} satisfies Partial<HandlersOf<'users', Incoming, unknown>>

type IdentityFields = {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly countryCode?: string | undefined
}

/** The identity's fields of the body, without the settings of the mail beside them. */
const identityOf = ({ email, phone, countryCode }: IdentityFields) => ({ email, phone, countryCode })
