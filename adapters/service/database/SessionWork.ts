import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as temporaryShares from '../../../domain/service/temporaryShares.ts'
import { OtRecords } from '../../../domain/service/ports/OtRecords.ts'
import { Refreshes } from '../../../domain/service/ports/Refreshes.ts'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import { Sessions } from '../../../domain/service/ports/Sessions.ts'
import { SessionWork } from '../../../domain/service/ports/SessionWork.ts'
import { TemporaryShares } from '../../../domain/service/ports/TemporaryShares.ts'
import { Transaction } from '../../../domain/service/ports/Transaction.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import { endOfSession } from '../../../domain/service/protocol/ending.ts'

export const SessionWorkDatabase = Layer.effect(
  SessionWork,
  Effect.gen(function* () {
    const needs = yield* Effect.context<
      OtRecords | Refreshes | Runs | Sessions | TemporaryShares | Transaction | Wallets
    >()
    const sessions = yield* Sessions
    return SessionWork.of({
      end: (sessionId) =>
        Effect.gen(function* () {
          yield* endOfSession(sessionId)
          const session = yield* sessions.find(sessionId)
          if (Option.isSome(session)) yield* temporaryShares.forgetTemporaryShares(session.value.lookupId)
        }).pipe(Effect.provideContext(needs)),
    })
  }),
)
