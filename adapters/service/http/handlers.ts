/** The handler of every operation of the contract. A missing one does not compile. */
import type * as Effect from 'effect/Effect'
import type { Handlers, OperationId, Unserved } from '../../../generated/handlers.ts'
import type { Caller } from '../../../domain/service/Caller.ts'
import type { once } from '../../../domain/service/idempotency.ts'
import type { Reply } from '../../../domain/service/ports/Reply.ts'
import type { Admission } from './admission.ts'
import { assets } from './assets.ts'
import { diagnostics } from './diagnostics.ts'
import type { Incoming } from './Incoming.ts'
import { keyShares } from './keyShares.ts'
import { notBuilt } from './notBuilt.ts'
import { portalSessions } from './portalSessions.ts'
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
  ...notBuilt,
  ...users,
  ...sessions,
  ...portalSessions,
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
} satisfies Handlers<Incoming, unknown>

type BuiltId = Exclude<OperationId, keyof typeof notBuilt>

/** `operation.field` for each optional field of an answer that its handler's type does not mention. */
export type UnservedField = {
  [Id in BuiltId]: `${Id}.${Unserved<Id, Effect.Success<ReturnType<(typeof handlers)[Id]>>>}`
}[BuiltId]

type Flow = ReturnType<(typeof handlers)[OperationId]> | Admission | ReturnType<typeof once<never, never>>

/** Every refusal of a request. */
export type Refusal = Effect.Error<Flow>

/** The services that the flows require of their process. `Caller` and `Reply` are provided with each request. */
export type Services = Exclude<Effect.Services<Flow>, Caller | Reply>
