import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { forgetPortalSessionSecret } from '../portalSessionSecret.ts'
import { openWindow, unlessContinued } from '../openWindow.ts'
import { PopupBlocked } from '../ports/Popup.ts'
import { openNewCredentialPage, type NewCredential, type Owner } from '../setUpCredential.ts'
import { waitForRenewal } from '../waitForAccountCreation.ts'
import { requireReady } from './startRecovery.ts'

/**
 * Lets the user of a recovery make a new credential in the portal, and with it a new root key and a signed recovery
 * key. It counts only once the recovery is finished. There is no return by redirect: what was opened is in this page's
 * memory alone.
 */
export const renewCredential = Effect.fn('recovery.renewCredential')(function* (
  credential: NewCredential,
  owner: Owner,
) {
  const popup = yield* openWindow('CREATE_PASSKEY')
  if (Option.isNone(popup)) return yield* new PopupBlocked({})
  const portalSession = Effect.andThen(
    // Before a credential is made for a recovery that is over.
    requireReady(owner.userId),
    openNewCredentialPage(popup, credential, owner, waitForRenewal),
  )
  return yield* unlessContinued(popup, forgetPortalSessionSecret)(portalSession)
}, Effect.scoped)
