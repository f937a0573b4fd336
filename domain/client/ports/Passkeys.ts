import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/** How long a person has for one gesture (flows 4.6). */
export const passkeyTimeoutMs = 60_000

/** A passkey to be made (flows 4.6). Credential ids are base64url, as the wire has them. */
export type NewPasskey = {
  /** The portal's host without its port: the passkey works there and nowhere else. */
  readonly rpId: string
  readonly challenge: Uint8Array
  /** 32 random bytes, which the device gives back at a login. */
  readonly userHandle: Uint8Array
  /** What the device lists the passkey under. */
  readonly userName: string
  /** The user's passkeys for this host: a device that has one of them makes no second. */
  readonly exclude: readonly string[]
  readonly prfInput: Uint8Array
}

export type CreatedPasskey = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  /** The public key as the wire has it (facts 2.2). Not every browser tells it, nor what follows. */
  readonly cosePublicKey?: string
  /** The model of the device, hex without dashes. */
  readonly aaguid?: string
  /** Whether the device has a PRF at all. Not every one says its output at once. */
  readonly hasPrf: boolean
  readonly prfOutput?: Uint8Array
}

/** A passkey to be used (flows 6.3k). An empty `allow` leaves the choice to the device. */
export type PasskeyRequest = {
  readonly rpId: string
  readonly challenge: Uint8Array
  readonly allow: readonly string[]
  readonly prfInput: Uint8Array
}

export type PasskeyAssertion = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  /** What wraps; neither of them leaves the page. */
  readonly userHandle?: Uint8Array
  readonly prfOutput?: Uint8Array
}

export type PasskeyRefusal = PasskeyCancelled | PasskeyUnsupported | PasskeyExists

/** The passkeys of a person for this page's host. Each ceremony takes a gesture. */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** Whether this device can keep one: it has to know who is in front of it. Else none is offered. */
    readonly canCreate: Effect.Effect<boolean>
    /** Whether one may be used here: a telephone beside this device may have it. */
    readonly canGet: Effect.Effect<boolean>
    readonly create: (passkey: NewPasskey) => Effect.Effect<CreatedPasskey, PasskeyRefusal>
    readonly get: (request: PasskeyRequest) => Effect.Effect<PasskeyAssertion, PasskeyRefusal>
    /** Tells the device that nobody knows this passkey, so that it is no longer offered. Not every browser listens. */
    readonly forget: (rpId: string, credentialId: string) => Effect.Effect<void>
  }
>()('tandem/client/Passkeys') {}

/** The person said no, or nothing for too long; which of them browsers do not say. */
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
