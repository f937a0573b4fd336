/**
 * Signing with ED25519 in one request: FROST of RFC 9591 with the client as first mover and aggregator.
 * domain/mpc/README.md#ed25519-signing
 *
 *   request     commitments D_C, E_C             ──▶
 *        ◀──    response  commitments D_S, E_S, signature share z_S
 *
 * The co-signer's nonces (d, e) exist only while it answers: they come from the run's seed and everything that the
 * signature depends on, so that a fork with another message or other commitments has other nonces. `ClientRun` lets the
 * client's nonces serve one response. z_C never leaves the client, and a signature leaves it only when it verifies
 * strictly by RFC 8032.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { codec } from '../Codec.ts'
import { demandRequests } from '../Inputs.ts'
import {
  seededBytes,
  type ClientAnswer,
  type ClientInput,
  type Context,
  type Protocol,
  type ResponseInput,
  type ServerAnswer,
  type ServerInput,
} from '../Protocol.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable, type WipeLater } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import {
  clientBegins,
  clientBytes,
  clientId,
  clientSession,
  demandContext,
  demandPoints,
  drawing,
  openShare,
  serverId,
  sid1Of,
  sid2Of,
  type Draw,
} from './Frost.ts'
import { commit, groupOf, isSignature, nonceSum, type Commitments, type Group } from './rfc9591.ts'

export const request = codec({ sid1: 32, nonce: 32, hiding: 32, binding: 32 })
export const response = codec({ nonce: 32, sid2: 32, hiding: 32, binding: 32, share: 32 })

const clientState = codec({ seed: 32, request: request.length })

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  demandSign(input.context)
  const share = openShare(input, 'USER')
  const { seed, nonce, sid1 } = clientBegins(input, share, wipeLater)
  const { commitments } = commitAs(input.arithmetic.ed25519, share, clientBytes(seed, sid1), wipeLater)
  const { hiding, binding } = commitments
  const sent = request.encode({ sid1, nonce, hiding, binding })
  return { kind: 'request', state: clientState.encode({ seed, request: sent }), request: sent }
}

const onResponse = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  const taken = present(clientState.decode(input.state), 'state of another step')
  wipeLater(taken.seed)
  const message = demandSign(input.context)
  const share = openShare(input, 'USER')
  const received = present(response.decode(input.response), 'length of the response')
  const sent = present(request.decode(taken.request), 'state of another step')
  const { sid1 } = clientSession(input.context, share, { ...sent, bytes: taken.request }, received)
  const arithmetic = input.arithmetic.ed25519
  const { scalars } = arithmetic
  const own = commitAs(arithmetic, share, clientBytes(taken.seed, sid1), wipeLater)
  demandPoints(arithmetic, 'commitment', received.hiding, received.binding)
  const group = groupFor(arithmetic, share.publicKey, sent, received, message)
  demandShare(arithmetic, group, received.share, share.serverPublic, 'signature share of S')
  // z_C = d + ρ_C·e + c·λ_C·x_C; λ_C is 2/(2 − 1) = 2.
  const keyed = wipeLater(scalars.multiply(group.challenge, share.secret))
  const nonce = wipeLater(nonceSum(arithmetic, own.nonces, present(group.factors[0], 'factor')))
  const ownShare = wipeLater(scalars.add(nonce, wipeLater(scalars.add(keyed, keyed))))
  const signature = concatBytes(group.commitment, scalars.add(ownShare, received.share))
  demand(isSignature(arithmetic, share.publicKey, message, signature), 'signature')
  return { kind: 'done', result: { signature } }
}

const answer = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  const message = demandSign(input.context)
  demandRequests(input, 1)
  const received = present(request.decode(input.request), 'length of the request')
  const share = openShare(input, 'PROVIDER')
  const sid1 = sid1Of(input.context, share, received.nonce)
  demand(equal(received.sid1, sid1), 'sid1')
  const draw = (label: string, length: number) => seededBytes(input, sid1, label, length)
  const arithmetic = input.arithmetic.ed25519
  demandPoints(arithmetic, 'commitment', received.hiding, received.binding)
  const own = commitAs(arithmetic, share, draw, wipeLater)
  const { hiding, binding } = own.commitments
  const group = () => groupFor(arithmetic, share.publicKey, received, own.commitments, message)
  const blind = wipeLater(arithmetic.scalars.reduce(wipeLater(draw('blind', 64))))
  const ownShare = blindedShare(arithmetic, share, own.nonces, group(), blind, wipeLater)
  demandShare(arithmetic, group(), ownShare, share.serverPublic, 'own signature share')
  const nonce = draw('nonce', 32)
  const sid2 = sid2Of(sid1, nonce, input.request)
  return { kind: 'done', response: response.encode({ nonce, sid2, hiding, binding, share: ownShare }), result: {} }
}

export const sign: Protocol = {
  start: abortable(start),
  client: [stoppable(onResponse)],
  server: [stoppable(answer)],
}

/** The message; aborts where the context is not for signing. */
const demandSign = (context: Context): Uint8Array => {
  demandContext(context, 'sign')
  demand(context.shareId.length === 32, 'signing needs a share')
  return present(context.payload, 'nothing to sign').message
}

/** One pair of nonces (d, e) with its commitments. */
const commitAs = (arithmetic: Arithmetic, share: ShareRecord, draw: Draw, wipeLater: WipeLater) => {
  const drawOnce: Draw = (label, length) => wipeLater(draw(label, length))
  const committed = commit(arithmetic, share.secret, drawing(drawOnce, 'nonces', 32))
  wipeLater(committed.nonces)
  return committed
}

/** Of exactly the two parties. */
const groupFor = (
  arithmetic: Arithmetic,
  publicKey: Uint8Array,
  client: Commitments,
  server: Commitments,
  message: Uint8Array,
): Group => {
  const list = [
    { identifier: clientId, hiding: client.hiding, binding: client.binding },
    { identifier: serverId, hiding: server.hiding, binding: server.binding },
  ]
  return groupOf(arithmetic, publicKey, list, message)
}

/** z_S·G = D_S + ρ_S·E_S − c·X_S (RFC 9591 §5.4); λ_S is 1/(1 − 2) = −1. */
const demandShare = (
  { scalars, points }: Arithmetic,
  { terms, challenge }: Group,
  z: Uint8Array,
  X: Uint8Array,
  reason: string,
): void => {
  const c = scalars.subtract(new Uint8Array(32), challenge)
  demand(points.holds({ z, R: present(terms[1], 'term'), c, X }), reason)
}

/**
 * z_S = d + ρ_S·e + c·λ_S·s, where s itself is never multiplied: c is multiplied with s + b, and c·b subtracted. It is
 * checked before it leaves, against a challenge that was computed anew, so that no single fault of the machine releases
 * a second equation in s with the same nonces.
 */
const blindedShare = (
  arithmetic: Arithmetic,
  share: ShareRecord,
  nonces: Uint8Array,
  { challenge, factors }: Group,
  blind: Uint8Array,
  wipeLater: WipeLater,
): Uint8Array => {
  const { scalars } = arithmetic
  const times = (scalar: Uint8Array) => wipeLater(scalars.multiply(challenge, scalar))
  const blinded = wipeLater(scalars.add(share.secret, blind))
  const keyed = wipeLater(scalars.subtract(times(blind), times(blinded)))
  const nonce = wipeLater(nonceSum(arithmetic, nonces, present(factors[1], 'factor')))
  return scalars.add(nonce, keyed)
}
