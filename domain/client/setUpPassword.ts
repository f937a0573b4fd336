import * as Effect from 'effect/Effect'
import { newPassword } from '../model/Credential.ts'
import { requireUser } from '../model/Session.ts'
import { openPortal } from './openPortal.ts'
import { portalAddress } from './portalAddress.ts'
import { Api } from './ports/Api.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'
import { rememberedIdentity, rememberedUserId } from './rememberedUser.ts'
import { prepareSignUpKeys } from './sessionKeys.ts'
import { currentSession } from './touch.ts'
import { waitForAccountCreation } from './waitForAccountCreation.ts'

/**
 * Lets a verified user make a password in the portal (flows 3.4, 3.5, 3.9). The popup is opened before anything else,
 * so that it happens within the click.
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
  return yield* Effect.onError(waitForAccountCreation(visit), () => visit.giveUp)
})
