/**
 * What keygen, attach and refresh have in common: the base OTs of both directions, and the confirmation.
 *
 *   request 1   A_1, proof                         ──▶
 *                                                  ◀──  response 1  A_2, proof, B_1
 *   request 2   B_2, ch_1                          ──▶
 *                                                  ◀──  response 2  rsp_1, ch_2
 *   request 3   openings_1, rsp_2                  ──▶
 *                                                  ◀──  response 3  openings_2, σ_S
 *   request 4   σ_C, after everything is stored    ──▶   the provider's records become real
 *
 * T = H("conf", sid2, H(request 1), H(response 1), H(request 2), H(response 2), H(request 3), openings_2), and σ is a
 * proof of the share under T (mpc-review 4). A run that does not reach request 4 is thrown away whole.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hash } from '../../crypto/Transcript.ts'
import { codec, type Message } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import {
  seededBytes,
  shareIdOf,
  type ClientAnswer,
  type ClientInput,
  type Context,
  type Result,
  type ServerAnswer,
  type ServerInput,
} from '../Protocol.ts'
import * as ShareRecord from '../ShareRecord.ts'
import { demand, present } from '../Stop.ts'
import * as OtRecord from './OtRecord.ts'
import { deltaLength, kappa, keysLength, pointLength, scalarLength, tags } from './Parameters.ts'
import { proofLength, prove, verify } from './schnorr.ts'
import { demandRequests, firstStep, readState, sid1Of, withHead, withoutHead, writeState } from './Session.ts'
import * as Vsot from './vsot.ts'

export type SetupKind = 'keygen' | 'attach' | 'refresh'

/** The messages that are the same for all kinds. */
export const secondResponse = codec({ response: keysLength, challenge: keysLength })
export const thirdRequest = codec({ openings: Vsot.openingsLength, response: keysLength })
export const thirdResponse = codec({ openings: Vsot.openingsLength, proof: proofLength })
export const confirmation = codec({ proof: proofLength })

/** The session, kept so that a later step under another context is noticed. */
const session = { clientNonce: 32, sid1: 32, sid2: 32 } as const
/** What both sides know of the key once request 2 is read. */
const key = { clientPublic: pointLength, serverPublic: pointLength, publicKey: pointLength, chainCode: 32 } as const
/** A party's keys as receiver of one direction and as sender of the other. */
const keys = { chosen: keysLength, zero: keysLength, one: keysLength } as const

type Owner = { readonly context: Context; readonly share?: ShareRecord.ShareRecord }

const demandSession = ({ context, share }: Owner, kind: SetupKind, state: Message<typeof session>): void => {
  const sid1 = sid1Of(context, kind === 'keygen' ? undefined : share, state.clientNonce)
  demand(equal(sid1, state.sid1), 'context changed within the run')
}

/** T. `messages` are the hashes of requests 1, 2 and 3 and of responses 1 and 2. */
const transcriptOf = (
  sid2: Uint8Array,
  messages: {
    readonly requests: readonly [Uint8Array, Uint8Array, Uint8Array]
    readonly responses: readonly [Uint8Array, Uint8Array]
  },
  openings: Uint8Array,
): Uint8Array => {
  const [request1, request2, request3] = messages.requests
  const [response1, response2] = messages.responses
  return hash(tags.confirmation, [sid2, request1, response1, request2, response2, request3, openings])
}

/** The new share of a keygen or of the epoch that a refresh begins, or the share that an attach belongs to. */
const shareOf = (
  { context, share }: Owner,
  kind: SetupKind,
  role: ShareRecord.Role,
  known: Message<typeof key> & { readonly secret: Uint8Array },
): ShareRecord.ShareRecord =>
  kind === 'attach'
    ? present(share, 'no share')
    : {
        scheme: 'DKLS',
        role,
        walletId: context.walletId,
        epoch: kind === 'refresh' ? context.epoch + 1 : context.epoch,
        shareId: shareIdOf(context.attempt, known.clientPublic, known.serverPublic, known.publicKey),
        secret: known.secret,
        clientPublic: known.clientPublic,
        serverPublic: known.serverPublic,
        publicKey: known.publicKey,
        chainCode: known.chainCode,
        rootPublicKey: kind === 'refresh' ? present(share, 'no share').rootPublicKey : context.rootPublicKey,
      }

const recordOf = (
  share: ShareRecord.ShareRecord,
  transcript: Uint8Array,
  made: Message<typeof keys> & { readonly delta: Uint8Array },
): ReturnType<typeof OtRecord.make> =>
  OtRecord.make({
    role: share.role,
    walletId: share.walletId,
    epoch: share.epoch,
    shareId: share.shareId,
    transcript,
    delta: made.delta,
    chosenSeeds: Vsot.seeds(made.chosen),
    zeroSeeds: Vsot.seeds(made.zero),
    oneSeeds: Vsot.seeds(made.one),
  })

export type ResponseInput = ClientInput & { readonly state: Uint8Array; readonly response: Uint8Array }

/** A_1 with its proof, under sid1. */
export const clientBase = ({ arithmetic, random }: ClientInput, sid1: Uint8Array) => {
  const baseSecret = arithmetic.scalars.reduce(random(64))
  const base = present(arithmetic.points.multiplyBase(baseSecret), 'degenerate base')
  const baseProof = prove(arithmetic, { purpose: 'base/C', session: sid1, point: base }, baseSecret, random(64))
  return { baseSecret, base, baseProof }
}

/** Response 1: checks A_2 and B_1, makes B_2 and ch_1. */
export const clientTransfers = (
  { arithmetic, random }: ClientInput,
  sid2: Uint8Array,
  own: { readonly secret: Uint8Array; readonly base: Uint8Array },
  peer: { readonly base: Uint8Array; readonly baseProof: Uint8Array; readonly points: Uint8Array },
) => {
  demand(arithmetic.points.areValid(peer.base) && !equal(peer.base, own.base), 'base')
  verify(arithmetic, { purpose: 'base/S', session: sid2, point: peer.base }, peer.baseProof)
  const { zero, one } = Vsot.keysOf({ arithmetic, session: sid2, direction: 1 }, { ...own, points: peer.points })
  const delta = random(deltaLength)
  const blinds = arithmetic.scalars.reduce(random(kappa * 64))
  const choice = { base: peer.base, blinds, delta }
  const { points, keys: chosen } = Vsot.choose({ arithmetic, session: sid2, direction: 2 }, choice)
  return { points, challenge: Vsot.challenge(zero, one), delta, chosen, zero, one }
}

const afterSecondRequest = codec({
  ...session,
  ...key,
  ...keys,
  secret: scalarLength,
  delta: deltaLength,
  request1: 32,
  response1: 32,
  request2: 32,
})

const afterThirdRequest = codec({
  ...afterSecondRequest.shape,
  response2: 32,
  request3: 32,
  challenge: keysLength,
})

export const clientStateAfterSecond = (kind: SetupKind, state: Message<typeof afterSecondRequest.shape>): Uint8Array =>
  withHead(kind, 2, afterSecondRequest.encode(state))

/** Response 2: checks rsp_1, then opens direction 1 and answers ch_2. */
export const clientOpens =
  (kind: SetupKind) =>
  (input: ResponseInput): ClientAnswer => {
    const state = present(afterSecondRequest.decode(withoutHead(kind, 2, input.state)), 'state')
    demandSession(input, kind, state)
    const message = present(secondResponse.decode(input.response), 'length of response 2')
    Vsot.demandResponse(state.zero, message.response)
    const request = thirdRequest.encode({
      openings: Vsot.openings(state.zero, state.one),
      response: Vsot.respond(state.chosen, state.delta, message.challenge),
    })
    const next = {
      ...state,
      response2: sha256(input.response),
      request3: sha256(request),
      challenge: message.challenge,
    }
    return { kind: 'request', state: withHead(kind, 3, afterThirdRequest.encode(next)), request }
  }

/** Response 3: checks all openings and σ_S. The result has to rest durably before σ_C is sent. */
export const clientConfirms =
  (kind: SetupKind) =>
  (input: ResponseInput): ClientAnswer => {
    const { arithmetic } = input
    const state = present(afterThirdRequest.decode(withoutHead(kind, 3, input.state)), 'state')
    demandSession(input, kind, state)
    const message = present(thirdResponse.decode(input.response), 'length of response 3')
    Vsot.demandOpenings({ keys: state.chosen, delta: state.delta, challenged: state.challenge }, message.openings)
    const hashes = {
      requests: [state.request1, state.request2, state.request3],
      responses: [state.response1, state.response2],
    } as const
    const transcript = transcriptOf(state.sid2, hashes, message.openings)
    verify(arithmetic, { purpose: 'conf/S', session: transcript, point: state.serverPublic }, message.proof)
    const statement = { purpose: 'conf/C', session: transcript, point: state.clientPublic } as const
    const proof = prove(arithmetic, statement, state.secret, input.random(64))
    const share = shareOf(input, kind, 'USER', state)
    const made = recordOf(share, transcript, state)
    const result: Result = kind === 'attach' ? made : { share, ...made }
    return { kind: 'confirm', request: confirmation.encode({ proof }), result }
  }

/** What the first step drew, again in any step: all of it comes from the seed and request 1 (mpc-review 1). */
export const serverDraws = (input: ServerInput, sid1: Uint8Array) => {
  const first = firstStep(input)
  const bytes = (label: string, length: number) => seededBytes(first, sid1, label, length)
  const scalar = (label: string) => input.arithmetic.scalars.reduce(bytes(label, 64))
  return { bytes, scalar }
}

/** A_2 with its proof and B_1, under sid2. */
export const serverTransfers = (
  input: ServerInput,
  sid1: Uint8Array,
  sid2: Uint8Array,
  clientBasePoint: Uint8Array,
) => {
  const { arithmetic } = input
  const draws = serverDraws(input, sid1)
  const baseSecret = draws.scalar('base')
  const base = present(arithmetic.points.multiplyBase(baseSecret), 'degenerate base')
  const statement = { purpose: 'base/S', session: sid2, point: base } as const
  const baseProof = prove(arithmetic, statement, baseSecret, draws.bytes('base-proof', 64))
  const delta = draws.bytes('delta', deltaLength)
  const blinds = arithmetic.scalars.reduce(draws.bytes('blinds', kappa * 64))
  const choice = { base: clientBasePoint, blinds, delta }
  const { points, keys: chosen } = Vsot.choose({ arithmetic, session: sid2, direction: 1 }, choice)
  return { base, baseProof, points, chosen }
}

const afterSecondResponse = codec({
  ...session,
  ...key,
  ...keys,
  challenge: keysLength,
  response1: 32,
  response2: 32,
})

/** What a refresh keeps besides: the new scalar, which no draw gives again. */
const refreshed = codec({ ...afterSecondResponse.shape, secret: scalarLength })

/** Request 2, once the kind has checked what is its own in it: answers ch_1 and challenges direction 2. */
export const serverChallenges = (
  input: ServerInput,
  kind: SetupKind,
  state: Message<typeof session & typeof key> & {
    readonly base: Uint8Array
    readonly chosen: Uint8Array
    readonly response1: Uint8Array
    readonly secret?: Uint8Array
  },
  message: { readonly points: Uint8Array; readonly challenge: Uint8Array },
): ServerAnswer => {
  const { arithmetic } = input
  const draws = serverDraws(input, state.sid1)
  const { zero, one } = Vsot.keysOf(
    { arithmetic, session: state.sid2, direction: 2 },
    { secret: draws.scalar('base'), base: state.base, points: message.points },
  )
  const response = secondResponse.encode({
    response: Vsot.respond(state.chosen, draws.bytes('delta', deltaLength), message.challenge),
    challenge: Vsot.challenge(zero, one),
  })
  const next = { ...state, zero, one, challenge: message.challenge, response2: sha256(response) }
  const kept =
    kind === 'refresh'
      ? refreshed.encode({ ...next, secret: present(state.secret, 'state') })
      : afterSecondResponse.encode(next)
  return { kind: 'answer', state: writeState(input, kind, kept), response }
}

/** The provider's candidate: its share, which an attach does not change, and its OT record. */
const afterThirdResponse = codec({
  ...session,
  transcript: 32,
  clientPublic: pointLength,
  otId: 32,
  ot: OtRecord.otRecordLength,
  share: ShareRecord.lengthOf('DKLS'),
})

/** The state with the scalar that the run is about: drawn by keygen, made by refresh, and attach's is there already. */
const readAfterSecondResponse = (
  input: ServerInput,
  kind: SetupKind,
): Message<typeof afterSecondResponse.shape> & { readonly secret: Uint8Array } => {
  const bytes = readState(input, kind)
  if (kind === 'refresh') return present(refreshed.decode(bytes), 'state')
  const state = present(afterSecondResponse.decode(bytes), 'state')
  const secret =
    kind === 'keygen' ? serverDraws(input, state.sid1).scalar('share') : present(input.share, 'no share').secret
  return { ...state, secret }
}

/** Request 3: checks openings_1 and rsp_2, opens direction 2 and proves its share over all of the run. */
export const serverOpens =
  (kind: SetupKind) =>
  (input: ServerInput): ServerAnswer => {
    demandRequests(input, 3)
    const { arithmetic, requestHashes } = input
    const { secret, ...state } = readAfterSecondResponse(input, kind)
    demandSession(input, kind, state)
    const message = present(thirdRequest.decode(input.request), 'length of request 3')
    const draws = serverDraws(input, state.sid1)
    const delta = draws.bytes('delta', deltaLength)
    Vsot.demandResponse(state.zero, message.response)
    Vsot.demandOpenings({ keys: state.chosen, delta, challenged: state.challenge }, message.openings)
    const openings = Vsot.openings(state.zero, state.one)
    const [request1, request2, request3] = requestHashes
    const hashes = {
      requests: [present(request1, 'hash'), present(request2, 'hash'), present(request3, 'hash')],
      responses: [state.response1, state.response2],
    } as const
    const transcript = transcriptOf(state.sid2, hashes, openings)
    const statement = { purpose: 'conf/S', session: transcript, point: state.serverPublic } as const
    const proof = prove(arithmetic, statement, secret, seededBytes(input, state.sid1, 'conf-proof', 64))
    const share = shareOf(input, kind, 'PROVIDER', { ...state, secret })
    const candidate = afterThirdResponse.encode({
      ...state,
      ...recordOf(share, transcript, { ...state, delta }),
      share: ShareRecord.encode(share),
      transcript,
    })
    const response = thirdResponse.encode({ openings, proof })
    return { kind: 'answer', state: writeState(input, kind, candidate), response }
  }

/** Request 4, the confirmation: the candidate becomes the result. The answer has no body. */
export const serverConfirms =
  (kind: SetupKind) =>
  (input: ServerInput): ServerAnswer => {
    demandRequests(input, 4)
    const state = present(afterThirdResponse.decode(readState(input, kind)), 'state')
    demandSession(input, kind, state)
    const message = present(confirmation.decode(input.request), 'length of request 4')
    const statement = { purpose: 'conf/C', session: state.transcript, point: state.clientPublic } as const
    verify(input.arithmetic, statement, message.proof)
    const made = { ot: state.ot, otId: state.otId }
    const share = present(ShareRecord.decode(state.share), 'state')
    const result: Result = kind === 'attach' ? made : { share, ...made }
    return { kind: 'done', response: new Uint8Array(0), result }
  }
