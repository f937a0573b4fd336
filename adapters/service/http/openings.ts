import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import { toAuthObject } from '../../../domain/model/Identity.ts'
import * as flows from '../../../domain/service/openings.ts'
import type { Incoming } from './Incoming.ts'
import { publicPartner } from './partners.ts'
import { present } from './present.ts'

export const openings = {
  createOpening: ({ body }) => Effect.map(flows.createOpening(body), begun),
  getOpening: ({ path }) => Effect.map(flows.getOpening(path.openingId), (state) => ({ state })),
  createOpeningTicket: ({ path, body }) =>
    Effect.map(flows.createOpeningTicket(path.openingId, body), (ticket) => ({ ticket })),
  createOpeningToken: ({ path, body }) => Effect.map(flows.createOpeningToken(path.openingId, body), entered),
  beatOpening: ({ path, body }) => Effect.as(flows.beatOpening(path.openingId, body.openingSecret), {}),
  closeOpening: ({ path, body }) => Effect.as(flows.closeOpening(path.openingId, body.openingSecret, body.reason), {}),
  redeemOpening: ({ path, body }) => Effect.as(flows.redeemOpening(path.openingId, body), {}),
} satisfies Partial<HandlersOf<'openings', Incoming, unknown, unknown>>

const begun = (opening: Effect.Success<ReturnType<typeof flows.createOpening>>) => {
  const { openingId, openingSecret, mode, partner, session, returnUrl } = opening
  const { origin, loginPublicKey, devicePublicKey, recoveryPublicKey } = session
  return {
    openingId,
    openingSecret,
    mode,
    partner: publicPartner(partner),
    ...present({ origin, loginPublicKey, devicePublicKey, recoveryPublicKey, returnUrl }),
  }
}

const entered = (opening: Effect.Success<ReturnType<typeof flows.createOpeningToken>>) => {
  const { sessionLookupId, identity, challenge, serverTime, password, exporting } = opening
  return {
    sessionLookupId,
    challenge,
    serverTime,
    ...password,
    ...exporting,
    ...(identity === null ? {} : { identity: present(toAuthObject(identity)) }),
  }
}
