/**
 * Signing with ED25519 in one request: FROST of RFC 9591 with the client as first mover and aggregator (mpc D.2;
 * mpc-review 1, 6, 7, 17).
 *
 *   request     commitments D_C, E_C             ──▶
 *        ◀──    response  commitments D_S, E_S, signature share z_S
 *
 * The co-signer's nonces (d, e) exist only while it answers: they come from the run's seed and everything that the
 * signature depends on, so that a fork with another message or other commitments has other nonces. The client's serve
 * one response, which `ClientRun` sees to. z_C never leaves the client, and a signature leaves it only when it
 * verifies strictly by RFC 8032.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equal } from '../../crypto/Equal.ts'
import { codec } from '../Codec.ts'
import {
  seededBytes,
  type ClientAnswer,
  type ClientInput,
  type Context,
  type Protocol,
  type ServerAnswer,
  type ServerInput,
} from '../Protocol.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import { abortable, demand, present, stoppable } from '../Stop.ts'
import {
  clientBytes,
  clientId,
  clientSeed,
  demandContext,
  demandRequests,
  drawing,
  F,
  Fn,
  openShare,
  orAbort,
  Point,
  readPoint,
  reduce,
  serverId,
  sid1Of,
  sid2Of,
  signers,
} from './Frost.ts'

export const request = codec({ sid1: 32, nonce: 32, hiding: 32, binding: 32 })
export const response = codec({ nonce: 32, sid2: 32, hiding: 32, binding: 32, share: 32 })

const clientState = codec({ seed: 32, request: request.length })

const start = (input: ClientInput): Extract<ClientAnswer, { kind: 'request' }> => {
  demandSign(input.context)
  const share = openShare(input, 'USER')
  const seed = clientSeed(input.random)
  const nonce = input.random(32)
  demand(nonce.length === 32, 'random bytes')
  const sid1 = sid1Of(input.context, share, nonce)
  const { commitments } = commit(clientId, share, clientBytes(seed, sid1))
  const { hiding, binding } = commitments
  const sent = request.encode({ sid1, nonce, hiding, binding })
  return { kind: 'request', state: clientState.encode({ seed, request: sent }), request: sent }
}

const onResponse = (input: ClientInput & { state: Uint8Array; response: Uint8Array }): ClientAnswer => {
  const taken = present(clientState.decode(input.state), 'state of another step')
  const message = demandSign(input.context)
  const share = openShare(input, 'USER')
  const received = present(response.decode(input.response), 'length of the response')
  const sent = present(request.decode(taken.request), 'state of another step')
  const sid1 = sid1Of(input.context, share, sent.nonce)
  demand(equal(sent.sid1, sid1), 'state of another run')
  demand(equal(received.sid2, sid2Of(sid1, received.nonce, taken.request)), 'sid2')
  const own = commit(clientId, share, clientBytes(taken.seed, sid1))
  const list = commitmentList(sent, received)
  const group = groupOf(share)
  const signature = orAbort('signature share of S', () => {
    const ownShare = F.signShare(secretOf(clientId, share.secret), group, own.nonces, [...list], message)
    return F.aggregate(group, [...list], message, { [clientId]: ownShare, [serverId]: received.share })
  })
  const isValid = orAbort('signature', () => ed25519.verify(signature, message, share.publicKey, { zip215: false }))
  demand(isValid, 'signature')
  return { kind: 'done', result: { signature } }
}

const answer = (input: ServerInput): ServerAnswer => {
  const message = demandSign(input.context)
  demandRequests(input, 1)
  const received = present(request.decode(input.request), 'length of the request')
  const share = openShare(input, 'PROVIDER')
  const sid1 = sid1Of(input.context, share, received.nonce)
  demand(equal(received.sid1, sid1), 'sid1')
  const draw = (label: string, length: number) => seededBytes(input, sid1, label, length)
  const own = commit(serverId, share, draw)
  const { hiding, binding } = own.commitments
  const list = commitmentList(received, { hiding, binding })
  const ownShare = blindedShare(share, own.nonces, list, message, reduce(draw('blind', 64)))
  const nonce = draw('nonce', 32)
  const sid2 = sid2Of(sid1, nonce, input.request)
  return { kind: 'done', response: response.encode({ nonce, sid2, hiding, binding, share: ownShare }), result: {} }
}

export const sign: Protocol = {
  start: abortable(start),
  client: [stoppable(onResponse)],
  server: [stoppable(answer)],
}

/** The message, in a context that is fit for signing. */
const demandSign = (context: Context): Uint8Array => {
  demandContext(context, 'sign')
  demand(context.shareId.length === 32, 'signing needs a share')
  return present(context.payload, 'nothing to sign').message
}

const secretOf = (identifier: string, signingShare: Uint8Array) => ({ identifier, signingShare })

/** One pair of nonces (d, e) with its commitments: H3(32 drawn bytes ‖ share) of RFC 9591 §4.1. */
const commit = (id: string, share: ShareRecord, draw: (label: string, length: number) => Uint8Array) =>
  orAbort('nonces', () => F.commit(secretOf(id, share.secret), drawing(draw, 'nonces')))

type Commitments = { readonly hiding: Uint8Array; readonly binding: Uint8Array }
type SignerCommitments = Commitments & { readonly identifier: string }

/** Exactly the two parties, each with points of prime order. */
const commitmentList = (
  client: Commitments,
  server: Commitments,
): readonly [SignerCommitments, SignerCommitments] => {
  for (const { hiding, binding } of [client, server]) {
    readPoint(hiding, 'commitment')
    readPoint(binding, 'commitment')
  }
  return [
    { identifier: clientId, hiding: client.hiding, binding: client.binding },
    { identifier: serverId, hiding: server.hiding, binding: server.binding },
  ]
}

/** noble's public package; of the polynomial's commitments, signing reads the first alone: the key. */
const groupOf = (share: ShareRecord) => ({
  signers,
  commitments: [share.publicKey],
  verifyingShares: { [clientId]: share.clientPublic, [serverId]: share.serverPublic },
})

/**
 * z_S = d + ρ_S·e + c·λ_S·s, with s never multiplied as it is (mpc-review 17): noble computes with s + b, and c·λ_S·b
 * is taken off; λ_S is 1/(1 − 2) = −1. Checked before it leaves, z_S·G = D_S + ρ_S·E_S − c·X_S, so that no fault of
 * the machine lets out an equation in s.
 */
const blindedShare = (
  share: ShareRecord,
  nonces: Parameters<typeof F.signShare>[2],
  list: readonly [SignerCommitments, SignerCommitments],
  message: Uint8Array,
  blind: bigint,
): Uint8Array => {
  const { challenge, serverCommitment } = groupCommitment(share.publicKey, list, message)
  const z = orAbort('own signature share', () => {
    const blinded = Fn.toBytes(Fn.add(Fn.fromBytes(share.secret), blind))
    const signed = F.signShare(secretOf(serverId, blinded), groupOf(share), nonces, [...list], message)
    return Fn.add(Fn.fromBytes(signed), Fn.mul(challenge, blind))
  })
  const isRight = orAbort('own signature share', () => {
    const expected = serverCommitment.subtract(Point.fromBytes(share.serverPublic).multiplyUnsafe(challenge))
    return Point.BASE.multiply(z).equals(expected)
  })
  demand(isRight, 'own signature share')
  return Fn.toBytes(z)
}

/**
 * R = Σ D_i + ρ_i·E_i (RFC 9591 §4.4, 4.5), the co-signer's term of it, and c = H2(R ‖ PK ‖ message) (§4.6). All of it
 * is public; the commitments have been checked.
 */
const groupCommitment = (
  publicKey: Uint8Array,
  list: readonly [SignerCommitments, SignerCommitments],
  message: Uint8Array,
) => {
  const encoded = list.map(({ identifier, hiding, binding }) => concatBytes(idBytes(identifier), hiding, binding))
  const prefix = concatBytes(publicKey, hashOf('msg', message), hashOf('com', concatBytes(...encoded)))
  const term = ({ identifier, hiding, binding }: SignerCommitments) => {
    const factor = reduce(hashOf('rho', concatBytes(prefix, idBytes(identifier))))
    return Point.fromBytes(hiding).add(Point.fromBytes(binding).multiplyUnsafe(factor))
  }
  const [client, server] = list
  const serverCommitment = term(server)
  const R = term(client).add(serverCommitment)
  return { serverCommitment, challenge: reduce(sha512(concatBytes(R.toBytes(), publicKey, message))) }
}

const idBytes = (identifier: string): Uint8Array => Fn.toBytes(identifier === clientId ? 1n : 2n)

const hashOf = (use: 'rho' | 'msg' | 'com', bytes: Uint8Array): Uint8Array =>
  sha512(concatBytes(utf8ToBytes(`FROST-ED25519-SHA512-v1${use}`), bytes))
