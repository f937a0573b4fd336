/** The JWT of a session, which a page gets by `getToken` and sends to its own server (domain/service/README.md#session-jwts). */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose'
import * as v from 'valibot'

/** A JWK set (RFC 7517), as `/.well-known/jwks.json` has it. */
export type KeySet = { readonly keys: readonly Readonly<Record<string, unknown>>[] }

export type TokenOptions = {
  /** The API's address, as `hosts.api` of the SDK. */
  readonly issuer: string
  /** The partner's id. */
  readonly audience: string
  /** The origins of the app's pages. A token of any other page is refused, and one that names none. */
  readonly origins: readonly string[]
  /** Keys that are known; otherwise they come from the API, which is asked again for an unknown key once a minute. */
  readonly keys?: KeySet
}

/** Who is signed in. The session may have ended meanwhile: `POST /sessions/verify` says how it is now. */
export type VerifiedToken = {
  readonly userId: string
  /** The session's lookup id, which webhooks name, too. */
  readonly sessionLookupId: string
  readonly partnerId: string
  /** Of the page that has the session. */
  readonly origin: string
  /** RFC 8176: `pwd` for a password; `pop` and `user` for a passkey. */
  readonly methods: readonly string[]
  readonly authenticatedAt: Date | undefined
  readonly wallets: readonly { readonly id: string; readonly type: string; readonly address: string }[]
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/**
 * Checks signature, algorithm, issuer, partner, time and page. Fails with `TokenRefused`, which is a 401 of the app's server, or
 * with `KeysUnavailable` where the API's keys cannot be read, which is a 503.
 */
export const verifyToken = async (token: string, options: TokenOptions): Promise<VerifiedToken> => {
  const { issuer, audience, origins } = options
  const expected = { issuer: new URL(issuer).origin, audience, algorithms: ['ES256'], typ: 'JWT', clockTolerance }
  const payload = await checked(token, keysOf(options), expected)
  const claims = v.safeParse(claimsForm, payload)
  if (!claims.success) throw new TokenRefused('claims')
  const { sub, sid, aud, azp, amr, auth_time, wallets, iat, exp } = claims.output
  if (!origins.includes(azp)) throw new TokenRefused('origin')
  return {
    userId: sub,
    sessionLookupId: sid,
    partnerId: aud,
    origin: azp,
    methods: amr,
    authenticatedAt: auth_time === undefined ? undefined : dateOf(auth_time),
    wallets,
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
  }
}

/** Seconds by which the two clocks may differ. */
const clockTolerance = 30

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

const claimsForm = v.object({
  sub: v.string(),
  sid: v.string(),
  aud: v.string(),
  azp: v.string(),
  amr: v.optional(v.array(v.string()), []),
  auth_time: v.optional(v.number()),
  wallets: v.array(v.object({ id: v.string(), type: v.string(), address: v.string() })),
  iat: v.number(),
  exp: v.number(),
})

/** By the address from which they come. */
const remote = new Map<string, JWTVerifyGetKey>()

const keysOf = ({ issuer, keys }: TokenOptions): JWTVerifyGetKey => {
  if (keys !== undefined) return createLocalJWKSet({ keys: keys.keys.map((key) => ({ ...key })) })
  const url = new URL('/.well-known/jwks.json', issuer)
  const known = remote.get(url.href)
  if (known !== undefined) return known
  const made = createRemoteJWKSet(url, { cooldownDuration: 60_000, cacheMaxAge: 600_000, timeoutDuration: 5_000 })
  remote.set(url.href, made)
  return made
}

const checked = async (token: string, keys: JWTVerifyGetKey, expected: JWTVerifyOptions): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, keys, expected)).payload
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new TokenRefused('expired', { cause })
    if (cause instanceof errors.JWTClaimValidationFailed) throw new TokenRefused('claims', { cause })
    const isOfToken =
      cause instanceof errors.JWSSignatureVerificationFailed ||
      cause instanceof errors.JWSInvalid ||
      cause instanceof errors.JWTInvalid ||
      cause instanceof errors.JOSEAlgNotAllowed ||
      cause instanceof errors.JOSENotSupported ||
      cause instanceof errors.JWKSNoMatchingKey ||
      cause instanceof errors.JWKSMultipleMatchingKeys
    if (isOfToken) throw new TokenRefused('signature', { cause })
    throw new KeysUnavailable({ cause })
  }
}

/** Not a JWT of a session of this partner at this page, or not any more. Its reason is for logs, and not for who sent it. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly code = 'TokenRefused'
  readonly reason: 'signature' | 'expired' | 'claims' | 'origin'

  constructor(reason: TokenRefused['reason'], options?: ErrorOptions) {
    super('session token is not valid', options)
    this.reason = reason
  }
}

/** The API did not answer with its keys: nothing is known of the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
  readonly code = 'KeysUnavailable'

  constructor(options?: ErrorOptions) {
    super('the keys of session tokens cannot be read', options)
  }
}
