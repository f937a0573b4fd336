import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import type { Partner } from '../../../domain/service/Partner.ts'
import * as flows from '../../../domain/service/partners.ts'
import type { Incoming } from './Incoming.ts'
import { present } from './present.ts'

export const partners = {
  getPartner: ({ path }) =>
    Effect.map(flows.getPartner(path.partnerId), (partner) => ({ partner: publicPartner(partner) })),
} satisfies Partial<HandlersOf<'partners', Incoming, unknown>>

/** The public fields of a partner: names and theme, no keys, origins or other settings. */
export const publicPartner = ({
  id,
  displayName,
  portalUrl,
  theme,
  policiesEnabled,
  supportedAuthMethods,
}: Partner) => ({
  id,
  displayName,
  policiesEnabled,
  supportedAuthMethods,
  ...theme,
  ...present({ portalUrl }),
})
