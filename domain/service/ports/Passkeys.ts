import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PasskeyRecord, PasskeyCompletion } from '../Credential.ts'

export type NewPasskeyRecord = Pick<
  PasskeyRecord,
  'id' | 'userId' | 'partnerId' | 'sessionId' | 'type' | 'expiresAt'
> & {
  readonly now: number
}

export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** Makes a PENDING record; another PENDING one of the same session is deleted. */
    readonly create: (passkey: NewPasskeyRecord) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<PasskeyRecord>>
    readonly findByCredentialId: (credentialId: string) => Effect.Effect<Option.Option<PasskeyRecord>>
    /** All of a user, PENDING ones too. */
    readonly ofUser: (userId: string) => Effect.Effect<readonly PasskeyRecord[]>
    /** PENDING -> COMPLETE, once, with a credential id that no other passkey has. */
    readonly complete: (id: string, completion: PasskeyCompletion) => Effect.Effect<boolean>
    /** Compare-and-set: a counter only grows, unless the authenticator has none. */
    readonly count: (id: string, counter: number) => Effect.Effect<boolean>
    /** PENDING -> STAGED, once. */
    readonly stage: (id: string, completion: PasskeyCompletion) => Effect.Effect<boolean>
    /** STAGED -> COMPLETE, once. */
    readonly release: (id: string) => Effect.Effect<boolean>
    /** All of the user's but this one -> REVOKED; their keys are erased. */
    readonly revokeOthers: (userId: string, id: string) => Effect.Effect<void>
    /** Deletes the PENDING and STAGED records of the session. */
    readonly removeUnfinished: (sessionId: string) => Effect.Effect<void>
  }
>()('tandem/service/Passkeys') {}
