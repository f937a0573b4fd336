/**
 * Attach: a device that holds the share but no OT state makes its own base OTs with the server (mpc-review 5). It is
 * keygen without a new key: both prove their share under the public halves of their own records, PK and chain code
 * stay, and the result is an OT record with an id of its own.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { codec } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import type { ClientAnswer, ClientInput, Protocol, ServerAnswer, ServerInput } from '../Protocol.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable } from '../Stop.ts'
import { keysLength, pointLength, scalarLength } from './Parameters.ts'
import { proofLength, prove, verify } from './schnorr.ts'
import {
  demandContext,
  demandRequests,
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
  base: pointLength,
  baseProof: proofLength,
})

export const firstResponse = codec({
  nonce: 32,
  sid2: 32,
  shareProof: proofLength,
  base: pointLength,
  baseProof: proofLength,
  points: pointsLength,
})

export const secondRequest = codec({ sid3: 32, points: pointsLength, challenge: keysLength })

const keyOf = ({ clientPublic, serverPublic, publicKey, chainCode }: ShareRecord) => ({
  clientPublic,
  serverPublic,
  publicKey,
  chainCode,
})

const afterFirstRequest = codec({
  clientNonce: 32,
  sid1: 32,
  baseSecret: scalarLength,
  base: pointLength,
  request1: 32,
})

const start = (input: ClientInput): Extract<ClientAnswer, { kind: 'request' }> => {
  const { arithmetic, random } = input
  demandContext(input.context, 'attach')
  const share = openShare(input, 'USER')
  const clientNonce = random(32)
  const sid1 = sid1Of(input.context, share, clientNonce)
  const statement = { purpose: 'share/C', session: sid1, point: share.clientPublic } as const
  const shareProof = prove(arithmetic, statement, share.secret, random(64))
  const { baseSecret, base, baseProof } = clientBase(input, sid1)
  const request = firstRequest.encode({ sid1, nonce: clientNonce, shareProof, base, baseProof })
  const state = { clientNonce, sid1, baseSecret, base, request1: sha256(request) }
  return { kind: 'request', state: withHead('attach', 1, afterFirstRequest.encode(state)), request }
}

/** Response 1: the server's proof of its share, A_2, B_1. */
const clientTransfersBits = (input: ResponseInput): ClientAnswer => {
  const { arithmetic } = input
  demandContext(input.context, 'attach')
  const share = openShare(input, 'USER')
  const state = present(afterFirstRequest.decode(withoutHead('attach', 1, input.state)), 'state')
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = sid2Of(state.sid1, message.nonce, state.request1)
  demand(equal(sid2, message.sid2), 'sid2')
  verify(arithmetic, { purpose: 'share/S', session: sid2, point: share.serverPublic }, message.shareProof)
  const transfers = clientTransfers(input, sid2, { secret: state.baseSecret, base: state.base }, message)
  const { points, challenge, ...kept } = transfers
  const response1 = sha256(input.response)
  const request = secondRequest.encode({ sid3: sid3Of(sid2, response1), points, challenge })
  return {
    kind: 'request',
    state: clientStateAfterSecond('attach', {
      ...state,
      ...kept,
      ...keyOf(share),
      secret: share.secret,
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
  base: pointLength,
  chosen: keysLength,
  response1: 32,
})

const serverBegins = (input: ServerInput): ServerAnswer => {
  const { arithmetic } = input
  demandContext(input.context, 'attach')
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
  const { chosen, ...transfers } = serverTransfers(input, sid1, sid2, message.base)
  const response = firstResponse.encode({ nonce, sid2, shareProof, ...transfers })
  const state = { clientNonce: message.nonce, sid1, sid2, base: transfers.base, chosen, response1: sha256(response) }
  return { kind: 'answer', state: writeState(input, 'attach', afterFirstResponse.encode(state)), response }
}

const serverAnswersBits = (input: ServerInput): ServerAnswer => {
  demandContext(input.context, 'attach')
  demandRequests(input, 2)
  const share = openShare(input, 'PROVIDER')
  const state = present(afterFirstResponse.decode(readState(input, 'attach')), 'state')
  demand(equal(sid1Of(input.context, share, state.clientNonce), state.sid1), 'context changed within the run')
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  demand(equal(sid3Of(state.sid2, state.response1), message.sid3), 'sid3')
  return serverChallenges(input, 'attach', { ...state, ...keyOf(share) }, message)
}

export const attach: Protocol = {
  start: abortable(start),
  client: [clientTransfersBits, clientOpens('attach'), clientConfirms('attach')].map(stoppable),
  server: [serverBegins, serverAnswersBits, serverOpens('attach'), serverConfirms('attach')].map(stoppable),
}
