import * as Effect from 'effect/Effect'
import type { HandlersOf } from '../../../generated/handlers.ts'
import * as WalletTypes from '../../../domain/model/WalletTypes.ts'
import * as flows from '../../../domain/service/sessions.ts'
import type { Incoming } from './Incoming.ts'
import { present } from './present.ts'

export const sessions = {
  touchSession: ({ query }) => Effect.map(flows.touchSession(query?.regenerate === 'true'), touched),
  getSessionOrigin: ({ path }) =>
    Effect.map(flows.getSessionOrigin(path.sessionLookupId), (origin) => present({ origin })),
  registerSessionKeys: ({ path, body }) => Effect.map(flows.registerSessionKeys({ ...body, ...path }), present),
  keepSessionAlive: ({ path }) => Effect.as(flows.keepSessionAlive(path.userId), {}),
  logout: () => Effect.as(flows.logout(), {}),
} satisfies Partial<HandlersOf<'sessions', Incoming, unknown>>

/**
 * The answer of touch. Supported wallet types are an array, and `userId` is omitted without a user, as public clients
 * expect.
 */
const touched = (touch: Effect.Success<ReturnType<typeof flows.touchSession>>) => ({
  isAuthenticated: touch.isAuthenticated,
  sessionId: touch.session.id,
  sessionLookupId: touch.session.lookupId,
  partnerId: touch.session.partnerId,
  currentWalletIds: touch.currentWalletIds,
  needsWallet: touch.needsWallet,
  supportedWalletTypes: WalletTypes.toTouch(touch.supportedWalletTypes),
  cosmosPrefix: touch.cosmosPrefix,
  serverTime: touch.serverTime,
  ...present({
    userId: touch.userId,
    email: touch.identity?.kind === 'email' ? touch.identity.email : undefined,
    openingResult: touch.openingResult,
  }),
})
