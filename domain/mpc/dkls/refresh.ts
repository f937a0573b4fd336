/**
 * Refresh: both shares move by the same amount in opposite directions, x_C' = x_C + δ and x_S' = x_S − δ, so that PK, the
 * address and the chain code stay while every older share is worth nothing, and the base OTs of both directions are made
 * anew (mpc D.1 as corrected by mpc-review 4, 9 and 10).
 *
 * δ = H_scalar("delta", sid2, E_C, E_S, e_C·E_S) comes from ephemeral keys: both sides know it, which is harmless, and
 * nobody who reads the messages does, not even the holder of an old share. The new public shares are computed on each
 * side and never received. The confirmations are proofs of the NEW shares; the old sharing is bound by sid1.
 *
 * The run is bound to the old epoch and share; its result is of the next epoch. When it takes effect is the custody
 * rules' matter: until then the old shares sign.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { codec } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import type { ClientAnswer, ClientInput, Context, Protocol, ServerAnswer, ServerInput } from '../Protocol.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import { keysLength, pointLength, scalarLength, tags } from './Parameters.ts'
import { proofLength, prove, verify } from './schnorr.ts'
import {
  demandContext,
  demandRequests,
  hashToScalar,
  openShare,
  readState,
  sid1Of,
  sid2Of,
  sid3Of,
  withHead,
  withoutHead,
  writeState,
} from './Session.ts'
import {
  clientBase,
  clientConfirms,
  clientOpens,
  clientStateAfterSecond,
  clientTransfers,
  serverChallenges,
  serverConfirms,
  serverDraws,
  serverOpens,
  serverTransfers,
  type ResponseInput,
} from './setup.ts'
import { pointsLength } from './vsot.ts'

export const firstRequest = codec({
  sid1: 32,
  nonce: 32,
  shareProof: proofLength,
  exchange: pointLength,
  base: pointLength,
  baseProof: proofLength,
})

export const firstResponse = codec({
  nonce: 32,
  sid2: 32,
  shareProof: proofLength,
  exchange: pointLength,
  base: pointLength,
  baseProof: proofLength,
  points: pointsLength,
})

export const secondRequest = codec({ sid3: 32, points: pointsLength, challenge: keysLength })

const demandRefresh = (context: Context): void => {
  demandContext(context, 'refresh')
  demand(context.attempt.length === 16, 'attempt')
}

/** The key after the shift. `secret` is the party's own new scalar. */
const shifted = (
  arithmetic: Arithmetic,
  share: ShareRecord,
  shift: Uint8Array,
): { readonly secret: Uint8Array; readonly clientPublic: Uint8Array; readonly serverPublic: Uint8Array } => {
  const { points, scalars } = arithmetic
  const opposite = scalars.subtract(new Uint8Array(scalarLength), shift)
  const forward = present(points.multiplyBase(shift), 'degenerate shift')
  const backward = present(points.multiplyBase(opposite), 'degenerate shift')
  const clientPublic = present(points.add(share.clientPublic, forward), 'degenerate share')
  const serverPublic = present(points.add(share.serverPublic, backward), 'degenerate share')
  demand(equal(present(points.add(clientPublic, serverPublic), 'halves cancel'), share.publicKey), 'key changed')
  const secret = scalars.add(share.secret, share.role === 'USER' ? shift : opposite)
  const own = present(points.multiplyBase(secret), 'degenerate share')
  demand(equal(own, share.role === 'USER' ? clientPublic : serverPublic), 'share is damaged')
  return { secret, clientPublic, serverPublic }
}

/** δ, from the ephemeral keys of both. `secret` is the party's own, `peer` the other's point. */
const shiftOf = (
  arithmetic: Arithmetic,
  sid2: Uint8Array,
  exchange: { readonly client: Uint8Array; readonly server: Uint8Array },
  own: { readonly secret: Uint8Array; readonly peer: Uint8Array },
): Uint8Array => {
  demand(!equal(exchange.client, exchange.server), 'ephemeral key given back')
  const shared = present(arithmetic.points.multiply(own.secret, own.peer), 'ephemeral key')
  return hashToScalar(arithmetic, tags.shift, [sid2, exchange.client, exchange.server, shared])
}

const afterFirstRequest = codec({
  clientNonce: 32,
  sid1: 32,
  exchangeSecret: scalarLength,
  exchange: pointLength,
  baseSecret: scalarLength,
  base: pointLength,
  request1: 32,
})

const start = (input: ClientInput): Extract<ClientAnswer, { kind: 'request' }> => {
  const { arithmetic, random } = input
  demandRefresh(input.context)
  const share = openShare(input, 'USER')
  const clientNonce = random(32)
  const sid1 = sid1Of(input.context, share, clientNonce)
  const statement = { purpose: 'share/C', session: sid1, point: share.clientPublic } as const
  const shareProof = prove(arithmetic, statement, share.secret, random(64))
  const exchangeSecret = arithmetic.scalars.reduce(random(64))
  const exchange = present(arithmetic.points.multiplyBase(exchangeSecret), 'degenerate ephemeral key')
  const { baseSecret, base, baseProof } = clientBase(input, sid1)
  const request = firstRequest.encode({ sid1, nonce: clientNonce, shareProof, exchange, base, baseProof })
  const state = { clientNonce, sid1, exchangeSecret, exchange, baseSecret, base, request1: sha256(request) }
  return { kind: 'request', state: withHead('refresh', 1, afterFirstRequest.encode(state)), request }
}

/** Response 1: the server's proof of its old share, E_S, A_2, B_1. */
const clientShifts = (input: ResponseInput): ClientAnswer => {
  const { arithmetic } = input
  demandRefresh(input.context)
  const share = openShare(input, 'USER')
  const state = present(afterFirstRequest.decode(withoutHead('refresh', 1, input.state)), 'state')
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = sid2Of(state.sid1, message.nonce, state.request1)
  demand(equal(sid2, message.sid2), 'sid2')
  verify(arithmetic, { purpose: 'share/S', session: sid2, point: share.serverPublic }, message.shareProof)
  const exchange = { client: state.exchange, server: message.exchange }
  const shift = shiftOf(arithmetic, sid2, exchange, { secret: state.exchangeSecret, peer: message.exchange })
  const transfers = clientTransfers(input, sid2, { secret: state.baseSecret, base: state.base }, message)
  const { points, challenge, ...kept } = transfers
  const response1 = sha256(input.response)
  const request = secondRequest.encode({ sid3: sid3Of(sid2, response1), points, challenge })
  return {
    kind: 'request',
    state: clientStateAfterSecond('refresh', {
      ...state,
      ...kept,
      ...shifted(arithmetic, share, shift),
      publicKey: share.publicKey,
      chainCode: share.chainCode,
      sid2,
      response1,
      request2: sha256(request),
    }),
    request,
  }
}

const afterFirstResponse = codec({
  clientNonce: 32,
  sid1: 32,
  sid2: 32,
  secret: scalarLength,
  clientPublic: pointLength,
  serverPublic: pointLength,
  base: pointLength,
  chosen: keysLength,
  response1: 32,
})

const serverShifts = (input: ServerInput): ServerAnswer => {
  const { arithmetic } = input
  demandRefresh(input.context)
  demandRequests(input, 1)
  const share = openShare(input, 'PROVIDER')
  const message = present(firstRequest.decode(input.request), 'length of request 1')
  const sid1 = sid1Of(input.context, share, message.nonce)
  demand(equal(sid1, message.sid1), 'sid1')
  demand(arithmetic.points.areValid(message.base), 'base is no point')
  verify(arithmetic, { purpose: 'share/C', session: sid1, point: share.clientPublic }, message.shareProof)
  verify(arithmetic, { purpose: 'base/C', session: sid1, point: message.base }, message.baseProof)
  const draws = serverDraws(input, sid1)
  const nonce = draws.bytes('nonce', 32)
  const sid2 = sid2Of(sid1, nonce, sha256(input.request))
  const statement = { purpose: 'share/S', session: sid2, point: share.serverPublic } as const
  const shareProof = prove(arithmetic, statement, share.secret, draws.bytes('share-proof', 64))
  const exchangeSecret = draws.scalar('exchange')
  const exchange = present(arithmetic.points.multiplyBase(exchangeSecret), 'degenerate ephemeral key')
  const keys = { client: message.exchange, server: exchange }
  const shift = shiftOf(arithmetic, sid2, keys, { secret: exchangeSecret, peer: message.exchange })
  const { chosen, ...transfers } = serverTransfers(input, sid1, sid2, message.base)
  const response = firstResponse.encode({ nonce, sid2, shareProof, exchange, ...transfers })
  const state = afterFirstResponse.encode({
    clientNonce: message.nonce,
    sid1,
    sid2,
    ...shifted(arithmetic, share, shift),
    base: transfers.base,
    chosen,
    response1: sha256(response),
  })
  return { kind: 'answer', state: writeState(input, 'refresh', state), response }
}

const serverAnswersBits = (input: ServerInput): ServerAnswer => {
  demandRefresh(input.context)
  demandRequests(input, 2)
  const share = openShare(input, 'PROVIDER')
  const state = present(afterFirstResponse.decode(readState(input, 'refresh')), 'state')
  demand(equal(sid1Of(input.context, share, state.clientNonce), state.sid1), 'context changed within the run')
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  demand(equal(sid3Of(state.sid2, state.response1), message.sid3), 'sid3')
  const { publicKey, chainCode } = share
  return serverChallenges(input, 'refresh', { ...state, publicKey, chainCode }, message)
}

export const refresh: Protocol = {
  start: abortable(start),
  client: [clientShifts, clientOpens('refresh'), clientConfirms('refresh')].map(stoppable),
  server: [serverShifts, serverAnswersBits, serverOpens('refresh'), serverConfirms('refresh')].map(stoppable),
}
