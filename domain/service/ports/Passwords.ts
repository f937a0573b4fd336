import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PasswordRecord, PasswordCompletion } from '../Credential.ts'

export type NewPassword = Pick<
  PasswordRecord,
  'id' | 'userId' | 'partnerId' | 'sessionId' | 'salt' | 'sealedPepper' | 'expiresAt'
> & { readonly now: number }

export class Passwords extends Context.Service<
  Passwords,
  {
    /** Makes a PENDING record; another PENDING one of the same session is deleted. */
    readonly create: (password: NewPassword) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<PasswordRecord>>
    /** COMPLETE ones only. */
    readonly ofUser: (userId: string) => Effect.Effect<readonly PasswordRecord[]>
    /** PENDING -> COMPLETE, once. */
    readonly complete: (id: string, completion: PasswordCompletion) => Effect.Effect<boolean>
    /** PENDING -> STAGED, once. */
    readonly stage: (id: string, completion: PasswordCompletion) => Effect.Effect<boolean>
    /** STAGED -> COMPLETE, once. */
    readonly release: (id: string) => Effect.Effect<boolean>
    /** All of the user's but this one -> REVOKED; their keys are erased. */
    readonly revokeOthers: (userId: string, id: string) => Effect.Effect<void>
    /** Deletes the PENDING and STAGED records of the session. */
    readonly removeUnfinished: (sessionId: string) => Effect.Effect<void>
  }
>()('tandem/service/Passwords') {}
