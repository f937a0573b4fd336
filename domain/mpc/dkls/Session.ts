/**
 * The session ids that every use is bound to, and the party's own records that go into them.
 * domain/mpc/README.md#session-ids
 *
 * sid1 = H(context, nonce_C), sid2 = H(sid1, nonce_S, H(request 1)), sid3 = H(sid2, H(response 1)). Each side computes
 * them from its own records; a difference aborts before any cryptographic check.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { expand } from '../../crypto/expand.ts'
import { hash, type Field } from '../../crypto/Transcript.ts'
import { equal } from '../../crypto/Equal.ts'
import { wipe } from '../../crypto/wipe.ts'
import { firstStep, shareOfContext } from '../Inputs.ts'
import { contextFields, seededBytes, type Context, type Kind, type ServerInput } from '../Protocol.ts'
import type { Role, ShareRecord } from '../ShareRecord.ts'
import { demand, present } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { scalarLength, tags } from './Parameters.ts'

export const sid1Of = (context: Context, share: ShareRecord | undefined, nonce: Uint8Array): Uint8Array =>
  hash(tags.sid1, [...contextFields(context, share), nonce])

/** `requestHash` is the SHA-256 of request 1. */
export const sid2Of = (sid1: Uint8Array, nonce: Uint8Array, requestHash: Uint8Array): Uint8Array =>
  hash(tags.sid2, [sid1, nonce, requestHash])

/** `responseHash` is the SHA-256 of response 1. */
export const sid3Of = (sid2: Uint8Array, responseHash: Uint8Array): Uint8Array => hash(tags.sid3, [sid2, responseHash])

/** H_scalar: 64 bytes of the XOF, reduced. */
export const hashToScalar = (arithmetic: Arithmetic, tag: string, fields: readonly Field[]): Uint8Array =>
  scalarsFrom(arithmetic, expand(tag, fields, 64))

/** Scalars from 64 uniform bytes each, which are overwritten. */
export const scalarsFrom = ({ scalars }: Arithmetic, wide: Uint8Array): Uint8Array => {
  const reduced = scalars.reduce(wide)
  wipe(wide)
  return reduced
}

/** Aborts unless the run is of this protocol's scheme and kind. */
export const demandContext = (context: Context, kind: Kind): void => {
  demand(context.kind === kind && context.scheme === 'DKLS', 'context is of another protocol')
}

/**
 * The party's own share, checked against the context and in itself (x·G is its public half, the halves add up), so that
 * a damaged record ends as an abort here and not as a ban at the peer's Γ check.
 */
export const openShare = (
  input: { readonly context: Context; readonly share?: ShareRecord; readonly arithmetic: Arithmetic },
  role: Role,
): ShareRecord => {
  const { arithmetic } = input
  const share = shareOfContext(input, 'DKLS', role)
  const own = role === 'USER' ? share.clientPublic : share.serverPublic
  const peer = role === 'USER' ? share.serverPublic : share.clientPublic
  demand(equal(present(arithmetic.points.multiplyBase(share.secret), 'share is no scalar'), own), 'share is damaged')
  demand(equal(present(arithmetic.points.add(own, peer), 'halves cancel'), share.publicKey), 'share is damaged')
  return share
}

/** The draws of the server's first step, available in every step: they depend on the seed and request 1 alone. */
export const serverDraws = (input: ServerInput, sid1: Uint8Array) => {
  const first = firstStep(input)
  const bytes = (label: string, length: number) => seededBytes(first, sid1, label, length)
  const scalar = (label: string) => scalarsFrom(input.arithmetic, bytes(label, 2 * scalarLength))
  return { bytes, scalar }
}

const kinds: readonly Kind[] = ['keygen', 'attach', 'sign', 'refresh']

/** `TDR1`, the kind and the number of requests so far, so that the state of another step is refused. */
const headOf = (kind: Kind, step: number): Uint8Array =>
  concatBytes(utf8ToBytes('TDR1'), new Uint8Array([kinds.indexOf(kind), step]))

/** The state of a step. The body is overwritten. */
export const withHead = (kind: Kind, step: number, body: Uint8Array): Uint8Array => {
  const state = concatBytes(headOf(kind, step), body)
  wipe(body)
  return state
}

export const withoutHead = (kind: Kind, step: number, state: Uint8Array): Uint8Array => {
  const head = headOf(kind, step)
  demand(equal(state.subarray(0, head.length), head), 'state of another step')
  return state.subarray(head.length)
}

/**
 * A server's state also names the requests that led to it, so that two forks of a run are never mixed. The body is
 * overwritten.
 */
export const writeState = (input: ServerInput, kind: Kind, body: Uint8Array): Uint8Array => {
  const { requestHashes } = input
  const bound = concatBytes(sha256(concatBytes(...requestHashes)), body)
  wipe(body)
  return withHead(kind, requestHashes.length, bound)
}

/** The body of the state that the previous step wrote; aborts for the state of another step or fork. */
export const readState = (input: ServerInput, kind: Kind): Uint8Array => {
  const before = input.requestHashes.slice(0, -1)
  const body = withoutHead(kind, before.length, input.state)
  demand(equal(body.subarray(0, 32), sha256(concatBytes(...before))), 'state of another fork')
  return body.subarray(32)
}
