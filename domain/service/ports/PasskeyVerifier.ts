import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/** Where a ceremony must have happened, and for which challenge (WebAuthn 7.1, 7.2). */
export type Ceremony = {
  readonly challenge: Uint8Array
  readonly origin: string
  readonly rpId: string
}

/** All texts base64url, as the wire has them. */
export type Registration = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
}

/** `credentialId` is base64url, the key COSE bytes, `aaguid` hex(16); `counter` counts signatures. */
export type Registered = {
  readonly credentialId: string
  readonly authenticatorKey: Uint8Array
  readonly aaguid: string
  readonly counter: number
}

/** All texts base64url, as the wire has them. */
export type Assertion = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

/**
 * Checks what an authenticator says: challenge, origin, relying party, presence and verification of its user, counter.
 */
export class PasskeyVerifier extends Context.Service<
  PasskeyVerifier,
  {
    readonly register: (ceremony: Ceremony, registration: Registration) => Effect.Effect<Registered, PasskeyRefused>
    readonly assert: (
      ceremony: Ceremony,
      assertion: Assertion,
      known: { readonly authenticatorKey: Uint8Array; readonly counter: number },
    ) => Effect.Effect<{ readonly counter: number }, PasskeyRefused>
  }
>()('tandem/service/PasskeyVerifier') {}

/** `reason` is for the operator and never sent to the caller. */
export class PasskeyRefused extends Data.TaggedError('PasskeyRefused')<{ readonly reason: string }> {}
