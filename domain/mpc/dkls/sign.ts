/**
 * Two-party signing in two requests (DKLs23, 2023/765, protocol 3.6, for two parties with a fixed order of moves):
 * x_C + x_S = x, r_C + r_S = k, φ_C + φ_S = φ. domain/mpc/README.md#dkls-signing
 *
 *   request 1   commitment to R_C, extension of direction 1        ──▶
 *        ◀──    response 1  R_S, extension of direction 2, product of direction 1 with (r_S, x_S), Γ^u, Γ^v, ψ_S
 *   request 2   R_C, product of direction 2 with (r_C, x_C), Γ^u, Γ^v, ψ_C, w_C, u_C  ──▶
 *        ◀──    response 2  r, s, v
 *
 * A product gives c + d = a·χ, with c at the party whose inputs a are, and d and χ at the other. With ψ = φ − χ,
 * u_i = r_i(φ_i + ψ_peer) + c^u + d^u and v_i = x_i(φ_i + ψ_peer) + c^v + d^v add up to k·φ and x·φ, so that with
 * w_i = e·φ_i + r·v_i the signature is s = (w_C + w_S) / (u_C + u_S) = (e + r·x) / k.
 *
 * A failed check of an extension, of μ, or of a Γ bans; everything else aborts, and is checked first.
 * domain/mpc/README.md#aborts-and-bans
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { hash } from '../../crypto/Transcript.ts'
import { codec } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import { demandRequests } from '../Inputs.ts'
import type {
  ClientAnswer,
  ClientInput,
  Context,
  Protocol,
  ResponseInput,
  ServerAnswer,
  ServerInput,
} from '../Protocol.ts'
import type { Role } from '../ShareRecord.ts'
import { abortable, demand, demandOrBan, present, presentOrBan, stoppable, type WipeLater } from '../Stop.ts'
import type { Arithmetic, MultiplicationMessage } from './Arithmetic.ts'
import * as OtRecord from './OtRecord.ts'
import {
  choicesLength,
  columnsLength,
  kappa,
  pointLength,
  rowsLength,
  scalarLength,
  tags,
  tauLength,
  type Direction,
} from './Parameters.ts'
import {
  demandContext,
  openShare,
  readState,
  scalarsFrom,
  serverDraws,
  sid1Of,
  sid2Of,
  sid3Of,
  withHead,
  withoutHead,
  writeState,
} from './Session.ts'

const extension = { matrix: rowsLength, choiceHash: 16, rowHashes: 16 * kappa } as const
const product = {
  tau: tauLength,
  eta: scalarLength,
  mu: 32,
  gammaU: pointLength,
  gammaV: pointLength,
  psi: scalarLength,
} as const

export const firstRequest = codec({ sid1: 32, nonce: 32, commitment: 32, ...extension })
export const firstResponse = codec({ nonce: 32, sid2: 32, R: pointLength, ...extension, ...product })
export const secondRequest = codec({
  sid3: 32,
  R: pointLength,
  blind: 32,
  ...product,
  w: scalarLength,
  u: scalarLength,
})
export const secondResponse = codec({ signature: 65 })

type Product = MultiplicationMessage & {
  readonly gammaU: Uint8Array
  readonly gammaV: Uint8Array
  readonly psi: Uint8Array
}

const isZero = (scalar: Uint8Array): boolean => scalar.every((byte) => byte === 0)

/**
 * The party's own records, and the context with the digest as the scalar e, which each side reduces itself. A digest
 * that is 0 is refused: a signature on it says nothing about a message.
 */
const opened = (input: ClientInput | ServerInput, role: Role, wipeLater: WipeLater) => {
  const { context, arithmetic } = input
  demandContext(context, 'sign')
  const payload = present(context.payload, 'no payload')
  demand(payload.message.length === 32, 'digest')
  const share = openShare(input, role)
  const ot = OtRecord.open(input.ot, share, context.otId)
  wipeLater(ot.delta, ot.chosenSeeds, ot.zeroSeeds, ot.oneSeeds)
  const e = arithmetic.scalars.reduce(concatBytes(new Uint8Array(32), payload.message))
  demand(!isZero(e), 'digest is 0')
  const bound: Context = { ...context, payload: { message: e, class: payload.class } }
  return { share, ot, e, bound }
}

type Records = ReturnType<typeof opened>

/** A step with the party's records open. */
const withRecords =
  <Input extends ClientInput | ServerInput, Answer>(
    role: Role,
    step: (input: Input, records: Records, wipeLater: WipeLater) => Answer,
  ) =>
  (input: Input, wipeLater: WipeLater): Answer =>
    step(input, opened(input, role, wipeLater), wipeLater)

const commitmentTo = (sid1: Uint8Array, R: Uint8Array, blind: Uint8Array): Uint8Array =>
  hash(tags.nonceCommitment, [sid1, R, blind])

/** R = R_C + R_S with x(R) below the order, so that v is 0 or 1, and not 0. r = x(R). */
const nonceSum = ({ points, scalars }: Arithmetic, own: Uint8Array, peer: Uint8Array) => {
  const R = present(points.add(own, peer), 'nonces cancel')
  const r = R.subarray(1)
  demand(scalars.areCanonical(r) && !isZero(r), 'degenerate nonce')
  return { R, r }
}

/** All checks of a product's message that need no secret. */
const demandProduct = ({ points, scalars }: Arithmetic, message: Product): void => {
  demand(scalars.areCanonical(message.tau), 'tau')
  demand(scalars.areCanonical(message.eta), 'eta')
  demand(scalars.areCanonical(message.psi), 'psi')
  demand(points.areValid(concatBytes(message.gammaU, message.gammaV)), 'gamma')
}

/** Alice's half of a product: the message, and c^u ‖ c^v. A failed extension of the peer bans. */
const sendProduct = (
  arithmetic: Arithmetic,
  input: {
    readonly direction: Direction
    readonly ot: OtRecord.OtRecord
    readonly extensionSession: Uint8Array
    readonly extension: { readonly [K in keyof typeof extension]: Uint8Array }
    readonly session: Uint8Array
    readonly gadget: Uint8Array
    readonly inputs: Uint8Array
    readonly check: Uint8Array
  },
  wipeLater: WipeLater,
) => {
  const { direction, ot, session, gadget, inputs, check } = input
  wipeLater(inputs, check)
  const columns = presentOrBan(
    arithmetic.extension.send({
      session: input.extensionSession,
      direction,
      seeds: ot.chosenSeeds,
      delta: ot.delta,
      message: input.extension,
    }),
    'consistency of the OT extension',
  )
  const { outputs, ...message } = arithmetic.multiplication.send({
    session,
    direction,
    gadget,
    columns: wipeLater(columns),
    delta: ot.delta,
    inputs,
    check,
  })
  wipeLater(outputs)
  const gammas = present(arithmetic.points.multiplyBase(outputs), 'degenerate product')
  const gammaU = gammas.subarray(0, pointLength)
  const gammaV = gammas.subarray(pointLength)
  return { ...message, gammaU, gammaV, outputs }
}

/** Bob's half: d^u ‖ d^v, once μ and χ·R_peer = d^u·G + Γ^u and χ·X_peer = d^v·G + Γ^v hold; else a ban. */
const receiveProduct = (
  arithmetic: Arithmetic,
  input: {
    readonly direction: Direction
    readonly session: Uint8Array
    readonly gadget: Uint8Array
    readonly columns: Uint8Array
    readonly choices: Uint8Array
    readonly chi: Uint8Array
    readonly message: Product
    /** R and X of the peer; X comes from the party's own record, never from a message. */
    readonly R: Uint8Array
    readonly X: Uint8Array
  },
  wipeLater: WipeLater,
): Uint8Array => {
  const { points, multiplication } = arithmetic
  const { message, chi } = input
  const outputs = wipeLater(presentOrBan(multiplication.receive(input), 'multiplication check'))
  const left = present(points.multiply(chi, concatBytes(input.R, input.X)), 'degenerate choice')
  const shares = present(points.multiplyBase(outputs), 'degenerate product')
  const right = presentOrBan(points.add(shares, concatBytes(message.gammaU, message.gammaV)), 'gamma check')
  demandOrBan(equal(left, right), 'gamma check')
  return outputs
}

/** A party's w_i and u_i. `own` are c^u ‖ c^v, `peers` are d^u ‖ d^v. */
const finalShares = (
  { scalars }: Arithmetic,
  input: {
    readonly e: Uint8Array
    readonly r: Uint8Array
    readonly nonce: Uint8Array
    readonly secret: Uint8Array
    readonly phi: Uint8Array
    readonly psi: Uint8Array
    readonly own: Uint8Array
    readonly peers: Uint8Array
  },
  wipeLater: WipeLater,
) => {
  const add = (a: Uint8Array, b: Uint8Array) => wipeLater(scalars.add(a, b))
  const multiply = (a: Uint8Array, b: Uint8Array) => wipeLater(scalars.multiply(a, b))
  const factor = add(input.phi, input.psi)
  const outputs = (index: 0 | 1): Uint8Array => {
    const item = (vector: Uint8Array) => vector.subarray(index * scalarLength, (index + 1) * scalarLength)
    return add(item(input.own), item(input.peers))
  }
  const u = add(multiply(input.nonce, factor), outputs(0))
  const v = add(multiply(input.secret, factor), outputs(1))
  const w = add(multiply(input.e, input.phi), multiply(input.r, v))
  return { w, u }
}

const afterFirstRequest = codec({
  clientNonce: 32,
  sid1: 32,
  nonce: scalarLength,
  R: pointLength,
  blind: 32,
  phi: scalarLength,
  choices: choicesLength,
  columns: columnsLength,
  request1: 32,
})

const start = (
  input: ClientInput,
  { share, ot, bound }: Records,
  wipeLater: WipeLater,
): Extract<ClientAnswer, { kind: 'request' }> => {
  const { arithmetic, random } = input
  const clientNonce = random(32)
  const sid1 = sid1Of(bound, share, clientNonce)
  const nonce = wipeLater(scalarsFrom(arithmetic, random(64)))
  const R = present(arithmetic.points.multiplyBase(nonce), 'degenerate nonce')
  const blind = random(32)
  const phi = wipeLater(scalarsFrom(arithmetic, random(64)))
  const choices = wipeLater(random(choicesLength))
  const { columns, ...message } = arithmetic.extension.receive({
    session: sid1,
    direction: 1,
    zeroSeeds: ot.zeroSeeds,
    oneSeeds: ot.oneSeeds,
    choices,
  })
  wipeLater(columns)
  const request = firstRequest.encode({
    sid1,
    nonce: clientNonce,
    commitment: commitmentTo(sid1, R, blind),
    ...message,
  })
  const kept = { clientNonce, sid1, nonce, R, blind, phi, choices, columns, request1: sha256(request) }
  return { kind: 'request', state: withHead('sign', 1, afterFirstRequest.encode(kept)), request }
}

const afterSecondRequest = codec({ R: pointLength })

const clientMultiplies = (
  input: ResponseInput,
  { share, ot, e, bound }: Records,
  wipeLater: WipeLater,
): ClientAnswer => {
  const { arithmetic, random } = input
  const state = present(afterFirstRequest.decode(withoutHead('sign', 1, input.state)), 'state')
  const { nonce, phi, choices, columns } = state
  wipeLater(nonce, phi, choices, columns)
  demand(equal(sid1Of(bound, share, state.clientNonce), state.sid1), 'context changed within the run')
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = sid2Of(state.sid1, message.nonce, state.request1)
  demand(equal(sid2, message.sid2), 'sid2')
  demandProduct(arithmetic, message)
  demand(arithmetic.points.areValid(message.R), 'R is no point')
  const { R, r } = nonceSum(arithmetic, state.R, message.R)
  const gadget = arithmetic.multiplication.gadget(ot.transcript, 1)
  const chi = wipeLater(arithmetic.multiplication.choice(gadget, choices))
  const received = { direction: 1, session: sid2, gadget, columns, choices, chi, message } as const
  const peers = receiveProduct(arithmetic, { ...received, R: message.R, X: share.serverPublic }, wipeLater)
  const sid3 = sid3Of(sid2, sha256(input.response))
  const sent = {
    direction: 2,
    ot,
    extensionSession: sid2,
    extension: message,
    session: sid3,
    gadget: arithmetic.multiplication.gadget(ot.transcript, 2),
    inputs: concatBytes(nonce, share.secret),
    check: scalarsFrom(arithmetic, random(64)),
  } as const
  const { outputs: own, ...products } = sendProduct(arithmetic, sent, wipeLater)
  const final = { e, r, nonce, secret: share.secret, phi, psi: message.psi, own, peers }
  const request = secondRequest.encode({
    sid3,
    R: state.R,
    blind: state.blind,
    ...products,
    psi: arithmetic.scalars.subtract(phi, chi),
    ...finalShares(arithmetic, final, wipeLater),
  })
  return { kind: 'request', state: withHead('sign', 2, afterSecondRequest.encode({ R })), request }
}

/** Response 2: the client compares r with its own R, and verifies the signature by recovering the key. */
const clientVerifies = (input: ResponseInput, { share, e }: Records): ClientAnswer => {
  const { arithmetic } = input
  const { R } = present(afterSecondRequest.decode(withoutHead('sign', 2, input.state)), 'state')
  const { signature } = present(secondResponse.decode(input.response), 'length of response 2')
  demand(equal(signature.subarray(0, scalarLength), R.subarray(1)), 'r')
  demand(arithmetic.isSignature(share.publicKey, e, signature), 'final signature')
  return { kind: 'done', result: { signature } }
}

const afterFirstResponse = codec({
  clientNonce: 32,
  sid1: 32,
  sid2: 32,
  commitment: 32,
  outputs: 2 * scalarLength,
  response1: 32,
})

/** The draws of the first step, in both steps: they depend on the seed and request 1 alone. */
const drawn = (input: ServerInput, sid1: Uint8Array, wipeLater: WipeLater) => {
  const { bytes, scalar } = serverDraws(input, sid1)
  return {
    clearNonce: bytes('nonce', 32),
    nonce: wipeLater(scalar('r')),
    phi: wipeLater(scalar('phi')),
    choices: wipeLater(bytes('choices', choicesLength)),
    check: wipeLater(scalar('check')),
  }
}

const serverMultiplies = (input: ServerInput, { share, ot, bound }: Records, wipeLater: WipeLater): ServerAnswer => {
  const { arithmetic } = input
  demandRequests(input, 1)
  const message = present(firstRequest.decode(input.request), 'length of request 1')
  const sid1 = sid1Of(bound, share, message.nonce)
  demand(equal(sid1, message.sid1), 'sid1')
  const draws = drawn(input, sid1, wipeLater)
  const sid2 = sid2Of(sid1, draws.clearNonce, present(input.requestHashes[0], 'request hash'))
  const R = present(arithmetic.points.multiplyBase(draws.nonce), 'degenerate nonce')
  const sent = {
    direction: 1,
    ot,
    extensionSession: sid1,
    extension: message,
    session: sid2,
    gadget: arithmetic.multiplication.gadget(ot.transcript, 1),
    inputs: concatBytes(draws.nonce, share.secret),
    check: draws.check,
  } as const
  const { outputs, ...products } = sendProduct(arithmetic, sent, wipeLater)
  const { zeroSeeds, oneSeeds } = ot
  const { choices } = draws
  const own = arithmetic.extension.receive({ session: sid2, direction: 2, zeroSeeds, oneSeeds, choices })
  wipeLater(own.columns)
  const chi = wipeLater(arithmetic.multiplication.choice(arithmetic.multiplication.gadget(ot.transcript, 2), choices))
  const response = firstResponse.encode({
    nonce: draws.clearNonce,
    sid2,
    R,
    matrix: own.matrix,
    choiceHash: own.choiceHash,
    rowHashes: own.rowHashes,
    ...products,
    psi: arithmetic.scalars.subtract(draws.phi, chi),
  })
  const state = afterFirstResponse.encode({
    clientNonce: message.nonce,
    sid1,
    sid2,
    commitment: message.commitment,
    outputs,
    response1: sha256(response),
  })
  return { kind: 'answer', state: writeState(input, 'sign', state), response }
}

const serverSigns = (input: ServerInput, { share, ot, e, bound }: Records, wipeLater: WipeLater): ServerAnswer => {
  const { arithmetic } = input
  const { points, scalars, multiplication } = arithmetic
  demandRequests(input, 2)
  const state = present(afterFirstResponse.decode(readState(input, 'sign')), 'state')
  wipeLater(state.outputs)
  demand(equal(sid1Of(bound, share, state.clientNonce), state.sid1), 'context changed within the run')
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  const sid3 = sid3Of(state.sid2, state.response1)
  demand(equal(sid3, message.sid3), 'sid3')
  demandProduct(arithmetic, message)
  demand(scalars.areCanonical(concatBytes(message.w, message.u)), 'final shares')
  demand(points.areValid(message.R), 'R is no point')
  demand(equal(commitmentTo(state.sid1, message.R, message.blind), state.commitment), 'commitment')
  const { nonce, phi, choices } = drawn(input, state.sid1, wipeLater)
  const { R, r } = nonceSum(arithmetic, present(points.multiplyBase(nonce), 'degenerate nonce'), message.R)
  const gadget = multiplication.gadget(ot.transcript, 2)
  const chi = wipeLater(multiplication.choice(gadget, choices))
  const { zeroSeeds } = ot
  const columns = wipeLater(arithmetic.extension.columns({ session: state.sid2, direction: 2, zeroSeeds }))
  const received = { direction: 2, session: sid3, gadget, columns, choices, chi, message } as const
  const peers = receiveProduct(arithmetic, { ...received, R: message.R, X: share.clientPublic }, wipeLater)
  const final = { e, r, nonce, secret: share.secret, phi, psi: message.psi, own: state.outputs, peers }
  const shares = finalShares(arithmetic, final, wipeLater)
  const inverse = present(scalars.invert(scalars.add(shares.u, message.u)), 'degenerate signature')
  const s = scalars.multiply(scalars.add(shares.w, message.w), inverse)
  demand(!isZero(s), 'degenerate signature')
  const high = scalars.isHigh(s)
  const low = high ? scalars.subtract(new Uint8Array(scalarLength), s) : s
  const odd = R[0] === 3
  const signature = concatBytes(r, low, new Uint8Array([odd === high ? 0 : 1]))
  demand(arithmetic.isSignature(share.publicKey, e, signature), 'final signature')
  return { kind: 'done', response: secondResponse.encode({ signature }), result: { signature } }
}

export const sign: Protocol = {
  start: abortable(withRecords('USER', start)),
  client: [withRecords('USER', clientMultiplies), withRecords('USER', clientVerifies)].map(stoppable),
  server: [withRecords('PROVIDER', serverMultiplies), withRecords('PROVIDER', serverSigns)].map(stoppable),
}
