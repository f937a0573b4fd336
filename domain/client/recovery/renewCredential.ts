import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { forgetOpeningSecret } from '../openingSecret.ts'
import { openWindow, unlessContinued, type Opened } from '../openWindow.ts'
import { Api } from '../ports/Api.ts'
import { PopupBlocked } from '../ports/Popup.ts'
import { visitNewCredential, type NewCredential, type Owner } from '../setUpCredential.ts'
import { waitForRenewal } from '../waitForAccountCreation.ts'

/**
 * Lets the user of a recovery make a new credential in the portal, and with it a new root key and a signed recovery key (flows
 * 10.5). Nothing of it counts before the recovery is finished. A page that comes back by redirect would find nothing: what was
 * opened is in this page's memory alone.
 */
export const renewCredential = Effect.fn('recovery.renewCredential')(function* (
  credential: NewCredential,
  owner: Owner,
  opened: Opened | undefined,
) {
  const popup = opened ?? (yield* openWindow('CREATE_PASSKEY'))
  if (Option.isNone(popup)) return yield* new PopupBlocked({})
  const visit = Effect.andThen(
    requireReady(owner.userId),
    visitNewCredential(popup, credential, owner, waitForRenewal),
  )
  return yield* unlessContinued(popup, forgetOpeningSecret)(visit)
}, Effect.scoped)

/** A recovery that is over, or that a device of the user has stopped, says so before anybody makes a credential for it. */
const requireReady = Effect.fn('recovery.requireReady')(function* (userId: string) {
  yield* (yield* Api).call('listRecoveryPublicKeys', { path: { userId } })
})
