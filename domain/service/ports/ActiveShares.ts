import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Sharing } from './ShareKeys.ts'

/**
 * The current sharings of the user's wallets at the session's partner, which a verified login is told: the page
 * decrypts no backup of another sharing.
 */
export class ActiveShares extends Context.Service<
  ActiveShares,
  { readonly ofUser: (userId: string, partnerId: string) => Effect.Effect<readonly Sharing[]> }
>()('tandem/service/ActiveShares') {}
