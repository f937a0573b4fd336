/**
 * Refresh: both shares move by the same amount in opposite directions, x_C' = x_C + ω and x_S' = x_S − ω, so PK, the
 * address and the chain code stay while older shares do not work with the new ones. The base OTs of both directions are
 * made anew. domain/mpc/README.md#dkls-refresh
 *
 * The refresh offset ω = H_scalar("delta", sid2, E_C, E_S, e_C·E_S) comes from ephemeral keys: both sides know it, and
 * reading the messages does not give it, with or without an old share. The new public shares are computed on each side
 * and never received. The confirmations are proofs of the NEW shares; sid1 binds the old sharing.
 *
 * The run is bound to the old epoch and share. Its result is of the next epoch and pins the context's root key: the old
 * one or, in a recovery, the new credential's. The service decides when the result takes effect: until then the old
 * shares sign.
 */
import { sha256 } from '@noble/hashes/sha2.js'
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
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable, type WipeLater } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { pointLength, scalarLength, tags } from './Parameters.ts'
import { proofLength, verify } from './schnorr.ts'
import {
  demandContext,
  hashToScalar,
  openShare,
  readState,
  scalarsFrom,
  withHead,
  withoutHead,
  writeState,
} from './Session.ts'
import * as Setup from './setup.ts'

export const firstRequest = Setup.firstRequestWith({ shareProof: proofLength, exchange: pointLength })
export const firstResponse = Setup.firstResponseWith({ shareProof: proofLength, exchange: pointLength })
export const secondRequest = Setup.secondRequestWith({})

const afterFirstRequest = Setup.afterFirstRequestWith({ exchangeSecret: scalarLength, exchange: pointLength })
const afterFirstResponse = Setup.afterFirstResponseWith({
  secret: scalarLength,
  clientPublic: pointLength,
  serverPublic: pointLength,
})

const demandRefresh = (context: Context): void => {
  demandContext(context, 'refresh')
  demand(context.attempt.length === 16, 'attempt')
  demand(context.rootPublicKey.length === 0 || context.rootPublicKey.length === 32, 'root key')
}

/** The key after the offset. `secret` is the party's own new scalar. */
const moved = (
  arithmetic: Arithmetic,
  share: ShareRecord,
  offset: Uint8Array,
  wipeLater: WipeLater,
): { readonly secret: Uint8Array; readonly clientPublic: Uint8Array; readonly serverPublic: Uint8Array } => {
  const { points, scalars } = arithmetic
  const opposite = wipeLater(scalars.subtract(new Uint8Array(scalarLength), offset))
  const forward = present(points.multiplyBase(offset), 'degenerate offset')
  const backward = present(points.multiplyBase(opposite), 'degenerate offset')
  const clientPublic = present(points.add(share.clientPublic, forward), 'degenerate share')
  const serverPublic = present(points.add(share.serverPublic, backward), 'degenerate share')
  demand(equal(present(points.add(clientPublic, serverPublic), 'halves cancel'), share.publicKey), 'key changed')
  const secret = wipeLater(scalars.add(share.secret, share.role === 'USER' ? offset : opposite))
  const own = present(points.multiplyBase(secret), 'degenerate share')
  demand(equal(own, share.role === 'USER' ? clientPublic : serverPublic), 'share is damaged')
  return { secret, clientPublic, serverPublic }
}

/** ω, from the ephemeral keys of both. `secret` is the party's own, `peer` the other's point. */
const offsetOf = (
  arithmetic: Arithmetic,
  sid2: Uint8Array,
  exchange: { readonly client: Uint8Array; readonly server: Uint8Array },
  own: { readonly secret: Uint8Array; readonly peer: Uint8Array },
  wipeLater: WipeLater,
): Uint8Array => {
  demand(!equal(exchange.client, exchange.server), 'ephemeral key given back')
  const shared = wipeLater(present(arithmetic.points.multiply(own.secret, own.peer), 'ephemeral key'))
  return wipeLater(hashToScalar(arithmetic, tags.offset, [sid2, exchange.client, exchange.server, shared]))
}

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  const { arithmetic, random } = input
  demandRefresh(input.context)
  const { clientNonce, sid1, shareProof } = Setup.clientProvesShare(input)
  const exchangeSecret = wipeLater(scalarsFrom(arithmetic, random(64)))
  const exchange = present(arithmetic.points.multiplyBase(exchangeSecret), 'degenerate ephemeral key')
  const { baseSecret, base, baseProof } = Setup.clientBase(input, sid1, wipeLater)
  const request = firstRequest.encode({ sid1, nonce: clientNonce, shareProof, exchange, base, baseProof })
  const state = { clientNonce, sid1, exchangeSecret, exchange, baseSecret, base, request1: sha256(request) }
  return { kind: 'request', state: withHead('refresh', 1, afterFirstRequest.encode(state)), request }
}

/** Response 1: the server's proof of its old share, E_S, A_2, B_1. */
const clientMoves = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  const { arithmetic } = input
  demandRefresh(input.context)
  const share = openShare(input, 'USER')
  const state = present(afterFirstRequest.decode(withoutHead('refresh', 1, input.state)), 'state')
  wipeLater(state.exchangeSecret, state.baseSecret)
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = Setup.clientSid2(state, message)
  verify(arithmetic, { purpose: 'share/S', session: sid2, point: share.serverPublic }, message.shareProof)
  const exchange = { client: state.exchange, server: message.exchange }
  const own = { secret: state.exchangeSecret, peer: message.exchange }
  const offset = offsetOf(arithmetic, sid2, exchange, own, wipeLater)
  const { publicKey, chainCode } = share
  const known = { ...state, ...moved(arithmetic, share, offset, wipeLater), publicKey, chainCode, sid2 }
  return Setup.clientTransfers(input, 'refresh', known, message, secondRequest.encode, wipeLater)
}

const serverMoves = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  const { arithmetic } = input
  demandRefresh(input.context)
  demandRequests(input, 1)
  const share = openShare(input, 'PROVIDER')
  const message = present(firstRequest.decode(input.request), 'length of request 1')
  const session = Setup.serverSession(input, share, message)
  const { draws, nonce, sid1, sid2 } = session
  const shareProof = Setup.serverProvesShare(input, session, share, message.shareProof)
  const exchangeSecret = wipeLater(draws.scalar('exchange'))
  const exchange = present(arithmetic.points.multiplyBase(exchangeSecret), 'degenerate ephemeral key')
  const keys = { client: message.exchange, server: exchange }
  const own = { secret: exchangeSecret, peer: message.exchange }
  const offset = offsetOf(arithmetic, sid2, keys, own, wipeLater)
  const { chosen, ...transfers } = Setup.serverTransfers(input, session, message.base, wipeLater)
  const response = firstResponse.encode({ nonce, sid2, shareProof, exchange, ...transfers })
  const state = afterFirstResponse.encode({
    clientNonce: message.nonce,
    sid1,
    sid2,
    ...moved(arithmetic, share, offset, wipeLater),
    base: transfers.base,
    chosen,
    response1: sha256(response),
  })
  return { kind: 'answer', state: writeState(input, 'refresh', state), response }
}

const serverAnswersBits = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandRefresh(input.context)
  demandRequests(input, 2)
  const { publicKey, chainCode } = openShare(input, 'PROVIDER')
  const state = present(afterFirstResponse.decode(readState(input, 'refresh')), 'state')
  wipeLater(state.secret)
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  Setup.demandSecondRequest(input, 'refresh', state, message)
  return Setup.serverChallenges(input, 'refresh', { ...state, publicKey, chainCode }, message, wipeLater)
}

export const refresh: Protocol = {
  start: abortable(start),
  client: [clientMoves, Setup.clientOpens('refresh'), Setup.clientConfirms('refresh')].map(stoppable),
  server: [serverMoves, serverAnswersBits, Setup.serverOpens('refresh'), Setup.serverConfirms('refresh')].map(
    stoppable,
  ),
}
