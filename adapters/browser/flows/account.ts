/** Users, sessions and the list of wallets: what needs no protocol. */
import * as Effect from 'effect/Effect'
import { findWallet } from '../../../domain/client/findWallet.ts'
import { getToken } from '../../../domain/client/getToken.ts'
import { logout } from '../../../domain/client/logout.ts'
import { stopRecovery } from '../../../domain/client/recovery/cancelRecovery.ts'
import { refreshSession } from '../../../domain/client/refreshSession.ts'
import * as Delegations from '../../../domain/client/delegations.ts'
import { createShortLink } from '../../../domain/client/shortLink.ts'
import { tellTabs } from '../../../domain/client/tabNews.ts'
import { keepSessionAlive, touch } from '../../../domain/client/touch.ts'
import * as Transfer from '../../../domain/client/transferSession.ts'
import * as Users from '../../../domain/client/users.ts'
import { listOwnWallets } from '../../../domain/client/wallets.ts'
import { RawHashSigningNotImplemented } from '../../../domain/model/WalletKeyFailures.ts'
import { shortestLifetime } from '../../../domain/model/Delegation.ts'
import type { Flows } from '../flows.ts'
import { InvalidInput } from '../inputs.ts'
import { emailOf } from './emailOf.ts'

export const flows = {
  checkUserExists: (identity) => Users.checkUserExists(emailOf(identity)),
  createUser: (identity) => Users.createUser(emailOf(identity)),
  /** Afterwards touch names the user. */
  verifyEmail: (code) => Effect.asVoid(Effect.andThen(Users.verifyEmail(code), touch(false))),
  resendVerificationCode: () => Users.resendVerificationCode(),
  getSupportedAuthMethods: (identity) => Users.getSupportedAuthMethods(emailOf(identity)),
  isSessionActive: () => Effect.map(touch(false), ({ isAuthenticated }) => isAuthenticated),
  keepSessionAlive: () => keepSessionAlive(),
  getToken: () => getToken(),
  logout: (options) => logout(options),
  cancelRecovery: () => stopRecovery(),
  getWallets: () => listOwnWallets(),
  findWallet: ({ address }) => findWallet(address),
  signRawHash: () => Effect.fail(new RawHashSigningNotImplemented()),
  exportSession: (options) =>
    (options?.lifetimeMs ?? shortestLifetime) >= shortestLifetime
      ? Transfer.exportSession(options)
      : Effect.fail(new InvalidInput({ verb: 'exportSession', field: 'lifetimeMs', form: `>= ${shortestLifetime}` })),
  /** The other tabs have the same session then. */
  importSession: (text) =>
    Effect.andThen(Transfer.importSession(text), Effect.andThen(refreshSession(), tellTabs({ type: 'signed-in' }))),
  listDelegations: () => Delegations.listDelegations(),
  endDelegation: ({ id }) => Delegations.endDelegation(id),
  createShortLink: (link) => createShortLink(link),
} satisfies Partial<Flows>
