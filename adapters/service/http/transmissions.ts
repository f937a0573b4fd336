import * as Effect from 'effect/Effect'
import type { HandlersOf, Input } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/transmissions.ts'
import type { Incoming } from './Incoming.ts'

export const transmissions = {
  // The link carries the user id for its reader. The request's own is unproven and not stored.
  createTemporaryTransmission: ({ body }: Input<'createTemporaryTransmission'>) =>
    Effect.map(flows.createTemporaryTransmission(body.message), (id) => ({ id })),
  getTemporaryTransmission: ({ path }: Input<'getTemporaryTransmission'>) =>
    Effect.map(flows.getTemporaryTransmission(path.transmissionId), (message) => ({ message })),
} satisfies Partial<HandlersOf<'keyShares', Incoming, unknown>>
