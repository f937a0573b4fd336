/**
 * Two-party key generation: x = x_C + x_S, PK = X_C + X_S, and the base OTs of both directions in the same four
 * requests. domain/mpc/README.md#dkls-keygen
 *
 * The client commits to X_C, its proof and its half of the chain code before it sees X_S, so the server cannot choose
 * the key; the client can only choose to abort. The user's root key is part of the context, so both share records pin
 * the same one although it is not sent.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hash } from '../../crypto/Transcript.ts'
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
import { abortable, demand, present, stoppable, type WipeLater } from '../Stop.ts'
import { pointLength, scalarLength, tags } from './Parameters.ts'
import { proofLength, prove, verify } from './schnorr.ts'
import {
  demandContext,
  readState,
  scalarsFrom,
  serverDraws,
  sid1Of,
  withHead,
  withoutHead,
  writeState,
} from './Session.ts'
import * as Setup from './setup.ts'

const opening = { share: pointLength, shareProof: proofLength, chainCode: 32, blind: 32 } as const

export const firstRequest = Setup.firstRequestWith({ commitment: 32 })
export const firstResponse = Setup.firstResponseWith({ share: pointLength, shareProof: proofLength, chainCode: 32 })
export const secondRequest = Setup.secondRequestWith(opening)

const afterFirstRequest = Setup.afterFirstRequestWith({ secret: scalarLength, ...opening })
const afterFirstResponse = Setup.afterFirstResponseWith({ commitment: 32, serverPublic: pointLength })

const commitmentTo = (sid1: Uint8Array, opened: { readonly [K in keyof typeof opening]: Uint8Array }): Uint8Array =>
  hash(tags.commitment, [sid1, opened.share, opened.shareProof, opened.chainCode, opened.blind])

const chainCodeOf = (client: Uint8Array, server: Uint8Array): Uint8Array => hash(tags.chainCode, [client, server])

const demandKeygen = (context: Context): void => {
  demandContext(context, 'keygen')
  demand(context.attempt.length === 16, 'attempt')
  demand(context.rootPublicKey.length === 0 || context.rootPublicKey.length === 32, 'root key')
}

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  const { arithmetic, random } = input
  demandKeygen(input.context)
  const clientNonce = random(32)
  const sid1 = sid1Of(input.context, undefined, clientNonce)
  const secret = wipeLater(scalarsFrom(arithmetic, random(64)))
  const share = present(arithmetic.points.multiplyBase(secret), 'degenerate share')
  const shareProof = prove(arithmetic, { purpose: 'share/C', session: sid1, point: share }, secret, random(64))
  const opened = { share, shareProof, chainCode: random(32), blind: random(32) }
  const { baseSecret, base, baseProof } = Setup.clientBase(input, sid1, wipeLater)
  const commitment = commitmentTo(sid1, opened)
  const request = firstRequest.encode({ sid1, nonce: clientNonce, commitment, base, baseProof })
  const state = { clientNonce, sid1, secret, ...opened, baseSecret, base, request1: sha256(request) }
  return { kind: 'request', state: withHead('keygen', 1, afterFirstRequest.encode(state)), request }
}

/** Response 1: X_S and its proof, the server's half of the chain code, A_2, B_1. */
const clientOpensShare = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  const { arithmetic } = input
  demandKeygen(input.context)
  const state = present(afterFirstRequest.decode(withoutHead('keygen', 1, input.state)), 'state')
  wipeLater(state.secret, state.baseSecret)
  const message = present(firstResponse.decode(input.response), 'length of response 1')
  const sid2 = Setup.clientSid2(state, message)
  demand(arithmetic.points.areValid(message.share), 'share is no point')
  verify(arithmetic, { purpose: 'share/S', session: sid2, point: message.share }, message.shareProof)
  const { share, shareProof, chainCode, blind } = state
  const known = {
    ...state,
    sid2,
    clientPublic: share,
    serverPublic: message.share,
    publicKey: present(arithmetic.points.add(share, message.share), 'halves cancel'),
    chainCode: chainCodeOf(chainCode, message.chainCode),
  }
  return Setup.clientTransfers(
    input,
    'keygen',
    known,
    message,
    (common) => secondRequest.encode({ share, shareProof, chainCode, blind, ...common }),
    wipeLater,
  )
}

/** Request 1. All draws of the server happen here, except for the nonce of its last proof. */
const serverBegins = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  const { arithmetic } = input
  demandKeygen(input.context)
  demandRequests(input, 1)
  const message = present(firstRequest.decode(input.request), 'length of request 1')
  const session = Setup.serverSession(input, undefined, message)
  const { draws, nonce, sid1, sid2 } = session
  const secret = wipeLater(draws.scalar('share'))
  const share = present(arithmetic.points.multiplyBase(secret), 'degenerate share')
  const statement = { purpose: 'share/S', session: sid2, point: share } as const
  const shareProof = prove(arithmetic, statement, secret, draws.bytes('share-proof', 64))
  const { chosen, ...transfers } = Setup.serverTransfers(input, session, message.base, wipeLater)
  const response = firstResponse.encode({
    nonce,
    sid2,
    share,
    shareProof,
    chainCode: draws.bytes('chain-code', 32),
    ...transfers,
  })
  const state = afterFirstResponse.encode({
    clientNonce: message.nonce,
    sid1,
    sid2,
    commitment: message.commitment,
    serverPublic: share,
    base: transfers.base,
    chosen,
    response1: sha256(response),
  })
  return { kind: 'answer', state: writeState(input, 'keygen', state), response }
}

/** Request 2: the client's opening, then the base OTs. */
const serverReadsShare = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  const { arithmetic } = input
  demandKeygen(input.context)
  demandRequests(input, 2)
  const state = present(afterFirstResponse.decode(readState(input, 'keygen')), 'state')
  const message = present(secondRequest.decode(input.request), 'length of request 2')
  Setup.demandSecondRequest(input, 'keygen', state, message)
  demand(equal(commitmentTo(state.sid1, message), state.commitment), 'commitment')
  demand(arithmetic.points.areValid(message.share), 'share is no point')
  verify(arithmetic, { purpose: 'share/C', session: state.sid1, point: message.share }, message.shareProof)
  const publicKey = present(arithmetic.points.add(message.share, state.serverPublic), 'halves cancel')
  const serverHalf = serverDraws(input, state.sid1).bytes('chain-code', 32)
  const key = {
    clientPublic: message.share,
    serverPublic: state.serverPublic,
    publicKey,
    chainCode: chainCodeOf(message.chainCode, serverHalf),
  }
  return Setup.serverChallenges(input, 'keygen', { ...state, ...key }, message, wipeLater)
}

export const keygen: Protocol = {
  start: abortable(start),
  client: [clientOpensShare, Setup.clientOpens('keygen'), Setup.clientConfirms('keygen')].map(stoppable),
  server: [serverBegins, serverReadsShare, Setup.serverOpens('keygen'), Setup.serverConfirms('keygen')].map(stoppable),
}
