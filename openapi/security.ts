/** Who may call an operation, from its `security` (openapi/README.md#sessions-and-headers). */

/** One of the ways to call: security schemes that are needed together, each with the state that it asks for. */
export type Alternative = Readonly<Record<string, readonly string[]>>

export type Access = {
  readonly principals: readonly string[]
  /** The earliest state of a session that suffices. Only for S. */
  readonly session: string | undefined
  /** The states of a recovery that suffice. Only for R. */
  readonly recovery: readonly string[]
  /** The scope that a delegated session has to have. Only for D. */
  readonly delegation: string | undefined
  readonly device: boolean | 'optional'
}

/** In the order in which they are written. A session is a principal only where its state is asked for. */
const principals: Readonly<Record<string, (alternative: Alternative) => boolean>> = {
  K: ({ apiKey }) => apiKey !== undefined,
  S: ({ session = [] }) => session.length > 0,
  P: ({ portal }) => portal !== undefined,
  R: ({ recovery }) => recovery !== undefined,
  D: ({ delegation }) => delegation !== undefined,
  SK: ({ partnerSecretKey }) => partnerSecretKey !== undefined,
  pub: (alternative) => Object.keys(alternative).length === 0,
}

/** Throws where the router could not do what the contract says. */
export const accessOf = (id: string, security: readonly Alternative[]): Access => {
  const fault = faultOf(security)
  if (fault !== undefined) throw new Error(`security of ${id}: ${fault}`)
  return {
    principals: Object.keys(principals).filter((principal) =>
      security.some((alternative) => principalsOf(alternative).includes(principal)),
    ),
    session: statesOf(security, 'session')[0],
    recovery: statesOf(security, 'recovery'),
    delegation: statesOf(security, 'delegation')[0],
    device: security.some((one) => takesToken(one) && isSigned(one)) || (security.some(isSigned) && 'optional'),
  }
}

const faultOf = (security: readonly Alternative[]): string | undefined => {
  const ofTokens = security.filter(takesToken)
  const keys = new Set(ofTokens.map(hasKey))
  const others = security.filter((one) => !takesToken(one) && !('delegation' in one))
  if (security.length === 0) return 'no caller is allowed'
  if (security.some((one) => principalsOf(one).length === 0))
    return 'a session without a state proves nothing by itself'
  if (new Set(statesOf(security, 'session')).size > 1) return 'a session has one earliest state'
  if (security.some(({ recovery }) => recovery?.length === 0)) return 'a recovery has a state'
  if (security.some(({ delegation }) => delegation?.length === 0)) return 'a delegation has a scope'
  if (security.some(hasOtherStates)) return 'only a session, a recovery and a delegation have a state, and one each'
  if (keys.size > 1) return 'the key is needed beside all tokens or none'
  if (ofTokens.length > 0 && others.some(hasKey)) return 'where a token is asked for, the key alone is not enough'
  if (security.some((one) => 'portal' in one && isSigned(one))) return 'a portal session does not sign'
  if (ofTokens.some(isSigned) && ofTokens.some((one) => 'recovery' in one && !isSigned(one)))
    return 'a recovery signs where a session does'
  return undefined
}

const principalsOf = (alternative: Alternative): readonly string[] =>
  Object.keys(principals).filter((principal) => principals[principal]?.(alternative))

const takesToken = (alternative: Alternative): boolean =>
  principalsOf(alternative).some((principal) => ['S', 'P', 'R'].includes(principal))

const statesOf = (security: readonly Alternative[], scheme: string): readonly string[] =>
  security.flatMap((alternative) => alternative[scheme] ?? [])

const hasOtherStates = (alternative: Alternative): boolean =>
  Object.entries(alternative).some(
    ([scheme, states]) => states.length > (['session', 'recovery', 'delegation'].includes(scheme) ? 1 : 0),
  )

const hasKey = (alternative: Alternative): boolean => 'apiKey' in alternative

const isSigned = (alternative: Alternative): boolean => 'deviceSignature' in alternative
