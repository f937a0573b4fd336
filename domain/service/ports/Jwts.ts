import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A P-256 key by which JWTs verify. */
export type JwtPublicKey = {
  /** base64url: the JWK thumbprint (RFC 7638). */
  readonly kid: string
  /** base64url of 32 bytes each. */
  readonly x: string
  readonly y: string
}

export type JwtKeyPair = JwtPublicKey & {
  /** PKCS#8, DER. */
  readonly privateKey: Uint8Array
}

/** Claims by name, as RFC 7519 has them: times in seconds. */
export type Claims = Readonly<Record<string, unknown>>

/** JWTs under ES256 (RFC 7518) and no other algorithm; `kid` and `typ: JWT` stand in their header. */
export class Jwts extends Context.Service<
  Jwts,
  {
    readonly makeKey: Effect.Effect<JwtKeyPair>
    readonly sign: (claims: Claims, key: Pick<JwtKeyPair, 'kid' | 'privateKey'>) => Effect.Effect<string>
    /** The claims, if one of the keys signed them, for this audience, and their time (milliseconds) is not over. */
    readonly verify: (
      jwt: string,
      expected: {
        readonly keys: readonly JwtPublicKey[]
        readonly issuer: string
        readonly audience: string
        readonly now: number
      },
    ) => Effect.Effect<Option.Option<Claims>>
  }
>()('tandem/service/Jwts') {}
