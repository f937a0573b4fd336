import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { ApiError } from '../model/ApiError.ts'
import { newPasskey, newPassword } from '../model/Credential.ts'
import type { Identity } from '../model/Identity.ts'
import type { Page } from '../model/PortalUrl.ts'
import { requireUser } from '../model/Session.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { openPortal, type PortalSessionHandle } from './openPortal.ts'
import { openWindow, unlessContinued, type Opened } from './openWindow.ts'
import { portalAddress } from './portalAddress.ts'
import { resumeReturn } from './portalReturn.ts'
import { Api } from './ports/Api.ts'
import { PopupBlocked } from './ports/Popup.ts'
import { rememberedIdentity } from './rememberedIdentity.ts'
import { rememberedUserId } from './rememberedUserId.ts'
import { prepareSignUpKeys } from './sessionKeys.ts'
import { tellTabs } from './tabNews.ts'
import { currentSession } from './touch.ts'
import { forgetUnderWay, keepUnderWay, underWay } from './underWay.ts'
import { waitForAccountCreation } from './waitForAccountCreation.ts'

/** A credential that a verified user makes on a page of the portal. */
export type NewCredential = {
  readonly page: 'create-password' | 'create-passkey'
  /** Makes the service's pending record of it. Answers its id. */
  readonly create: (userId: string) => Effect.Effect<string, ApiError, Api>
}

export const passwordSetup: NewCredential = {
  page: 'create-password',
  create: Effect.fnUntraced(function* (userId) {
    return (yield* (yield* Api).call('createPassword', { path: { userId }, body: newPassword })).id
  }),
}

export const passkeySetup: NewCredential = {
  page: 'create-passkey',
  create: Effect.fnUntraced(function* (userId) {
    return (yield* (yield* Api).call('createPasskey', { path: { userId }, body: newPasskey })).id
  }),
}

/**
 * Lets a verified user make a credential in the portal (domain/client/README.md#sign-up). It opens the popup before
 * anything else, so that it happens within the click.
 */
export const setUpCredential = Effect.fn('account.setUpCredential')(function* (credential: NewCredential) {
  const popup = yield* openWindow('CREATE_PASSKEY')
  return yield* unlessContinued(popup, giveUp)(setUp(popup, credential))
}, Effect.scoped)

const setUp = Effect.fn('account.setUpCredentialIn')(function* (popup: Opened, credential: NewCredential) {
  const userId = yield* Effect.fromResult(requireUser({ userId: (yield* rememberedUserId) ?? null }))
  yield* keepUnderWay({ kind: 'set-up' })
  const owner = { userId, identity: yield* rememberedIdentity }
  const created = yield* openNewCredentialPage(popup, credential, owner, waitForAccountCreation)
  return yield* Effect.as(finish, created)
})

/** The user whose credential it is. */
export type Owner = { readonly userId: string; readonly identity: Identity | undefined }

/** Makes the record of the credential, opens its page, and waits there for what `wait` reads of the page's result. */
export const openNewCredentialPage = Effect.fn('account.openNewCredentialPage')(function* <A, E, R>(
  popup: Opened,
  { page, create }: NewCredential,
  { userId, identity }: Owner,
  wait: (portalSession: PortalSessionHandle) => Effect.Effect<A, E, R>,
) {
  const session = yield* currentSession
  const recovery = yield* prepareSignUpKeys(session, userId)
  const record = yield* create(userId)
  const details = { userId, identity, sessionId: session.sessionId }
  const address: Page =
    page === 'create-password'
      ? { type: page, passwordId: record, ...details }
      : { type: page, webAuthId: record, ...details }
  const { url, origin: portalOrigin } = yield* portalAddress(address)
  if (Option.isNone(popup)) return yield* new PopupBlocked({ continueUrl: url })
  const recoveryPublicKey = recovery.publicKey
  const portalSession = yield* openPortal({
    popup: popup.value,
    url,
    portalOrigin,
    session,
    page,
    record,
    recoveryPublicKey,
  })
  return yield* Effect.onError(wait(portalSession), () => portalSession.giveUp)
})

/** Continues the creation of a credential after a reload, or after a page returned by redirect. */
export const resumeSetUp = Effect.fn('account.resumeSetUp')(function* () {
  const portalSession = yield* underWay
  if (!Option.exists(portalSession, ({ kind }) => kind === 'set-up')) return Option.none()
  const created = yield* Effect.tapCause(waitForAccountCreation(yield* resumeReturn), (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : giveUp,
  )
  return Option.some(yield* Effect.as(finish, created))
}, Effect.scoped)

const finish = Effect.andThen(forgetUnderWay, tellTabs({ type: 'signed-in' }))

const giveUp = Effect.andThen(forgetPortalSessionSecret, forgetUnderWay)
