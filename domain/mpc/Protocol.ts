/**
 * What every two-party protocol here has in common: the context that binds a run, the outcomes of a step, and the
 * source of randomness of the co-signer.
 *
 * A protocol is a set of pure steps. The client (C) runs in the user's browser, the server (S) in the co-signer; the
 * same files serve both. Nothing in this folder reads a clock, a network, a storage or a global source of randomness.
 */
import { expand } from '../crypto/expand.ts'
import { hash, u32, type Field } from '../crypto/Transcript.ts'
import type { Arithmetic } from './Arithmetic.ts'
import type { Scheme } from './Scheme.ts'
import type { ShareRecord } from './ShareRecord.ts'

export const protocolVersion = 1

export type { Scheme } from './Scheme.ts'
export type Kind = 'keygen' | 'attach' | 'sign' | 'refresh'

/**
 * What both sides bind a run to. Each side fills it from its own records, never from a message.
 * domain/mpc/README.md#context
 */
export type Context = {
  readonly kind: Kind
  readonly scheme: Scheme
  /** UUIDs in lower-case text form. */
  readonly protocolId: string
  readonly walletId: string
  /** The user, or the partner while a pregenerated wallet has no user. */
  readonly userId: string
  readonly partnerId: string
  /** 32 bytes: thumbprint of the device key that signs the frames of this run. */
  readonly deviceKeyThumb: Uint8Array
  readonly epoch: number
  /** 16 bytes, chosen by the client for one attempt at keygen or refresh. */
  readonly attempt: Uint8Array
  /** 32 bytes, or empty while there is no share. */
  readonly shareId: Uint8Array
  /** 32 bytes for signing with DKLS, else empty: the OT record of this device that is used. */
  readonly otId: Uint8Array
  /** 32 bytes: the user's root key that the shares of a keygen or refresh pin, or empty where there is none. */
  readonly rootPublicKey: Uint8Array
  /** For signing: what is signed, computed by each side itself, and its class. domain/mpc/README.md#what-is-signed */
  readonly payload?: SigningPayload
}

export type SigningPayload = {
  /** DKLS: the 32-byte digest. ED25519: the message bytes themselves. */
  readonly message: Uint8Array
  /** The kind of payload, for example `eip191` or `blind`. */
  readonly class: string
}

const none = new Uint8Array(0)

/**
 * The context as transcript fields, in a fixed order. `share` is the party's own record where the run has one: its
 * public parts are bound too, so a public share is never taken from a message where a record has it. The last field is
 * the derivation path, which version 1 does not have.
 */
export const contextFields = (context: Context, share?: ShareRecord): readonly Field[] => [
  u32(protocolVersion),
  context.kind,
  context.scheme,
  context.protocolId,
  context.walletId,
  context.userId,
  context.partnerId,
  context.deviceKeyThumb,
  u32(context.epoch),
  context.attempt,
  context.shareId,
  context.otId,
  context.rootPublicKey,
  context.payload?.message ?? none,
  context.payload?.class ?? '',
  share?.clientPublic ?? none,
  share?.serverPublic ?? none,
  share?.publicKey ?? none,
  share?.chainCode ?? none,
  '',
]

/**
 * How a step can fail. `abort` ends the run. `ban`, for the consistency of the OT extension, μ and the Γ checks alone,
 * also locks the wallet and erases all its OT records. `reason` is for logs and is never sent to the peer.
 * domain/mpc/README.md#aborts-and-bans
 */
export type Abort = { readonly kind: 'abort'; readonly reason: string }
export type Ban = { readonly kind: 'ban'; readonly reason: string }

export const abort = (reason: string): Abort => ({ kind: 'abort', reason })
export const ban = (reason: string): Ban => ({ kind: 'ban', reason })

/** The result of a run. Which fields are there depends on its kind. */
export type Result = {
  /** keygen and refresh: the party's new share. */
  readonly share?: ShareRecord
  /** keygen, attach and refresh with DKLS: the party's OT record for this device, and its name. */
  readonly ot?: Uint8Array
  /** 32 bytes. */
  readonly otId?: Uint8Array
  /** sign: DKLS r ‖ s ‖ v (65 bytes, v 0 or 1), ED25519 R ‖ s (64 bytes); verified by the party that returns it. */
  readonly signature?: Uint8Array
}

/**
 * The input of a server step. `requestHashes` has the SHA-256 of each request of the run so far, this one included,
 * over exactly the bytes that the steps get as `request`.
 */
export type ServerInput = {
  readonly context: Context
  /** 32 fresh random bytes of this run; with the requests they determine every random value. */
  readonly seed: Uint8Array
  readonly requestHashes: readonly Uint8Array[]
  /** The state that the previous step returned; empty before the first. */
  readonly state: Uint8Array
  readonly request: Uint8Array
  /** The provider's share, and its OT record for this device, where the kind needs them. */
  readonly share?: ShareRecord
  readonly ot?: Uint8Array
  readonly arithmetic: Arithmetic
}

export type ServerAnswer =
  | { readonly kind: 'answer'; readonly state: Uint8Array; readonly response: Uint8Array }
  | { readonly kind: 'done'; readonly response: Uint8Array; readonly result: Result }
  | Abort
  | Ban

/** A pure function: the same input gives the same bytes, so a repeated request is answered by computing again. */
export type ServerStep = (input: ServerInput) => ServerAnswer

export type ClientInput = {
  readonly context: Context
  readonly random: RandomBytes
  readonly share?: ShareRecord
  readonly ot?: Uint8Array
  readonly arithmetic: Arithmetic
}

/** The input of a client step that reads a response. `state` is what the previous step returned. */
export type ResponseInput = ClientInput & { readonly state: Uint8Array; readonly response: Uint8Array }

export type ClientAnswer =
  | { readonly kind: 'request'; readonly state: Uint8Array; readonly request: Uint8Array }
  /** The caller stores `result` durably before it sends `request`, the confirming call. */
  | { readonly kind: 'confirm'; readonly request: Uint8Array; readonly result: Result }
  | { readonly kind: 'done'; readonly result: Result }
  | Abort
  | Ban

/**
 * Both sides of a protocol. `client[n]` reads response n + 1; a client's state serves one response (`ClientRun`). The
 * last server step of keygen, attach and refresh reads the confirming call.
 */
export type Protocol = {
  readonly start: (input: ClientInput) => Extract<ClientAnswer, { kind: 'request' }> | Abort
  readonly client: readonly ((input: ResponseInput) => ClientAnswer)[]
  readonly server: readonly ServerStep[]
}

/** Fresh bytes from the client's own CSPRNG. */
export type RandomBytes = (length: number) => Uint8Array

/**
 * The random bytes `label` of step n, n being the number of requests so far:
 * XOF("tandem/v1/rnd", seed, version, kind, sid1, H(request 1) … H(request n), label). Bound to the requests, because a
 * fork with the same draws would give the share away. domain/mpc/README.md#randomness-of-the-co-signer
 */
export const seededBytes = (
  input: Pick<ServerInput, 'seed' | 'requestHashes' | 'context'>,
  sid1: Uint8Array,
  label: string,
  length: number,
): Uint8Array =>
  expand(
    'tandem/v1/rnd',
    [input.seed, u32(protocolVersion), input.context.kind, sid1, ...input.requestHashes, label],
    length,
  )

/** shareId = H(attempt, X_C, X_S, PK), 32 bytes: names one sharing of one key. */
export const shareIdOf = (
  attempt: Uint8Array,
  clientShare: Uint8Array,
  serverShare: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array => hash('tandem/share-id/v1', [attempt, clientShare, serverShare, publicKey])
