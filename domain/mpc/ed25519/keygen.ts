/**
 * Key generation of ED25519 in two requests and a confirming call: the distributed key generation of FROST (Feldman,
 * with proof of knowledge of the constant term), bound to its session. domain/mpc/README.md#ed25519-keygen
 *
 *   request 1   commitments A_C0, A_C1, proof, ephemeral E_C        ──▶
 *        ◀──    response 1  commitments A_S0, A_S1, proof, ephemeral E_S
 *   request 2   f_C(2), sealed under the ephemeral keys             ──▶
 *        ◀──    response 2  f_S(1), sealed; proof σ_S of x_S over the transcript
 *   request 3   proof σ_C of x_C over the transcript: the confirming call, sent when the share is stored  ──▶
 *
 * x_i = f_C(i) + f_S(i), X_i = x_i·G, and PK = A_C0 + A_S0. FROST's proof of knowledge has no session of its own: sid1
 * to sid3 and the proofs σ over the whole transcript bind everything, and nothing is active before both were checked.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { equal } from '../../crypto/Equal.ts'
import { expand } from '../../crypto/expand.ts'
import { hash } from '../../crypto/Transcript.ts'
import { codec } from '../Codec.ts'
import { demandRequests, firstStep } from '../Inputs.ts'
import {
  seededBytes,
  shareIdOf,
  type ClientAnswer,
  type ClientInput,
  type Context,
  type Protocol,
  type ResponseInput,
  type ServerAnswer,
  type ServerInput,
} from '../Protocol.ts'
import type { Role, ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable, type WipeLater } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import {
  clientBegins,
  clientBytes,
  clientId,
  clientSession,
  demandContext,
  demandPoints,
  demandShareOfKey,
  drawing,
  serverId,
  sharedKey,
  sid1Of,
  sid2Of,
  sid3Of,
  tags,
  type Draw,
} from './Frost.ts'
import { deal, isProof, isValueAt, valueAt } from './rfc9591.ts'
import { proofLength, prove, verify } from './schnorr.ts'

const dealing = { constant: 32, slope: 32, proof: 64, exchange: 32 } as const
const sealedLength = 32 + 16

export const firstRequest = codec({ sid1: 32, nonce: 32, ...dealing })
export const firstResponse = codec({ nonce: 32, sid2: 32, ...dealing })
export const secondRequest = codec({ sid3: 32, sealed: sealedLength })
export const secondResponse = codec({ sealed: sealedLength, confirmation: proofLength })
export const confirmation = codec({ confirmation: proofLength })

const clientState = codec({ seed: 32, request: firstRequest.length })
const clientCandidate = codec({
  seed: 32,
  request: firstRequest.length,
  response: firstResponse.length,
  second: secondRequest.length,
})
const serverState = codec({ request: firstRequest.length, response: firstResponse.length })

/** sid1 and the nonce are kept so that a confirming call under another context is noticed. */
const serverCandidate = codec({
  sid1: 32,
  clientNonce: 32,
  secret: 32,
  clientPublic: 32,
  serverPublic: 32,
  publicKey: 32,
  transcript: 32,
})

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  demandKeygen(input.context)
  const { seed, nonce, sid1 } = clientBegins(input, undefined, wipeLater)
  const own = dealAs(input.arithmetic.ed25519, clientId, clientBytes(seed, sid1), wipeLater)
  const request = firstRequest.encode({ sid1, nonce, ...own.message })
  return { kind: 'request', state: clientState.encode({ seed, request }), request }
}

const onFirstResponse = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  const { seed, request } = present(clientState.decode(input.state), 'state of another step')
  wipeLater(seed)
  const session = sessionOf(input.context, request, input.response)
  const { ed25519 } = input.arithmetic
  const own = dealAs(ed25519, clientId, clientBytes(seed, session.sid1), wipeLater)
  demandDealing(ed25519, serverId, session.response, own.message)
  const share = wipeLater(valueAt(ed25519, own.polynomial, serverId))
  const shared = wipeLater(sharedKey(ed25519, own.exchangeSecret, session.response.exchange))
  const key = wipeLater(sealKey(session, shared, 'C>S', none))
  const second = secondRequest.encode({ sid3: session.sid3, sealed: seal(key, share) })
  const state = clientCandidate.encode({ seed, request, response: input.response, second })
  return { kind: 'request', state, request: second }
}

const onSecondResponse = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  const taken = present(clientCandidate.decode(input.state), 'state of another step')
  wipeLater(taken.seed)
  const response = present(secondResponse.decode(input.response), 'length of response 2')
  const session = sessionOf(input.context, taken.request, taken.response)
  const { ed25519 } = input.arithmetic
  const own = dealAs(ed25519, clientId, clientBytes(taken.seed, session.sid1), wipeLater)
  demandDealing(ed25519, serverId, session.response, own.message)
  const shared = wipeLater(sharedKey(ed25519, own.exchangeSecret, session.response.exchange))
  const key = wipeLater(sealKey(session, shared, 'S>C', taken.second))
  const received = wipeLater(unseal(key, response.sealed))
  const { secret, publics } = combine(ed25519, clientId, own, session.response, received, wipeLater)
  const transcript = transcriptOf(session, taken.request, taken.response, taken.second, response.sealed, publics)
  verify(ed25519, { purpose: 'conf/S', session: transcript, point: publics.serverPublic }, response.confirmation)
  const share = shareOf(ed25519, 'USER', input.context, secret, publics)
  const nonce = clientBytes(taken.seed, transcript)('confirmation', 64)
  const statement = { purpose: 'conf/C', session: transcript, point: publics.clientPublic } as const
  const request = confirmation.encode({ confirmation: prove(ed25519, statement, secret, nonce) })
  return { kind: 'confirm', request, result: { share: { ...share, secret: secret.slice() } } }
}

const answerFirst = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandKeygen(input.context)
  demandRequests(input, 1)
  const request = present(firstRequest.decode(input.request), 'length of request 1')
  const sid1 = sid1Of(input.context, undefined, request.nonce)
  demand(equal(request.sid1, sid1), 'sid1')
  const own = serverDealing(input, sid1, wipeLater)
  demandDealing(input.arithmetic.ed25519, clientId, request, own.message)
  const nonce = seededBytes(input, sid1, 'nonce', 32)
  const response = firstResponse.encode({ nonce, sid2: sid2Of(sid1, nonce, input.request), ...own.message })
  return { kind: 'answer', state: serverState.encode({ request: input.request, response }), response }
}

const answerSecond = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandKeygen(input.context)
  demandRequests(input, 2)
  const taken = present(serverState.decode(input.state), 'state of another step')
  const second = present(secondRequest.decode(input.request), 'length of request 2')
  const request = present(firstRequest.decode(taken.request), 'state of another step')
  const sid1 = sid1Of(input.context, undefined, request.nonce)
  const response = present(firstResponse.decode(taken.response), 'state of another step')
  const sid2 = sid2Of(sid1, response.nonce, taken.request)
  demand(equal(request.sid1, sid1) && equal(response.sid2, sid2), 'state of another run')
  const session = { sid1, sid3: sid3Of(sid2, taken.response), request, response }
  demand(equal(second.sid3, session.sid3), 'sid3')
  const own = serverDealing(firstStep(input), sid1, wipeLater)
  demand(equal(own.message.constant, response.constant), 'state of another run')
  const { ed25519 } = input.arithmetic
  demandDealing(ed25519, clientId, request, own.message)
  const shared = wipeLater(sharedKey(ed25519, own.exchangeSecret, request.exchange))
  const forPeer = wipeLater(valueAt(ed25519, own.polynomial, clientId))
  const received = wipeLater(unseal(wipeLater(sealKey(session, shared, 'C>S', none)), second.sealed))
  const { secret, publics } = combine(ed25519, serverId, own, request, received, wipeLater)
  const sealed = seal(wipeLater(sealKey(session, shared, 'S>C', input.request)), forPeer)
  const transcript = transcriptOf(session, taken.request, taken.response, input.request, sealed, publics)
  const share = shareOf(ed25519, 'PROVIDER', input.context, secret, publics)
  const nonce = seededBytes(input, transcript, 'confirmation', 64)
  const statement = { purpose: 'conf/S', session: transcript, point: publics.serverPublic } as const
  return {
    kind: 'answer',
    state: serverCandidate.encode({ sid1, clientNonce: request.nonce, ...share, transcript }),
    response: secondResponse.encode({ sealed, confirmation: prove(ed25519, statement, secret, nonce) }),
  }
}

const answerConfirmation = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandKeygen(input.context)
  demandRequests(input, 3)
  const candidate = present(serverCandidate.decode(input.state), 'state of another step')
  wipeLater(candidate.secret)
  const sid1 = sid1Of(input.context, undefined, candidate.clientNonce)
  demand(equal(sid1, candidate.sid1), 'context changed within the run')
  const request = present(confirmation.decode(input.request), 'length of request 3')
  const statement = { purpose: 'conf/C', session: candidate.transcript, point: candidate.clientPublic } as const
  const { ed25519 } = input.arithmetic
  verify(ed25519, statement, request.confirmation)
  const share = shareOf(ed25519, 'PROVIDER', input.context, candidate.secret.slice(), candidate)
  return { kind: 'done', response: none, result: { share } }
}

export const keygen: Protocol = {
  start: abortable(start),
  client: [stoppable(onFirstResponse), stoppable(onSecondResponse)],
  server: [stoppable(answerFirst), stoppable(answerSecond), stoppable(answerConfirmation)],
}

const none = new Uint8Array(0)

const demandKeygen = (context: Context): void => {
  demandContext(context, 'keygen')
  demand(context.shareId.length === 0 && context.payload === undefined, 'keygen begins without a share')
  demand(context.rootPublicKey.length === 0 || context.rootPublicKey.length === 32, 'root key')
}

type Dealing = {
  readonly constant: Uint8Array
  readonly slope: Uint8Array
  readonly proof: Uint8Array
  readonly exchange: Uint8Array
}

type Session = {
  readonly sid1: Uint8Array
  readonly sid3: Uint8Array
  readonly request: Dealing
  readonly response: Dealing
}

/** The session as the client sees it. */
const sessionOf = (context: Context, request: Uint8Array, response: Uint8Array): Session => {
  demandKeygen(context)
  const sent = present(firstRequest.decode(request), 'state of another step')
  const received = present(firstResponse.decode(response), 'length of response 1')
  const { sid1, sid2 } = clientSession(context, undefined, { ...sent, bytes: request }, received)
  return { sid1, sid3: sid3Of(sid2, response), request: sent, response: received }
}

/** One party's polynomial and ephemeral key. The same draws give them again, so they are not kept between steps. */
const dealAs = (arithmetic: Arithmetic, id: Uint8Array, draw: Draw, wipeLater: WipeLater) => {
  const drawOnce: Draw = (label, length) => wipeLater(draw(label, length))
  const { polynomial, constant, slope, proof } = deal(arithmetic, id, drawing(drawOnce, 'polynomial', 48))
  const exchangeSecret = drawOnce('exchange', 32)
  const message: Dealing = { constant, slope, proof, exchange: arithmetic.exchange.publicKey(exchangeSecret) }
  return { message, polynomial: wipeLater(polynomial), exchangeSecret }
}

const serverDealing = (input: ServerInput, sid1: Uint8Array, wipeLater: WipeLater) =>
  dealAs(input.arithmetic.ed25519, serverId, (label, length) => seededBytes(input, sid1, label, length), wipeLater)

/**
 * Aborts unless the peer's dealing has points of prime order, none of them ours sent back, and a proof that the peer
 * knows the constant term.
 */
const demandDealing = (arithmetic: Arithmetic, peerId: Uint8Array, peer: Dealing, own: Dealing): void => {
  demandPoints(arithmetic, 'commitment', peer.constant, peer.slope)
  demand(!equal(peer.constant, own.constant) && !equal(peer.slope, own.slope), 'commitment given back')
  demand(!equal(peer.exchange, own.exchange), 'ephemeral key given back')
  demand(isProof(arithmetic, peerId, peer.constant, peer.proof), 'proof of knowledge')
}

type Publics = {
  readonly clientPublic: Uint8Array
  readonly serverPublic: Uint8Array
  readonly publicKey: Uint8Array
}

/** x = the value of the own polynomial at our place + the peer's, which has to fit the peer's commitments. */
const combine = (
  arithmetic: Arithmetic,
  id: Uint8Array,
  own: { readonly message: Dealing; readonly polynomial: Uint8Array },
  peer: Dealing,
  received: Uint8Array,
  wipeLater: WipeLater,
): { readonly secret: Uint8Array; readonly publics: Publics } => {
  const reason = 'share does not fit its commitments'
  demand(isValueAt(arithmetic, received, peer, id), reason)
  const add = (a: Uint8Array, b: Uint8Array) => present(arithmetic.points.add(a, b), reason)
  const publicKey = add(own.message.constant, peer.constant)
  const slope = add(own.message.slope, peer.slope)
  const clientPublic = add(publicKey, slope)
  const serverPublic = add(clientPublic, slope)
  const value = wipeLater(valueAt(arithmetic, own.polynomial, id))
  const secret = wipeLater(arithmetic.scalars.add(value, received))
  return { secret, publics: { clientPublic, serverPublic, publicKey } }
}

/** The new share, for the context's attempt; aborts where PK or a share is the identity or they do not fit. */
const shareOf = (
  arithmetic: Arithmetic,
  role: Role,
  context: Context,
  secret: Uint8Array,
  publics: Publics,
): ShareRecord => {
  const { clientPublic, serverPublic, publicKey } = publics
  const share: ShareRecord = {
    scheme: 'ED25519',
    role,
    walletId: context.walletId,
    epoch: context.epoch,
    shareId: shareIdOf(context.attempt, clientPublic, serverPublic, publicKey),
    secret,
    clientPublic,
    serverPublic,
    publicKey,
    // No keys are derived from an ED25519 key, so it has no chain code.
    chainCode: new Uint8Array(32),
    rootPublicKey: context.rootPublicKey,
  }
  demandShareOfKey(arithmetic, share)
  return share
}

/** A key for one share in one direction: it seals once, so its nonce is zero. */
const sealKey = (session: Session, shared: Uint8Array, direction: 'C>S' | 'S>C', request: Uint8Array): Uint8Array => {
  const { sid3, request: client, response: server } = session
  return expand(tags.seal, [direction, sid3, shared, client.exchange, server.exchange, request], 32)
}

const zeroNonce = new Uint8Array(12)

const seal = (key: Uint8Array, share: Uint8Array): Uint8Array => chacha20poly1305(key, zeroNonce).encrypt(share)

const unseal = (key: Uint8Array, sealed: Uint8Array): Uint8Array => present(opened(key, sealed), 'sealed share')

const opened = (key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined => {
  try {
    return chacha20poly1305(key, zeroNonce).decrypt(sealed)
  } catch {
    return undefined
  }
}

/** T: everything that both have sent, and the result. */
const transcriptOf = (
  session: Session,
  request: Uint8Array,
  response: Uint8Array,
  second: Uint8Array,
  sealed: Uint8Array,
  publics: Publics,
): Uint8Array =>
  hash(tags.confirmation, [
    session.sid3,
    request,
    response,
    second,
    sealed,
    publics.clientPublic,
    publics.serverPublic,
    publics.publicKey,
  ])
