import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type * as Redacted from 'effect/Redacted'

/** What the portal proved about a device key: hex(32) and the certificate's hex. */
export type Certification = { readonly rootPublicKey: string; readonly certificate: string }

export type DeviceKeyRecord = {
  /** The uncompressed point, hex(65). */
  readonly publicKey: string
  /** The key is stored as text, because there is no storage for keys that cannot be exported. */
  readonly weak: boolean
  readonly certification?: Certification
}

/** A key for a session that is handed to another place, as text. */
export type PortableKey = {
  /** The uncompressed point, hex(65). */
  readonly publicKey: string
  /** A JWK as text. */
  readonly privateKey: Redacted.Redacted
}

/** The P-256 key of this device in one session. Each session has its own (domain/client/README.md#device-key). */
export class DeviceKeys extends Context.Service<
  DeviceKeys,
  {
    /** Makes the session's key, or returns the one that it has. */
    readonly create: (sessionId: string) => Effect.Effect<DeviceKeyRecord>
    /** Makes a key that is not kept here. */
    readonly makePortable: Effect.Effect<PortableKey>
    /** Keeps a key that came as text; false if the text is none. */
    readonly keep: (sessionId: string, privateKey: Redacted.Redacted) => Effect.Effect<boolean>
    readonly find: (sessionId: string) => Effect.Effect<Option.Option<DeviceKeyRecord>>
    /** ECDSA with SHA-256 over `message`, r ‖ s, 64 bytes. A session without a key is a defect of the caller. */
    readonly sign: (sessionId: string, message: Uint8Array) => Effect.Effect<Uint8Array>
    readonly certify: (sessionId: string, certification: Certification) => Effect.Effect<void>
    readonly remove: (sessionId: string) => Effect.Effect<void>
  }
>()('tandem/client/DeviceKeys') {}
