/** Every operation of the contract with what answers it. One that is missing does not compile. */
import type * as Effect from 'effect/Effect'
import type { Handlers, OperationId } from '../../../generated/handlers.ts'
import type { Caller } from '../../../domain/service/Caller.ts'
import type { once } from '../../../domain/service/idempotency.ts'
import type { Reply } from '../../../domain/service/ports/Reply.ts'
import type { Admission } from './admission.ts'
import { assets } from './assets.ts'
import { diagnostics } from './diagnostics.ts'
import type { Incoming } from './Incoming.ts'
import { keyShares } from './keyShares.ts'
import { notBuilt } from './notBuilt.ts'
import { openings } from './openings.ts'
import { partners } from './partners.ts'
import { passkeys } from './passkeys.ts'
import { passwords } from './passwords.ts'
import { pregen } from './pregen.ts'
import { protocol } from './protocol.ts'
import { recovery } from './recovery.ts'
import { sessions } from './sessions.ts'
import { signing } from './signing.ts'
import { transmissions } from './transmissions.ts'
import { users } from './users.ts'
import { wallets } from './wallets.ts'

export const handlers = {
  ...users,
  ...sessions,
  ...openings,
  ...passkeys,
  ...passwords,
  ...wallets,
  ...pregen,
  ...signing,
  ...keyShares,
  ...recovery,
  ...transmissions,
  ...partners,
  ...protocol,
  ...assets,
  ...diagnostics,
  ...notBuilt,
} satisfies Handlers<Incoming, unknown, unknown>

type Flow = ReturnType<(typeof handlers)[OperationId]> | Admission | ReturnType<typeof once<never, never>>

/** Whatever a request may be refused with. */
export type Refusal = Effect.Error<Flow>

/** What the flows need of their process. `Caller` and `Reply` come with each request. */
export type Services = Exclude<Effect.Services<Flow>, Caller | Reply>
