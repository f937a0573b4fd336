/**
 * FROST(Ed25519, SHA-512) of RFC 9591 for two of two: the fixed parameters, session ids and checks that key
 * generation, signing and refresh share. The client has identifier 1, the co-signer 2; the key is a polynomial's value
 * at 0, so that by Lagrange 2·x_C − x_S = x. ED25519 has no ban: no check depends on a guessed bit of a secret.
 * domain/mpc/README.md#steps-of-ed25519
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { expand } from '../../crypto/expand.ts'
import { hash } from '../../crypto/Transcript.ts'
import { shareOfContext } from '../Inputs.ts'
import {
  contextFields,
  type ClientInput,
  type Context,
  type Kind,
  type RandomBytes,
  type ServerInput,
} from '../Protocol.ts'
import type { Role, ShareRecord } from '../ShareRecord.ts'
import { demand, present, type WipeLater } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { identifierOf } from './rfc9591.ts'

export const clientId = identifierOf(1)
export const serverId = identifierOf(2)

/** Every tag under which these protocols hash. */
export const tags = {
  sid1: 'tandem/ed25519/v1/sid1',
  sid2: 'tandem/ed25519/v1/sid2',
  sid3: 'tandem/ed25519/v1/sid3',
  seal: 'tandem/ed25519/v1/seal',
  confirmation: 'tandem/ed25519/v1/conf',
  proof: 'tandem/ed25519/v1/proof',
  client: 'tandem/ed25519/v1/client',
  /** Of the refresh offset ω. */
  offset: 'tandem/ed25519/v1/delta',
} as const

/** sid1 = H(context, nonce_C), sid2 = H(sid1, nonce_S, H(request 1)), sid3 = H(sid2, H(response 1)). */
export const sid1Of = (context: Context, share: ShareRecord | undefined, nonce: Uint8Array): Uint8Array =>
  hash(tags.sid1, [...contextFields(context, share), nonce])

export const sid2Of = (sid1: Uint8Array, nonce: Uint8Array, request: Uint8Array): Uint8Array =>
  hash(tags.sid2, [sid1, nonce, sha256(request)])

export const sid3Of = (sid2: Uint8Array, response: Uint8Array): Uint8Array => hash(tags.sid3, [sid2, sha256(response)])

/** Aborts unless the run is of this protocol's kind, and every field that binds it is there. */
export const demandContext = (context: Context, kind: Kind): void => {
  demand(context.kind === kind && context.scheme === 'ED25519', 'context is of another protocol')
  demand(context.deviceKeyThumb.length === 32 && context.attempt.length === 16, 'context is incomplete')
  demand(context.otId.length === 0, 'ED25519 has no OT record')
}

/** The party's own share, checked against the context and in itself. */
export const openShare = (input: Pick<ServerInput, 'context' | 'share' | 'arithmetic'>, role: Role): ShareRecord => {
  const share = shareOfContext(input, 'ED25519', role)
  demandShareOfKey(input.arithmetic.ed25519, share)
  return share
}

/**
 * x·G is the party's public share, 2·X_C − X_S = PK, and both shares differ. These points are the party's own, which it
 * checked when it made them.
 */
export const demandShareOfKey = ({ points }: Arithmetic, share: ShareRecord): void => {
  const { clientPublic, serverPublic, publicKey } = share
  const reason = 'share is damaged'
  const own = present(points.multiplyBase(share.secret), reason)
  demand(equal(own, share.role === 'USER' ? clientPublic : serverPublic), reason)
  const twice = present(points.add(clientPublic, clientPublic), reason)
  demand(equal(present(points.add(publicKey, serverPublic), reason), twice), reason)
  demand(!equal(clientPublic, serverPublic), reason)
}

/** Canonical points of prime order. */
export const demandPoints = ({ points }: Arithmetic, reason: string, ...vectors: readonly Uint8Array[]): void =>
  demand(points.areValid(concatBytes(...vectors)), reason)

export const sharedKey = ({ exchange }: Arithmetic, secret: Uint8Array, peer: Uint8Array): Uint8Array =>
  present(exchange.shared(secret, peer), 'ephemeral key')

/** Random bytes of one run, by label. */
export type Draw = (label: string, length: number) => Uint8Array

/** A source for several draws, each under a label of its own. */
export const drawing = (draw: Draw, name: string, length: number) => {
  let count = 0
  return (): Uint8Array => draw(`${name}/${count++}`, length)
}

/** The client draws everything of a run from one fresh seed, which is its only secret state. */
const clientSeed = (random: RandomBytes): Uint8Array => {
  const seed = random(32)
  demand(seed.length === 32, 'random bytes')
  return seed
}

/** A run's seed, the nonce that the client names it by, and sid1. */
export const clientBegins = (
  { context, random }: ClientInput,
  share: ShareRecord | undefined,
  wipeLater: WipeLater,
) => {
  const seed = wipeLater(clientSeed(random))
  const nonce = random(32)
  demand(nonce.length === 32, 'random bytes')
  return { seed, nonce, sid1: sid1Of(context, share, nonce) }
}

/** The run of response 1, by the client's own records. The co-signer's sid2 is compared before anything else. */
export const clientSession = (
  context: Context,
  share: ShareRecord | undefined,
  request: { readonly bytes: Uint8Array; readonly sid1: Uint8Array; readonly nonce: Uint8Array },
  response: { readonly nonce: Uint8Array; readonly sid2: Uint8Array },
) => {
  const sid1 = sid1Of(context, share, request.nonce)
  demand(equal(request.sid1, sid1), 'state of another run')
  const sid2 = sid2Of(sid1, response.nonce, request.bytes)
  demand(equal(response.sid2, sid2), 'sid2')
  return { sid1, sid2 }
}

/** `session` is sid1, or the transcript for what depends on the answer. */
export const clientBytes =
  (seed: Uint8Array, session: Uint8Array): Draw =>
  (label, length) =>
    expand(tags.client, [seed, session, label], length)
