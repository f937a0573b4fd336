/**
 * FROST(Ed25519, SHA-512) of RFC 9591 for two of two, on noble's `ed25519_FROST`: the fixed parameters, session ids and
 * checks that key generation and signing share. The client has identifier 1, the co-signer 2; the key is a polynomial's
 * value at 0, so that by Lagrange 2·x_C − x_S = x.
 *
 * noble throws on bytes that it refuses. Here such a throw ends the run as an abort; ED25519 has no ban (mpc-review 9).
 */
import { ed25519, ed25519_FROST, x25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { equal } from '../../crypto/Equal.ts'
import { expand, hash } from '../../crypto/Transcript.ts'
import { contextFields, type Context, type Kind, type RandomBytes, type ServerInput } from '../Protocol.ts'
import type { Role, ShareRecord } from '../ShareRecord.ts'
import { demand, present } from '../Stop.ts'

export const F = ed25519_FROST
export const { Point } = ed25519
export const { Fn } = ed25519.Point
export type Point = InstanceType<typeof Point>

export const clientId = F.Identifier.fromNumber(1)
export const serverId = F.Identifier.fromNumber(2)
/** Two of two: commitment vectors are exactly two long (mpc-review 17). */
export const signers = { min: 2, max: 2 }

/** Every tag under which these protocols hash. */
export const tags = {
  sid1: 'tandem/ed25519/v1/sid1',
  sid2: 'tandem/ed25519/v1/sid2',
  sid3: 'tandem/ed25519/v1/sid3',
  seal: 'tandem/ed25519/v1/seal',
  confirmation: 'tandem/ed25519/v1/conf',
  proof: 'tandem/ed25519/v1/proof',
  client: 'tandem/ed25519/v1/client',
  shift: 'tandem/ed25519/v1/delta',
} as const

/** sid1 = H(context, nonce_C), sid2 = H(sid1, nonce_S, H(request 1)), sid3 = H(sid2, H(response 1)) (mpc-review 7). */
export const sid1Of = (context: Context, share: ShareRecord | undefined, nonce: Uint8Array): Uint8Array =>
  hash(tags.sid1, [...contextFields(context, share), nonce])

export const sid2Of = (sid1: Uint8Array, nonce: Uint8Array, request: Uint8Array): Uint8Array =>
  hash(tags.sid2, [sid1, nonce, sha256(request)])

export const sid3Of = (sid2: Uint8Array, response: Uint8Array): Uint8Array => hash(tags.sid3, [sid2, sha256(response)])

/** The run is of the kind that this protocol is for, and everything that binds it is there. */
export const demandContext = (context: Context, kind: Kind): void => {
  demand(context.kind === kind && context.scheme === 'ED25519', 'context is of another protocol')
  demand(context.deviceKeyThumb.length === 32 && context.attempt.length === 16, 'context is incomplete')
  demand(context.otId.length === 0, 'ED25519 has no OT record')
}

/** Step n has seen n requests, the last of them this one: what a step draws is bound to all of them (mpc-review 1). */
export const demandRequests = (input: ServerInput, step: number): void => {
  demand(input.seed.length === 32, 'seed')
  demand(input.requestHashes.length === step, 'number of requests')
  demand(input.requestHashes.every((digest) => digest.length === 32), 'request hash')
  demand(equal(present(input.requestHashes[step - 1], 'request hash'), sha256(input.request)), 'request hash')
}

/** The party's own share, checked against the context and in itself. */
export const openShare = (
  input: { readonly context: Context; readonly share?: ShareRecord },
  role: Role,
): ShareRecord => {
  const { context } = input
  const share = present(input.share, 'no share')
  demand(share.scheme === 'ED25519' && share.role === role, 'share of another scheme or role')
  demand(share.walletId === context.walletId && share.epoch === context.epoch, 'share of another wallet or epoch')
  demand(equal(share.shareId, context.shareId), 'share of another sharing')
  demandShareOfKey(share)
  return share
}

/**
 * x·G is the party's public share, 2·X_C − X_S = PK, and both shares differ. These points are the party's own, which it
 * checked when it made them.
 */
export const demandShareOfKey = (share: ShareRecord): void => {
  const isOfKey = orAbort('share is damaged', () => {
    const client = Point.fromBytes(share.clientPublic)
    const server = Point.fromBytes(share.serverPublic)
    const publicKey = Point.fromBytes(share.publicKey)
    const own = share.role === 'USER' ? client : server
    return (
      Point.BASE.multiply(Fn.fromBytes(share.secret)).equals(own) &&
      client.double().subtract(server).equals(publicKey) &&
      ![client, server, publicKey].some((point) => point.is0()) &&
      !client.equals(server)
    )
  })
  demand(isOfKey, 'share is damaged')
}

/** A canonical point of prime order. */
export const readPoint = (bytes: Uint8Array, reason: string): Point =>
  orAbort(reason, () => {
    const point = Point.fromBytes(bytes)
    return point.is0() || !point.isTorsionFree() ? undefined : point
  })

export const reduce = (wide: Uint8Array): bigint => Fn.create(bytesToNumberLE(wide))

export const x25519Of = (secret: Uint8Array, peer: Uint8Array): Uint8Array =>
  orAbort('ephemeral key', () => x25519.getSharedSecret(secret, peer))

/** What `compute` returns; if that is `undefined`, or it throws, the run ends. */
export const orAbort = <A>(reason: string, compute: () => A | undefined): A => present(valueOf(compute), reason)

const valueOf = <A>(compute: () => A | undefined): A | undefined => {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** noble draws several times from one source: each draw has a label of its own. */
export const drawing = (draw: (label: string, length: number) => Uint8Array, name: string) => {
  let count = 0
  return (length = 32): Uint8Array => draw(`${name}/${count++}`, length)
}

/** The client draws everything of a run from one fresh seed, which is all the secret state that it keeps. */
export const clientSeed = (random: RandomBytes): Uint8Array => {
  const seed = random(32)
  demand(seed.length === 32, 'random bytes')
  return seed
}

export const clientBytes = (seed: Uint8Array, sid1: Uint8Array) => (label: string, length: number) =>
  expand(tags.client, [seed, sid1, label], length)
