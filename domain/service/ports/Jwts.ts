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

/** A public key of a partner's, as a JWK (RFC 7517, RFC 8037): EC signs by ES256, OKP by EdDSA. */
export type JwsPublicKey =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }

/** JWTs of the service under ES256 (RFC 7518), with `kid` and `typ: JWT` in their header; statements of partners under EdDSA, too. */
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
    /**
     * The parsed JSON of a compact JWS (RFC 7515), if this key signed it by its own algorithm. The header chooses neither
     * key nor algorithm. What the claims say, their time among it, is not looked at.
     */
    readonly read: (jws: string, key: JwsPublicKey) => Effect.Effect<Option.Option<unknown>>
  }
>()('tandem/service/Jwts') {}
