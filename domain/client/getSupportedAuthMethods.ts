import * as Effect from 'effect/Effect'
import { fromWire } from '../model/Credential.ts'
import type { Identity } from '../model/Identity.ts'
import { Api } from './ports/Api.ts'

/** The methods with which this identity can log in. */
export const getSupportedAuthMethods = Effect.fn('users.getSupportedAuthMethods')(function* ({
  kind: _,
  ...query
}: Identity) {
  const { supportedAuthMethods } = yield* (yield* Api).call('getSupportedAuthMethods', { query })
  return supportedAuthMethods.map(fromWire)
})
