/** The portal's flows from end to end, without the views that its pages show in between. */
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { preparePasskey } from '../../domain/client/portal/createPasskey.ts'
import { preparePassword } from '../../domain/client/portal/createPassword.ts'
import { startPortalSession, beginPage, type PortalSession } from '../../domain/client/portal/portalSession.ts'

export const openPage = () => Effect.flatMap(startPortalSession(), beginPage)

export const createPassword = (portalSession: PortalSession, password: string) =>
  Effect.flatten(preparePassword(portalSession, Redacted.make(password)))

export const createPasskey = (portalSession: PortalSession) => Effect.flatten(preparePasskey(portalSession))
