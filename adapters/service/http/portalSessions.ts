import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import { toAuthObject } from '../../../domain/model/Identity.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import * as flows from '../../../domain/service/portalSessions.ts'
import type { Incoming } from './Incoming.ts'
import { publicPartner } from './partners.ts'
import { present } from './present.ts'

export const portalSessions = {
  createOpening: ({ body }) => Effect.map(flows.createOpening(body), begun),
  getOpening: ({ path }) => Effect.map(flows.getOpening(path.openingId), (state) => ({ state })),
  createOpeningTicket: ({ path, body }) =>
    Effect.map(handshakes.createOpeningTicket(path.openingId, body), (ticket) => ({ ticket })),
  createOpeningToken: ({ path, body }) => Effect.map(handshakes.createOpeningToken(path.openingId, body), entered),
  beatOpening: ({ path, body }) => Effect.as(flows.beatOpening(path.openingId, body.openingSecret), {}),
  closeOpening: ({ path, body }) => Effect.as(flows.closeOpening(path.openingId, body.openingSecret, body.reason), {}),
  redeemOpening: ({ path, body }) => Effect.as(commits.redeemOpening(path.openingId, body), {}),
} satisfies Partial<HandlersOf<'openings', Incoming, unknown>>

const begun = (portalSession: Effect.Success<ReturnType<typeof flows.createOpening>>) => {
  const { openingId, openingSecret, mode, partner, session, returnUrl } = portalSession
  const { origin, loginPublicKey, devicePublicKey, recoveryPublicKey } = session
  return {
    openingId,
    openingSecret,
    mode,
    partner: publicPartner(partner),
    ...present({ origin, loginPublicKey, devicePublicKey, recoveryPublicKey, returnUrl }),
  }
}

const entered = (portalSession: Effect.Success<ReturnType<typeof handshakes.createOpeningToken>>) => {
  const { sessionLookupId, identity, challenge, serverTime, password, exporting } = portalSession
  return {
    sessionLookupId,
    challenge,
    serverTime,
    ...password,
    ...exporting,
    ...(identity === null ? {} : { identity: present(toAuthObject(identity)) }),
  }
}
