/** The portal's flows from end to end, without the views that its pages show in between. */
import * as Effect from 'effect/Effect'
import { preparePasskey } from '../../domain/client/portal/createPasskey.ts'
import { preparePassword } from '../../domain/client/portal/createPassword.ts'
import { startPortalSession, beginPage, type PortalSession } from '../../domain/client/portal/portalSession.ts'

export const openPage = () => Effect.flatMap(startPortalSession(), beginPage)

export const createPassword = (portalSession: PortalSession, password: string) =>
  Effect.flatten(preparePassword(portalSession, password))

export const createPasskey = (portalSession: PortalSession) => Effect.flatten(preparePasskey(portalSession))
