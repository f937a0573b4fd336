/** JWTs by jose, over WebCrypto. */
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { Jwts } from '../../../domain/service/ports/Jwts.ts'

const alg = 'ES256'
const typ = 'JWT'
/** ES256, in the words of WebCrypto. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

export const JwtsJose = Layer.succeed(
  Jwts,
  Jwts.of({
    makeKey: Effect.promise(async () => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
      const jwk = await exportJWK(publicKey)
      const { x, y } = jwk
      if (x === undefined || y === undefined) throw new Error('a key of P-256 has two coordinates')
      const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
      return { kid: await calculateJwkThumbprint(jwk), x, y, privateKey: der }
    }),
    sign: (claims, { kid, privateKey }) =>
      Effect.promise(async () =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg, typ, kid })
          .sign(await crypto.subtle.importKey('pkcs8', Uint8Array.from(privateKey), algorithm, false, ['sign'])),
      ),
    verify: (jwt, { keys, issuer, audience, now }) => {
      const published = createLocalJWKSet({
        keys: keys.map(({ kid, x, y }) => ({ kty: 'EC', crv: 'P-256', alg, use: 'sig', kid, x, y })),
      })
      const options = {
        algorithms: [alg],
        typ,
        issuer,
        audience,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'sub'],
      }
      return Effect.promise(() =>
        jwtVerify(jwt, published, options).then(
          ({ payload }) => Option.some(payload),
          (error: unknown) => {
            if (error instanceof errors.JOSEError) return Option.none()
            throw error
          },
        ),
      )
    },
    read: (jws, key) => {
      const { kty, crv, x } = key
      const ofKey = kty === 'EC' ? 'ES256' : 'EdDSA'
      return Effect.option(
        Effect.tryPromise(async () => {
          const publicKey = await importJWK(kty === 'EC' ? { kty, crv, x, y: key.y } : { kty, crv, x }, ofKey)
          const { payload } = await compactVerify(jws, publicKey, { algorithms: [ofKey] })
          return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown
        }),
      )
    },
  }),
)
