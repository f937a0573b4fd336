/** The portal's flows from end to end, without the looks that its pages have in between. */
import * as Effect from 'effect/Effect'
import { preparePasskey } from '../../domain/client/portal/createPasskey.ts'
import { preparePassword } from '../../domain/client/portal/createPassword.ts'
import { arrive, beginPage, type PortalOpening } from '../../domain/client/portal/opening.ts'

export const openPage = () => Effect.flatMap(arrive(), beginPage)

export const createPassword = (opening: PortalOpening, password: string) =>
  Effect.flatten(preparePassword(opening, password))

export const createPasskey = (opening: PortalOpening) => Effect.flatten(preparePasskey(opening))
