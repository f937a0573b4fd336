/** A user by their identity, and the steps of a sign-up before its credential (domain/client/README.md#sign-up). */
import * as Effect from 'effect/Effect'
import { fromWire } from '../model/Credential.ts'
import type { Identity } from '../model/Identity.ts'
import { requireApiKey } from '../model/Partner.ts'
import { requireUser } from '../model/Session.ts'
import { abandonLogin } from './forgetSession.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { rememberIdentity } from './rememberedIdentity.ts'
import { rememberedUserId, rememberUserId } from './rememberedUserId.ts'
import { isTabSession } from './sessionToken.ts'
import { currentSession } from './touch.ts'

/** The identities that sign up with a code. */
export type CodeIdentity = Extract<Identity, { kind: 'email' | 'phone' }>

/**
 * Whether a user has signed up with this e-mail or phone. For a partner in strict mode the answer is always the same.
 */
export const checkUserExists = Effect.fn('users.checkUserExists')(function* ({ kind: _, ...query }: CodeIdentity) {
  const { exists } = yield* (yield* Api).call('checkUserExists', { query })
  return exists
})

/** The methods with which this identity can log in. */
export const getSupportedAuthMethods = Effect.fn('users.getSupportedAuthMethods')(function* ({
  kind: _,
  ...query
}: Identity) {
  const { supportedAuthMethods } = yield* (yield* Api).call('getSupportedAuthMethods', { query })
  return supportedAuthMethods.map(fromWire)
})

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

/** Proves the code from the mail; then a credential may be made. */
export const verifyEmail = Effect.fn('users.verifyEmail')(function* (verificationCode: string) {
  yield* (yield* Api).call('verifyEmail', { path: { userId: yield* signingUp }, body: { verificationCode } })
})

/** Has another code sent to the user's e-mail; the one before is invalid then. */
export const resendVerificationCode = Effect.fn('users.resendVerificationCode')(function* () {
  const { mailLook } = yield* Settings
  yield* (yield* Api).call('resendVerificationCode', { path: { userId: yield* signingUp }, body: mailLook })
})

/** The id of the user whom this device signs up. */
const signingUp = Effect.gen(function* () {
  return yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
})
