/**
 * What keygen, attach and refresh have in common: the base OTs of both directions, and the confirmation.
 *
 *   request 1   A_1, proof                         ──▶
 *                                                  ◀──  response 1  A_2, proof, B_1
 *   request 2   B_2, ch_1                          ──▶
 *                                                  ◀──  response 2  rsp_1, ch_2
 *   request 3   openings_1, rsp_2                  ──▶
 *                                                  ◀──  response 3  openings_2, σ_S
 *   request 4   σ_C, after everything is stored    ──▶   the provider's records take effect
 *
 * T = H("conf", sid2, H(request 1), H(response 1), H(request 2), H(response 2), H(request 3), openings_2), and σ is a
 * proof of the share under T. A run that does not reach request 4 is discarded whole.
 * domain/mpc/README.md#base-ot, domain/mpc/README.md#confirmation
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { hash } from '../../crypto/Transcript.ts'
import { codec, type Message, type Shape } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import { wipe } from '../../crypto/wipe.ts'
import { demandRequests } from '../Inputs.ts'
import {
  seededBytes,
  shareIdOf,
  type ClientAnswer,
  type ClientInput,
  type Context,
  type ResponseInput,
  type Result,
  type ServerAnswer,
  type ServerInput,
} from '../Protocol.ts'
import * as ShareRecord from '../ShareRecord.ts'
import { demand, present, type WipeLater } from '../Stop.ts'
import * as OtRecord from './OtRecord.ts'
import { deltaLength, kappa, keysLength, pointLength, scalarLength, tags } from './Parameters.ts'
import { proofLength, prove, verify } from './schnorr.ts'
import {
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
import * as Vsot from './vsot.ts'

export type SetupKind = 'keygen' | 'attach' | 'refresh'

/** The session, kept so that a later step under another context is noticed. */
const session = { clientNonce: 32, sid1: 32, sid2: 32 } as const

/** The messages, and the states after the first two. `own` are the additional fields of a kind. */
export const firstRequestWith = <const Own extends Shape>(own: Own) =>
  codec({ sid1: 32, nonce: 32, ...own, base: pointLength, baseProof: proofLength })
export const afterFirstRequestWith = <const Own extends Shape>(own: Own) =>
  codec({ clientNonce: 32, sid1: 32, ...own, baseSecret: scalarLength, base: pointLength, request1: 32 })
export const firstResponseWith = <const Own extends Shape>(own: Own) =>
  codec({ nonce: 32, sid2: 32, ...own, base: pointLength, baseProof: proofLength, points: Vsot.pointsLength })
export const afterFirstResponseWith = <const Own extends Shape>(own: Own) =>
  codec({ ...session, ...own, base: pointLength, chosen: keysLength, response1: 32 })
export const secondRequestWith = <const Own extends Shape>(own: Own) =>
  codec({ sid3: 32, ...own, points: Vsot.pointsLength, challenge: keysLength })
export const secondResponse = codec({ response: keysLength, challenge: keysLength })
export const thirdRequest = codec({ openings: Vsot.openingsLength, response: keysLength })
export const thirdResponse = codec({ openings: Vsot.openingsLength, proof: proofLength })
export const confirmation = codec({ proof: proofLength })

/** The public parts of the key, which both sides know once request 2 is read. */
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

/** The new share of a keygen or refresh, or the share that an attach belongs to. */
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
        rootPublicKey: context.rootPublicKey,
      }

/** The OT record of the run. */
const recordOf = (
  share: ShareRecord.ShareRecord,
  transcript: Uint8Array,
  made: Message<typeof keys> & { readonly delta: Uint8Array },
): ReturnType<typeof OtRecord.make> => {
  const { role, walletId, epoch, shareId } = share
  const [chosenSeeds, zeroSeeds, oneSeeds] = [Vsot.seeds(made.chosen), Vsot.seeds(made.zero), Vsot.seeds(made.one)]
  const { delta } = made
  const record = OtRecord.make({ role, walletId, epoch, shareId, transcript, delta, chosenSeeds, zeroSeeds, oneSeeds })
  wipe(chosenSeeds, zeroSeeds, oneSeeds)
  return record
}

/** Uniform bytes for the blinds of one direction. */
const blindsLength = kappa * 2 * scalarLength

/** B_i and the keys of the choices. The blinds, made of the bytes `wide`, are used once and overwritten. */
const choose = (
  transfers: Vsot.Transfers,
  { base, delta, wide }: { readonly base: Uint8Array; readonly delta: Uint8Array; readonly wide: Uint8Array },
) => {
  const blinds = scalarsFrom(transfers.arithmetic, wide)
  const chosen = Vsot.choose(transfers, { base, blinds, delta })
  wipe(blinds)
  return chosen
}

/** For attach and refresh: the client's share, a nonce, sid1, and the proof of the share under sid1. */
export const clientProvesShare = (input: ClientInput) => {
  const { arithmetic, random } = input
  const share = openShare(input, 'USER')
  const clientNonce = random(32)
  const sid1 = sid1Of(input.context, share, clientNonce)
  const statement = { purpose: 'share/C', session: sid1, point: share.clientPublic } as const
  return { share, clientNonce, sid1, shareProof: prove(arithmetic, statement, share.secret, random(64)) }
}

/** A_1 with its proof, under sid1. */
export const clientBase = ({ arithmetic, random }: ClientInput, sid1: Uint8Array, wipeLater: WipeLater) => {
  const baseSecret = wipeLater(scalarsFrom(arithmetic, random(64)))
  const base = present(arithmetic.points.multiplyBase(baseSecret), 'degenerate base')
  const baseProof = prove(arithmetic, { purpose: 'base/C', session: sid1, point: base }, baseSecret, random(64))
  return { baseSecret, base, baseProof }
}

/** sid2 from the server's nonce; aborts unless the server sent the same. */
export const clientSid2 = (
  state: { readonly sid1: Uint8Array; readonly request1: Uint8Array },
  message: { readonly nonce: Uint8Array; readonly sid2: Uint8Array },
): Uint8Array => {
  const sid2 = sid2Of(state.sid1, message.nonce, state.request1)
  demand(equal(sid2, message.sid2), 'sid2')
  return sid2
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

/**
 * Response 1, after the kind has checked its own fields: checks A_2 and B_1, makes B_2 and ch_1. `encode` writes
 * request 2.
 */
export const clientTransfers = (
  input: ResponseInput,
  kind: SetupKind,
  state: Message<typeof session & typeof key> & {
    readonly secret: Uint8Array
    readonly baseSecret: Uint8Array
    readonly base: Uint8Array
    readonly request1: Uint8Array
  },
  message: { readonly base: Uint8Array; readonly baseProof: Uint8Array; readonly points: Uint8Array },
  encode: (common: {
    readonly sid3: Uint8Array
    readonly points: Uint8Array
    readonly challenge: Uint8Array
  }) => Uint8Array,
  wipeLater: WipeLater,
): ClientAnswer => {
  const { arithmetic, random } = input
  const { sid2 } = state
  demand(arithmetic.points.areValid(message.base) && !equal(message.base, state.base), 'base')
  verify(arithmetic, { purpose: 'base/S', session: sid2, point: message.base }, message.baseProof)
  const own = { secret: state.baseSecret, base: state.base }
  const sent = Vsot.keysOf({ arithmetic, session: sid2, direction: 1 }, { ...own, points: message.points })
  wipeLater(sent.zero, sent.one)
  const delta = wipeLater(random(deltaLength))
  const choice = { base: message.base, delta, wide: random(blindsLength) }
  const { points, keys: chosen } = choose({ arithmetic, session: sid2, direction: 2 }, choice)
  wipeLater(chosen)
  const response1 = sha256(input.response)
  const request = encode({ sid3: sid3Of(sid2, response1), points, challenge: Vsot.challenge(sent.zero, sent.one) })
  const next = { ...state, ...sent, chosen, delta, response1, request2: sha256(request) }
  return { kind: 'request', state: withHead(kind, 2, afterSecondRequest.encode(next)), request }
}

/** Response 2: checks rsp_1, then opens direction 1 and answers ch_2. */
export const clientOpens =
  (kind: SetupKind) =>
  (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
    const state = present(afterSecondRequest.decode(withoutHead(kind, 2, input.state)), 'state')
    wipeLater(state.secret, state.delta, state.chosen, state.zero, state.one)
    demandSession(input, kind, state)
    const message = present(secondResponse.decode(input.response), 'length of response 2')
    const request = thirdRequest.encode({
      openings: Vsot.openings(state.zero, state.one, message.response),
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

/** Response 3: checks all openings and σ_S. The caller stores the result durably before it sends σ_C. */
export const clientConfirms =
  (kind: SetupKind) =>
  (input: ResponseInput, wipeLater: WipeLater): ClientAnswer => {
    const { arithmetic } = input
    const state = present(afterThirdRequest.decode(withoutHead(kind, 3, input.state)), 'state')
    wipeLater(state.secret, state.delta, state.chosen, state.zero, state.one)
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
    const result: Result = kind === 'attach' ? made : { share: { ...share, secret: share.secret.slice() }, ...made }
    return { kind: 'confirm', request: confirmation.encode({ proof }), result }
  }

/** Request 1: sid1 from the server's own records, the proof of A_1, and the nonce that makes sid2. */
export const serverSession = (
  input: ServerInput,
  share: ShareRecord.ShareRecord | undefined,
  message: {
    readonly sid1: Uint8Array
    readonly nonce: Uint8Array
    readonly base: Uint8Array
    readonly baseProof: Uint8Array
  },
) => {
  const { arithmetic } = input
  const sid1 = sid1Of(input.context, share, message.nonce)
  demand(equal(sid1, message.sid1), 'sid1')
  demand(arithmetic.points.areValid(message.base), 'base is no point')
  verify(arithmetic, { purpose: 'base/C', session: sid1, point: message.base }, message.baseProof)
  const draws = serverDraws(input, sid1)
  const nonce = draws.bytes('nonce', 32)
  const sid2 = sid2Of(sid1, nonce, present(input.requestHashes[0], 'request hash'))
  return { draws, nonce, sid1, sid2 }
}

type ServerSession = ReturnType<typeof serverSession>

/** For attach and refresh: checks the client's proof of its share, and proves the server's share under sid2. */
export const serverProvesShare = (
  { arithmetic }: ServerInput,
  { draws, sid1, sid2 }: ServerSession,
  share: ShareRecord.ShareRecord,
  clientProof: Uint8Array,
): Uint8Array => {
  verify(arithmetic, { purpose: 'share/C', session: sid1, point: share.clientPublic }, clientProof)
  const statement = { purpose: 'share/S', session: sid2, point: share.serverPublic } as const
  return prove(arithmetic, statement, share.secret, draws.bytes('share-proof', 64))
}

/** A_2 with its proof and B_1, under sid2. */
export const serverTransfers = (
  { arithmetic }: ServerInput,
  { draws, sid2 }: ServerSession,
  clientBasePoint: Uint8Array,
  wipeLater: WipeLater,
) => {
  const baseSecret = wipeLater(draws.scalar('base'))
  const base = present(arithmetic.points.multiplyBase(baseSecret), 'degenerate base')
  const statement = { purpose: 'base/S', session: sid2, point: base } as const
  const baseProof = prove(arithmetic, statement, baseSecret, draws.bytes('base-proof', 64))
  const delta = wipeLater(draws.bytes('delta', deltaLength))
  const choice = { base: clientBasePoint, delta, wide: draws.bytes('blinds', blindsLength) }
  const { points, keys: chosen } = choose({ arithmetic, session: sid2, direction: 1 }, choice)
  wipeLater(chosen)
  return { base, baseProof, points, chosen }
}

/** Aborts unless request 2 continues from step 1's state, under the same context, and answers response 1. */
export const demandSecondRequest = (
  owner: Owner,
  kind: SetupKind,
  state: Message<typeof session> & { readonly response1: Uint8Array },
  message: { readonly sid3: Uint8Array },
): void => {
  demandSession(owner, kind, state)
  demand(equal(sid3Of(state.sid2, state.response1), message.sid3), 'sid3')
}

const afterSecondResponse = codec({
  ...session,
  ...key,
  ...keys,
  challenge: keysLength,
  response1: 32,
  response2: 32,
})

/** The additional state of a refresh: the new scalar, which cannot be drawn again. */
const refreshed = codec({ ...afterSecondResponse.shape, secret: scalarLength })

/** Request 2, after the kind has checked its own fields: answers ch_1 and challenges direction 2. */
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
  wipeLater: WipeLater,
): ServerAnswer => {
  const { arithmetic } = input
  wipeLater(state.chosen)
  const draws = serverDraws(input, state.sid1)
  const secret = wipeLater(draws.scalar('base'))
  const delta = wipeLater(draws.bytes('delta', deltaLength))
  const transfers = { arithmetic, session: state.sid2, direction: 2 } as const
  const { zero, one } = Vsot.keysOf(transfers, { secret, base: state.base, points: message.points })
  wipeLater(zero, one)
  const response = secondResponse.encode({
    response: Vsot.respond(state.chosen, delta, message.challenge),
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

/** The state and the run's scalar: keygen drew it, refresh computed it, and attach copies it from the share. */
const readAfterSecondResponse = (
  input: ServerInput,
  kind: SetupKind,
): Message<typeof afterSecondResponse.shape> & { readonly secret: Uint8Array } => {
  const bytes = readState(input, kind)
  if (kind === 'refresh') return present(refreshed.decode(bytes), 'state')
  const state = present(afterSecondResponse.decode(bytes), 'state')
  const secret =
    kind === 'keygen' ? serverDraws(input, state.sid1).scalar('share') : present(input.share, 'no share').secret.slice()
  return { ...state, secret }
}

/** Request 3: checks openings_1 and rsp_2, opens direction 2 and proves its share over all of the run. */
export const serverOpens =
  (kind: SetupKind) =>
  (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
    demandRequests(input, 3)
    const { arithmetic, requestHashes } = input
    const { secret, ...state } = readAfterSecondResponse(input, kind)
    wipeLater(secret, state.chosen, state.zero, state.one)
    demandSession(input, kind, state)
    const message = present(thirdRequest.decode(input.request), 'length of request 3')
    const draws = serverDraws(input, state.sid1)
    const delta = wipeLater(draws.bytes('delta', deltaLength))
    const openings = Vsot.openings(state.zero, state.one, message.response)
    Vsot.demandOpenings({ keys: state.chosen, delta, challenged: state.challenge }, message.openings)
    const [request1, request2, request3] = requestHashes
    const hashes = {
      requests: [present(request1, 'hash'), present(request2, 'hash'), present(request3, 'hash')],
      responses: [state.response1, state.response2],
    } as const
    const transcript = transcriptOf(state.sid2, hashes, openings)
    const statement = { purpose: 'conf/S', session: transcript, point: state.serverPublic } as const
    const proof = prove(arithmetic, statement, secret, seededBytes(input, state.sid1, 'conf-proof', 64))
    const share = shareOf(input, kind, 'PROVIDER', { ...state, secret })
    const made = recordOf(share, transcript, { ...state, delta })
    const encoded = wipeLater(ShareRecord.encode(share), made.ot)
    const candidate = afterThirdResponse.encode({ ...state, ...made, share: encoded, transcript })
    const response = thirdResponse.encode({ openings, proof })
    return { kind: 'answer', state: writeState(input, kind, candidate), response }
  }

/** Request 4, the confirmation: the candidate becomes the result. The answer has no body. */
export const serverConfirms =
  (kind: SetupKind) =>
  (input: ServerInput, wipeLater: WipeLater): ServerAnswer => {
    demandRequests(input, 4)
    const state = present(afterThirdResponse.decode(readState(input, kind)), 'state')
    wipeLater(state.ot, state.share)
    demandSession(input, kind, state)
    const message = present(confirmation.decode(input.request), 'length of request 4')
    const statement = { purpose: 'conf/C', session: state.transcript, point: state.clientPublic } as const
    verify(input.arithmetic, statement, message.proof)
    const made = { ot: state.ot.slice(), otId: state.otId }
    const result: Result =
      kind === 'attach' ? made : { share: present(ShareRecord.decode(state.share), 'state'), ...made }
    return { kind: 'done', response: new Uint8Array(0), result }
  }
