/**
 * Who may call what (domain/service/README.md#callers-and-sessions). The contract says by which principal, how far a
 * session has to be and whether the device signs. Every request passes here before its handler. What only a flow can
 * know, such as whose wallet or record it is, the flow checks.
 */
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { operations, type Operation, type OperationId, type Principal } from '../../generated/operations.ts'
import { includes, NotDelegated } from '../model/Delegation.ts'
import { ApiKeyRequired } from '../model/Partner.ts'
import { NoSignedInUser, states, type State } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { allowsDelegations, allowsNoOrigin, allowsUnprovenClients, isPageOf, portalOrigins } from './Partner.ts'
import { OriginNotAllowed, PartnerFrozen } from './partners.ts'
import { Deployment } from './ports/Deployment.ts'
import type { RecoveryRecord } from './Recovery.ts'
import { UserFrozen } from './User.ts'

/**
 * Lets the caller through to the operation, or refuses. `userId`: the path's, where it has one; it has to be the
 * caller's own.
 */
export const authorize = Effect.fnUntraced(function* (id: OperationId, userId: string | undefined) {
  const operation: Operation = operations[id]
  const caller = yield* Caller
  const deployment = yield* Deployment
  if (isBeyondDelegation(operation, caller)) return yield* new NotDelegated()
  const principal = principalOf(operation, caller)
  if (principal === undefined) return yield* takesTokens(operation) ? new NoSignedInUser() : new ApiKeyRequired()
  if (needsApiKey(operation, principal) && !caller.apiKey) return yield* new ApiKeyRequired()
  if (principal !== 'pub' && caller.partner?.isFrozen === true) return yield* new PartnerFrozen()
  if (isOfFrozenUser(principal, caller)) return yield* new UserFrozen()
  if (principal === 'D' && caller.partner !== undefined && !allowsDelegations(caller.partner)) {
    return yield* new DelegationNotAllowed()
  }
  if (!isFromItsPage(principal, caller, deployment)) return yield* new OriginNotAllowed()
  if (userId !== undefined && !isUserOf(operation, principal, caller, userId)) return yield* new NotFound()
  if (operation.device === true && !isSigned(principal, caller, deployment)) return yield* new DeviceSignatureRequired()
})

/** Who only names a user learns nothing about it; portal pages learn it once their proof is right, or when they commit. */
const isOfFrozenUser = (principal: Principal, { session }: Caller): boolean =>
  (principal === 'S' || principal === 'R' || principal === 'D') && session?.userProven === true && session.isUserFrozen

/**
 * Whether a delegated session asks for more than it was made for. It may call what the contract names it for, and what needs
 * neither a token nor a page.
 */
const isBeyondDelegation = (operation: Operation, { session }: Caller): boolean => {
  if (session === undefined || session.delegation === null) return false
  if (operation.delegation !== undefined) return !includes(session.delegation.scope, operation.delegation)
  return takesTokens(operation) || operation.principals.includes('K')
}

/**
 * The right by which the caller comes: a recovery, a session, a portal token, a key of a server or of a page, or none.
 */
const principalOf = (operation: Operation, caller: Caller): Principal | undefined => {
  const { principals } = operation
  if (caller.session !== undefined && caller.session.delegation !== null && principals.includes('D')) return 'D'
  if (mayRecover(caller.recovery, operation)) return 'R'
  if (caller.session !== undefined && isFarEnough(caller.session.state, operation)) return 'S'
  if (principals.includes('P') && caller.portal !== undefined) return 'P'
  if (principals.includes('SK') && caller.secretKey) return 'SK'
  if (principals.includes('pub')) return 'pub'
  return principals.includes('K') && !takesTokens(operation) && caller.apiKey ? 'K' : undefined
}

const mayRecover = (recovery: RecoveryRecord | undefined, { recovery: allowed = [] }: Operation): boolean =>
  allowed.some((state) => state === recovery?.state)

/** `S`, `P` and `R` are tokens. Where one of them is named, a key alone is not enough; `D` is one beside them. */
const takesTokens = ({ principals }: Operation): boolean =>
  principals.some((principal) => principal === 'S' || principal === 'P' || principal === 'R')

const needsApiKey = ({ principals }: Operation, principal: Principal): boolean =>
  principals.includes('K') && (principal === 'S' || principal === 'P' || principal === 'R' || principal === 'D')

const isFarEnough = (state: State, { session: needed }: Operation): boolean =>
  needed !== undefined && state !== 'CLOSED' && states.indexOf(state) >= states.indexOf(needed)

/**
 * A session's calls come from the page that began it, for as long as it is one of the partner's; those of a delegated one
 * from no page at all, whatever the partner says of calls without `Origin`; those of a portal token from a portal, those of a
 * recovery from connect, those of a key from any of these or a page of the partner. A call without `Origin` comes from a
 * server or a test, where the partner allows it.
 */
const isFromItsPage = (principal: Principal, caller: Caller, deployment: Deployment['Service']): boolean => {
  const { origin, partner, session } = caller
  if (principal === 'pub' || principal === 'SK') return true
  if (partner === undefined) return false
  if (principal === 'D') return origin === undefined
  if (origin === undefined) return allowsNoOrigin(partner, deployment.environment)
  if (origin === 'null') return false
  if (principal === 'S') return origin === session?.origin && isPageOf(partner, origin, deployment)
  if (principal === 'R') return origin === deployment.connectOrigin
  if (principal === 'P') return portalOrigins(partner, deployment.portalOrigin).includes(origin)
  return isPageOf(partner, origin, deployment)
}

/** Where the partner's server may call, the partner stands for the user of a wallet without one. */
const isUserOf = ({ principals }: Operation, principal: Principal, caller: Caller, userId: string): boolean => {
  const partnerOwns = principals.includes('SK') && userId === caller.partner?.id
  if (principal === 'SK') return partnerOwns
  if (principal === 'R') return userId === caller.recovery?.userId
  return partnerOwns || userId === (principal === 'P' ? caller.portal?.userId : caller.session?.userId)
}

/**
 * A session with a device key for requests signs, and so does every recovery. A client without one passes where the
 * partner allows unproven clients.
 */
const isSigned = (principal: Principal, caller: Caller, deployment: Deployment['Service']): boolean => {
  if (caller.device || (principal !== 'S' && principal !== 'R' && principal !== 'D')) return true
  if (principal !== 'S') return false
  if (caller.session?.deviceSignsRequests !== false || caller.partner === undefined) return false
  return allowsUnprovenClients(caller.partner, deployment.environment)
}

/** The partner has switched delegated sessions off. */
export class DelegationNotAllowed extends Data.TaggedError('DelegationNotAllowed') {
  override readonly message = 'delegated sessions are not allowed'
}

/** The operation takes a device signature (`device: true`), and the request has no valid signature of the session's device key. */
export class DeviceSignatureRequired extends Data.TaggedError('DeviceSignatureRequired') {
  override readonly message = 'device signature required'
}
