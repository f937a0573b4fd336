/**
 * Refresh of ED25519 in one request and a confirming call: both shares move along a line through 0,
 * x_C' = x_C + ω and x_S' = x_S + 2·ω, so that the key, 2·x_C − x_S, stays.
 *
 *   request 1   proof of x_C, ephemeral E_C                        ──▶
 *        ◀──    response 1  ephemeral E_S; proof σ_S of x_S' over the transcript
 *   request 2   proof σ_C of x_C' over the transcript: the confirming call, sent when the share is stored  ──▶
 *
 * The refresh offset ω comes from the ephemeral keys. Both sides know it; reading the messages does not give it, with
 * or without an old share. The new public shares are computed on each side and never received.
 * domain/mpc/README.md#ed25519-refresh
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { expand } from '../../crypto/expand.ts'
import { hash } from '../../crypto/Transcript.ts'
import { codec } from '../Codec.ts'
import { demandRequests } from '../Inputs.ts'
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
import * as Records from '../ShareRecord.ts'
import { abortable, demand, present, stoppable, type WipeLater } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import {
  clientBegins,
  clientBytes,
  clientSession,
  demandContext,
  demandShareOfKey,
  openShare,
  sharedKey,
  sid1Of,
  sid2Of,
  tags,
} from './Frost.ts'
import { proofLength, prove, verify } from './schnorr.ts'

export const firstRequest = codec({ sid1: 32, nonce: 32, proof: proofLength, exchange: 32 })
export const firstResponse = codec({ nonce: 32, sid2: 32, exchange: 32, confirmation: proofLength })
export const confirmation = codec({ confirmation: proofLength })

const clientState = codec({ seed: 32, request: firstRequest.length })
const serverCandidate = codec({ sid1: 32, clientNonce: 32, transcript: 32, share: Records.lengthOf('ED25519') })

const start = (input: ClientInput, wipeLater: WipeLater): Extract<ClientAnswer, { kind: 'request' }> => {
  demandRefresh(input.context)
  const share = openShare(input, 'USER')
  const { seed, nonce, sid1 } = clientBegins(input, share, wipeLater)
  const draw = clientBytes(seed, sid1)
  const statement = { purpose: 'share/C', session: sid1, point: share.clientPublic } as const
  const { ed25519 } = input.arithmetic
  const proof = prove(ed25519, statement, share.secret, draw('proof', 64))
  const exchange = ed25519.exchange.publicKey(wipeLater(draw('exchange', 32)))
  const request = firstRequest.encode({ sid1, nonce, proof, exchange })
  return { kind: 'request', state: clientState.encode({ seed, request }), request }
}

const onResponse = (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
  demandRefresh(input.context)
  const taken = present(clientState.decode(input.state), 'state of another step')
  wipeLater(taken.seed)
  const share = openShare(input, 'USER')
  const sent = present(firstRequest.decode(taken.request), 'state of another step')
  const received = present(firstResponse.decode(input.response), 'length of response 1')
  const { sid1, sid2 } = clientSession(input.context, share, { ...sent, bytes: taken.request }, received)
  const exchange = { client: sent.exchange, server: received.exchange }
  const { ed25519 } = input.arithmetic
  const secret = wipeLater(clientBytes(taken.seed, sid1)('exchange', 32))
  const offset = offsetOf(ed25519, sid2, exchange, { secret, peer: received.exchange }, wipeLater)
  const next = moved(ed25519, input.context, share, offset, wipeLater)
  const transcript = transcriptOf(sid2, exchange, next)
  verify(ed25519, { purpose: 'conf/S', session: transcript, point: next.serverPublic }, received.confirmation)
  const statement = { purpose: 'conf/C', session: transcript, point: next.clientPublic } as const
  const nonce = clientBytes(taken.seed, transcript)('confirmation', 64)
  const request = confirmation.encode({ confirmation: prove(ed25519, statement, next.secret, nonce) })
  return { kind: 'confirm', request, result: { share: { ...next, secret: next.secret.slice() } } }
}

const answer = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandRefresh(input.context)
  demandRequests(input, 1)
  const { ed25519 } = input.arithmetic
  const share = openShare(input, 'PROVIDER')
  const received = present(firstRequest.decode(input.request), 'length of request 1')
  const sid1 = sid1Of(input.context, share, received.nonce)
  demand(equal(received.sid1, sid1), 'sid1')
  verify(ed25519, { purpose: 'share/C', session: sid1, point: share.clientPublic }, received.proof)
  const draw = (label: string, length: number) => seededBytes(input, sid1, label, length)
  const nonce = draw('nonce', 32)
  const sid2 = sid2Of(sid1, nonce, input.request)
  const secret = wipeLater(draw('exchange', 32))
  const exchange = { client: received.exchange, server: ed25519.exchange.publicKey(secret) }
  const offset = offsetOf(ed25519, sid2, exchange, { secret, peer: received.exchange }, wipeLater)
  const next = moved(ed25519, input.context, share, offset, wipeLater)
  const transcript = transcriptOf(sid2, exchange, next)
  const statement = { purpose: 'conf/S', session: transcript, point: next.serverPublic } as const
  const encoded = wipeLater(Records.encode(next))
  return {
    kind: 'answer',
    state: serverCandidate.encode({ sid1, clientNonce: received.nonce, transcript, share: encoded }),
    response: firstResponse.encode({
      nonce,
      sid2,
      exchange: exchange.server,
      confirmation: prove(ed25519, statement, next.secret, draw('confirmation', 64)),
    }),
  }
}

const answerConfirmation = (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
  demandRefresh(input.context)
  demandRequests(input, 2)
  const { ed25519 } = input.arithmetic
  const candidate = present(serverCandidate.decode(input.state), 'state of another step')
  wipeLater(candidate.share)
  const sid1 = sid1Of(input.context, openShare(input, 'PROVIDER'), candidate.clientNonce)
  demand(equal(sid1, candidate.sid1), 'context changed within the run')
  const share = present(Records.decode(candidate.share), 'state of another step')
  const received = present(confirmation.decode(input.request), 'length of request 2')
  const statement = { purpose: 'conf/C', session: candidate.transcript, point: share.clientPublic } as const
  verify(ed25519, statement, received.confirmation)
  return { kind: 'done', response: new Uint8Array(0), result: { share } }
}

export const refresh: Protocol = {
  start: abortable(start),
  client: [stoppable(onResponse)],
  server: [stoppable(answer), stoppable(answerConfirmation)],
}

const demandRefresh = (context: Context): void => {
  demandContext(context, 'refresh')
  demand(context.shareId.length === 32 && context.payload === undefined, 'refresh needs a share')
  demand(context.rootPublicKey.length === 0 || context.rootPublicKey.length === 32, 'root key')
}

type Exchange = { readonly client: Uint8Array; readonly server: Uint8Array }

/** ω = H_scalar("delta", sid2, E_C, E_S, X25519(e, E)); 0 would change nothing and is refused. */
const offsetOf = (
  arithmetic: Arithmetic,
  sid2: Uint8Array,
  exchange: Exchange,
  own: { readonly secret: Uint8Array; readonly peer: Uint8Array },
  wipeLater: WipeLater,
): Uint8Array => {
  demand(!equal(exchange.client, exchange.server), 'ephemeral key given back')
  const shared = wipeLater(sharedKey(arithmetic, own.secret, own.peer))
  const wide = wipeLater(expand(tags.offset, [sid2, exchange.client, exchange.server, shared], 64))
  return wipeLater(arithmetic.scalars.reduce(wide))
}

/** The party's share of the next epoch. The step wipes its secret, so copy it into what the step returns. */
const moved = (
  arithmetic: Arithmetic,
  context: Context,
  share: Records.ShareRecord,
  offset: Uint8Array,
  wipeLater: WipeLater,
): Records.ShareRecord => {
  const { points, scalars } = arithmetic
  const twice = wipeLater(scalars.add(offset, offset))
  const steps = present(points.multiplyBase(wipeLater(concatBytes(offset, twice))), 'degenerate offset')
  const sums = points.add(concatBytes(share.clientPublic, share.serverPublic), steps)
  const clientPublic = present(sums, 'degenerate offset').slice(0, 32)
  const serverPublic = present(sums, 'degenerate offset').slice(32)
  const next: Records.ShareRecord = {
    ...share,
    epoch: context.epoch + 1,
    shareId: shareIdOf(context.attempt, clientPublic, serverPublic, share.publicKey),
    secret: wipeLater(scalars.add(share.secret, share.role === 'USER' ? offset : twice)),
    clientPublic,
    serverPublic,
    rootPublicKey: context.rootPublicKey,
  }
  demandShareOfKey(arithmetic, next)
  return next
}

const transcriptOf = (sid2: Uint8Array, exchange: Exchange, next: Records.ShareRecord): Uint8Array =>
  hash(tags.confirmation, [
    sid2,
    exchange.client,
    exchange.server,
    next.shareId,
    next.clientPublic,
    next.serverPublic,
    next.publicKey,
  ])
