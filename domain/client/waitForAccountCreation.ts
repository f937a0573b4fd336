import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as EventNames from '../model/Events.ts'
import { ExitedWithoutSetup } from '../model/Session.ts'
import { forgetSession } from './forgetSession.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { believePortalSessionResult, readPortalSessionResult, recoverySignatureOf } from './portalSessionResult.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import type { PortalSessionHandle } from './openPortal.ts'
import { Events } from './ports/Events.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { waitForSession, type Waited } from './waitForSession.ts'

/** Asks every 2 s until the session is active. A page that is left before that has created no account. */
export const waitForAccountCreation = Effect.fn('account.waitForCreation')(function* (
  portalSession: Pick<PortalSessionHandle, 'done' | 'gone'>,
) {
  const waited = yield* waitForSession(portalSession, {
    isReady: ({ isAuthenticated }) => isAuthenticated,
    onGone: () => new ExitedWithoutSetup(),
  })
  const { userId } = yield* readNewCredential(waited)
  yield* (yield* Events).emit(EventNames.accountCreation, { data: { userId } })
  return waited.session
})

/** Waits for a page that made a credential in a recovery: the session stays as it is, and has the page's result. */
export const waitForRenewal = Effect.fn('account.waitForRenewal')(function* (
  portalSession: Pick<PortalSessionHandle, 'done' | 'gone'>,
) {
  const waited = yield* waitForSession(portalSession, {
    isReady: ({ openingResult }) => openingResult !== undefined,
    onGone: () => new ExitedWithoutSetup(),
  })
  return yield* readNewCredential(waited)
})

/**
 * Reads the result of a page that made a credential. This device's recovery key has the new root key's signature then.
 */
const readNewCredential = Effect.fn('account.readNewCredential')(function* ({ session, done }: Waited) {
  const { pendingRecovery } = yield* ShareStore
  const result = yield* Effect.tapErrorTag(readPortalSessionResult(session, done), 'OpenerNotProven', forgetSession)
  const recovery = yield* pendingRecovery.get(result.userId)
  if (Option.isSome(recovery)) {
    const signature = recoverySignatureOf(result, recovery.value.publicKey)
    if (signature === undefined) return yield* Effect.andThen(forgetSession(), new OpenerNotProven())
    if (signature !== recovery.value.signature) yield* pendingRecovery.set({ ...recovery.value, signature })
  }
  yield* believePortalSessionResult(session, result)
  yield* forgetPortalSessionSecret
  return result
})
