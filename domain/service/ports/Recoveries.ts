import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { RecoveryRecord, RecoveryCredential } from '../Recovery.ts'

/** Recoveries, one of a session. A flow that ends one, or makes one READY, holds the lock of its user (Users.lock). */
export class Recoveries extends Context.Service<
  Recoveries,
  {
    /** Makes one INITIATED, in place of what the session had before. */
    readonly begin: (
      recovery: Pick<RecoveryRecord, 'sessionId' | 'userId' | 'createdAt' | 'expiresAt'>,
    ) => Effect.Effect<void>
    readonly find: (sessionId: string) => Effect.Effect<Option.Option<RecoveryRecord>>
    /** INITIATED or READY ones. */
    readonly unfinishedOfUser: (userId: string) => Effect.Effect<readonly RecoveryRecord[]>
    /** INITIATED -> READY, if it still is this user's. */
    readonly ready: (
      sessionId: string,
      userId: string,
      of: Pick<RecoveryRecord, 'walletIds' | 'expiresAt'>,
    ) => Effect.Effect<boolean>
    /** Compare-and-set: a READY one that has none. */
    readonly setCredential: (sessionId: string, credential: RecoveryCredential) => Effect.Effect<boolean>
    readonly setFinishedIds: (sessionId: string, walletIds: readonly string[]) => Effect.Effect<void>
    /** INITIATED or READY -> one of the ends. */
    readonly end: (sessionId: string, state: 'FINISHED' | 'CANCELLED' | 'EXPIRED') => Effect.Effect<boolean>
    /** INITIATED or READY ones whose time is over. */
    readonly expired: (now: number) => Effect.Effect<readonly RecoveryRecord[]>
    /** FINISHED ones whose time is over after that one. */
    readonly finished: (after: number) => Effect.Effect<readonly RecoveryRecord[]>
    /** Deletes those that are over and expired before that time. */
    readonly sweep: (before: number) => Effect.Effect<void>
  }
>()('tandem/service/Recoveries') {}
