import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { newPassword } from '../model/Credential.ts'
import * as EventNames from '../model/Events.ts'
import { ExitedWithoutSetup, requireUser } from '../model/Session.ts'
import { forgetSession } from './forgetSession.ts'
import { OpenerNotProven } from './OpenerNotProven.ts'
import { readOpeningResult, recoverySignatureOf } from './openingResult.ts'
import { forgetOpeningSecret } from './openingSecret.ts'
import { openPortal, type PortalVisit } from './openPortal.ts'
import { portalAddress } from './portalAddress.ts'
import { Api } from './ports/Api.ts'
import { Events } from './ports/Events.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { rememberedIdentity, rememberedUserId } from './rememberedUser.ts'
import { prepareSignUpKeys } from './sessionKeys.ts'
import { currentSession } from './touch.ts'
import { waitForSession } from './waitForSession.ts'

/**
 * Lets a verified user make a password in the portal (flows 3.4, 3.5, 3.9). The popup is opened before anything else, so
 * that it happens within the click.
 */
export const setUpPassword = Effect.fn('passwords.setUp')(function* () {
  const popup = yield* (yield* Popup).open('CREATE_PASSKEY')
  return yield* Effect.onError(setUp(popup), () => popup.close)
}, Effect.scoped)

const setUp = Effect.fn('passwords.setUpIn')(function* (popup: OpenPopup) {
  const session = yield* currentSession
  const userId = yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
  const recovery = yield* prepareSignUpKeys(session, userId)
  const { id: passwordId } = yield* (yield* Api).call('createPassword', { path: { userId }, body: newPassword })
  const { url, origin: portalOrigin } = yield* portalAddress({
    type: 'create-password',
    userId,
    passwordId,
    identity: yield* rememberedIdentity,
    sessionId: session.sessionId,
  })
  const visit = yield* openPortal({
    popup,
    url,
    portalOrigin,
    session,
    page: 'create-password',
    record: passwordId,
    recoveryPublicKey: recovery.publicKey,
  })
  return yield* waitForAccountCreation(visit)
})

/** Asks every 2 s until the session is active; a page that is left before that has set nobody up (spec §4). */
export const waitForAccountCreation = Effect.fn('account.waitForCreation')(function* (
  visit: Pick<PortalVisit, 'done' | 'gone'>,
) {
  const { session, done } = yield* waitForSession(visit, {
    isReady: ({ isAuthenticated }) => isAuthenticated,
    onGone: () => new ExitedWithoutSetup(),
  })
  const { pendingRecovery } = yield* ShareStore
  const recovery = yield* pendingRecovery.get
  const result = yield* Effect.tapErrorTag(readOpeningResult(session, done), 'OpenerNotProven', forgetSession)
  if (Option.isSome(recovery)) {
    const signature = recoverySignatureOf(result, recovery.value.publicKey)
    if (signature === undefined) return yield* Effect.andThen(forgetSession(), new OpenerNotProven())
    yield* pendingRecovery.set({ ...recovery.value, signature })
  }
  yield* forgetOpeningSecret
  yield* (yield* Events).emit(EventNames.accountCreation, { data: { userId: result.userId } })
  return session
})
