import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as EventNames from '../model/Events.ts'
import { ExitedWithoutSetup } from '../model/Session.ts'
import { forgetSession } from './forgetSession.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { believeOpeningResult, readOpeningResult, recoverySignatureOf } from './openingResult.ts'
import { forgetOpeningSecret } from './openingSecret.ts'
import type { PortalVisit } from './openPortal.ts'
import { Events } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { waitForSession, type Waited } from './waitForSession.ts'

/** Asks every 2 s until the session is active; a page that is left before that has set nobody up (spec §4). */
export const waitForAccountCreation = Effect.fn('account.waitForCreation')(function* (
  visit: Pick<PortalVisit, 'done' | 'gone'>,
) {
  const waited = yield* waitForSession(visit, {
    isReady: ({ isAuthenticated }) => isAuthenticated,
    onGone: () => new ExitedWithoutSetup(),
  })
  const { userId } = yield* readNewCredential(waited)
  yield* (yield* Events).emit(EventNames.accountCreation, { data: { userId } })
  return waited.session
})

/** A page that made a credential in a recovery is done: the session stays as it is, and has the page's result (flows 10.5). */
export const waitForRenewal = Effect.fn('account.waitForRenewal')(function* (
  visit: Pick<PortalVisit, 'done' | 'gone'>,
) {
  const waited = yield* waitForSession(visit, {
    isReady: ({ openingResult }) => openingResult !== undefined,
    onGone: () => new ExitedWithoutSetup(),
  })
  return yield* readNewCredential(waited)
})

/** The result of a page that made a credential; the recovery key of this device has the new root key's signature then. */
const readNewCredential = Effect.fn('account.readNewCredential')(function* ({ session, done }: Waited) {
  const { pendingRecovery } = yield* ShareStore
  const result = yield* Effect.tapErrorTag(readOpeningResult(session, done), 'OpenerNotProven', forgetSession)
  const recovery = yield* pendingRecovery.get(result.userId)
  if (Option.isSome(recovery)) {
    const signature = recoverySignatureOf(result, recovery.value.publicKey)
    if (signature === undefined) return yield* Effect.andThen(forgetSession(), new OpenerNotProven())
    if (signature !== recovery.value.signature) yield* pendingRecovery.set({ ...recovery.value, signature })
  }
  yield* believeOpeningResult(session, result)
  yield* forgetOpeningSecret
  return result
})
