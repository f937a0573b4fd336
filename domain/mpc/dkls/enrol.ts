/**
 * Attach, the enrolment of a device that has the share but no OT record: it makes base OTs of its own with the server.
 * It is keygen without a new key: both prove their share under the public halves of their own records, PK and chain
 * code stay, and the result is an OT record with an id of its own. domain/mpc/README.md#dkls-attach
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { demandRequests } from '../Inputs.ts'
import type { ClientAnswer, ClientInput, Protocol, ResponseInput, ServerAnswer, ServerInput } from '../Protocol.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, present, stoppable, type WipeLater } from '../Stop.ts'
import { proofLength, verify } from './schnorr.ts'
import { demandContext, openShare, readState, withHead, withoutHead, writeState } from './Session.ts'
import * as Setup from './setup.ts'

export const firstRequest = Setup.firstRequestWith({ shareProof: proofLength })
export const firstResponse = Setup.firstResponseWith({ shareProof: proofLength })
export const secondRequest = Setup.secondRequestWith({})

const afterFirstRequest = Setup.afterFirstRequestWith({})
const afterFirstResponse = Setup.afterFirstResponseWith({})

const keyOf = ({ clientPublic, serverPublic, publicKey, chainCode }: ShareRecord) => ({
  clientPublic,
  serverPublic,
  publicKey,
  chainCode,
})

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  demandContext(input.context, 'attach')
  const { clientNonce, sid1, shareProof } = Setup.clientProvesShare(input)
  const { baseSecret, base, baseProof } = Setup.clientBase(input, sid1, wipeLater)
  const request = firstRequest.encode({ sid1, nonce: clientNonce, shareProof, base, baseProof })
  const state = afterFirstRequest.encode({ clientNonce, sid1, baseSecret, base, request1: sha256(request) })
  return { kind: 'request', state: withHead('attach', 1, state), request }
}

/** Response 1: the server's proof of its share, A_2, B_1. */
const clientTransfersBits = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  demandContext(input.context, 'attach')
  const share = openShare(input, 'USER')
  const state = present(afterFirstRequest.decode(withoutHead('attach', 1, input.state)), 'state')
  wipeLater(state.baseSecret)
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = Setup.clientSid2(state, message)
  const statement = { purpose: 'share/S', session: sid2, point: share.serverPublic } as const
  verify(input.arithmetic, statement, message.shareProof)
  const known = { ...state, ...keyOf(share), secret: share.secret, sid2 }
  return Setup.clientTransfers(input, 'attach', known, message, secondRequest.encode, wipeLater)
}

const serverBegins = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandContext(input.context, 'attach')
  demandRequests(input, 1)
  const share = openShare(input, 'PROVIDER')
  const message = present(firstRequest.decode(input.request), 'length of request 1')
  const session = Setup.serverSession(input, share, message)
  const shareProof = Setup.serverProvesShare(input, session, share, message.shareProof)
  const { chosen, ...transfers } = Setup.serverTransfers(input, session, message.base, wipeLater)
  const { nonce, sid1, sid2 } = session
  const response = firstResponse.encode({ nonce, sid2, shareProof, ...transfers })
  const state = { clientNonce: message.nonce, sid1, sid2, base: transfers.base, chosen, response1: sha256(response) }
  return { kind: 'answer', state: writeState(input, 'attach', afterFirstResponse.encode(state)), response }
}

const serverAnswersBits = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandContext(input.context, 'attach')
  demandRequests(input, 2)
  const share = openShare(input, 'PROVIDER')
  const state = present(afterFirstResponse.decode(readState(input, 'attach')), 'state')
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  Setup.demandSecondRequest(input, 'attach', state, message)
  return Setup.serverChallenges(input, 'attach', { ...state, ...keyOf(share) }, message, wipeLater)
}

export const enrol: Protocol = {
  start: abortable(start),
  client: [clientTransfersBits, Setup.clientOpens('attach'), Setup.clientConfirms('attach')].map(stoppable),
  server: [serverBegins, serverAnswersBits, Setup.serverOpens('attach'), Setup.serverConfirms('attach')].map(stoppable),
}
