import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/** How long a person has for one gesture, in milliseconds. */
export const passkeyTimeoutMs = 60_000

/** A passkey to be made. Credential ids are base64url, as on the wire; challenge and PRF input are 32 bytes. */
export type NewPasskey = {
  /** The portal's host without its port: the passkey works there and nowhere else. */
  readonly rpId: string
  readonly challenge: Uint8Array
  /** 32 random bytes, which the device gives back at a login. */
  readonly userHandle: Uint8Array
  /** What the device lists the passkey under. */
  readonly userName: string
  /** Credential ids of the user's passkeys for this host: a device that has one of them makes no second. */
  readonly exclude: readonly string[]
  readonly prfInput: Uint8Array
}

/** Texts without a comment are base64url; the PRF output is 32 bytes. */
export type CreatedPasskey = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  /**
   * The public key as on the wire: base64url of the point 04 ‖ x ‖ y for ES256, of the text of an SPKI PEM for RS256.
   * Not every browser gives it, nor the `aaguid`.
   */
  readonly cosePublicKey?: string
  /** The model of the device, hex without dashes. */
  readonly aaguid?: string
  /** Whether the device has a PRF at all. Not every one gives its output at the creation. */
  readonly hasPrf: boolean
  readonly prfOutput?: Uint8Array
}

/**
 * A passkey to be used. With an empty `allow` the device offers every passkey that it has for the host. Challenge and
 * PRF input are 32 bytes.
 */
export type PasskeyRequest = {
  readonly rpId: string
  readonly challenge: Uint8Array
  readonly allow: readonly string[]
  readonly prfInput: Uint8Array
}

/** Texts are base64url. */
export type PasskeyAssertion = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  /** What wraps, 32 bytes each; neither of them leaves the page. */
  readonly userHandle?: Uint8Array
  readonly prfOutput?: Uint8Array
}

export type PasskeyRefusal = PasskeyCancelled | PasskeyUnsupported | PasskeyExists

/** The passkeys of a person for this page's host. Each ceremony takes a gesture. */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** Whether this device can keep a passkey and verify its user. Otherwise none is offered. */
    readonly canCreate: Effect.Effect<boolean>
    /** Whether a passkey may be used here: a phone beside this device may have it. */
    readonly canGet: Effect.Effect<boolean>
    readonly create: (passkey: NewPasskey) => Effect.Effect<CreatedPasskey, PasskeyRefusal>
    readonly get: (request: PasskeyRequest) => Effect.Effect<PasskeyAssertion, PasskeyRefusal>
    /**
     * Tells the device that the service does not know this passkey, so that it is no longer offered. Not every browser
     * supports it.
     */
    readonly forget: (rpId: string, credentialId: string) => Effect.Effect<void>
  }
>()('tandem/client/Passkeys') {}

/** The person refused, or did nothing for too long. Browsers do not say which. */
export class PasskeyCancelled extends Data.TaggedError('PasskeyCancelled') {
  override readonly message = 'passkey was cancelled'
}

/** This browser or device makes no passkeys for this page. */
export class PasskeyUnsupported extends Data.TaggedError('PasskeyUnsupported') {
  override readonly message = 'passkeys are not supported here'
}

/** The device has a passkey of this user already. */
export class PasskeyExists extends Data.TaggedError('PasskeyExists') {
  override readonly message = 'this device has a passkey already'
}
