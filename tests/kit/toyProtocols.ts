/**
 * Protocols of two parties whose shares are numbers, for tests of what happens around the arithmetic: as many steps as the
 * real ones have, with neither proofs nor oblivious transfers. A signature is a hash under the joined key, so that it
 * verifies only if both shares belong together; a witness reports shares that do not.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { equal } from '../../domain/crypto/Equal.ts'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import * as ClientRun from '../../domain/mpc/ClientRun.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import {
  abort,
  ban,
  shareIdOf,
  type Abort,
  type ClientInput,
  type Context,
  type Kind,
  type Protocol,
  type ServerAnswer,
  type ServerInput,
} from '../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import type { Scheme } from '../../domain/mpc/Scheme.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import type { Mpc, Run } from '../../domain/client/ports/Mpc.ts'
import type { CosignerEngine, Job, StepOutcome } from '../../domain/service/ports/CosignerEngine.ts'
import { noble } from '../../domain/crypto/Signatures.ts'

/** A cheater's guess of the co-signer's secret bits, which a check of the co-signer tells apart. */
export type Guess = {
  readonly kind: Kind
  readonly walletId: string
  readonly protocolId: string
  /** The OT record under which a signature's guess is checked; empty in a setup. */
  readonly ot: Uint8Array
  readonly said: string
}

/** Pairs of shares that must never sign together, and whether the next signature counts as a cheater's. */
export type Witness = {
  readonly met: string[]
  cheats: boolean
  /** Whether a guess is right; a wrong one fails the check. Without it no guess fails. */
  judge?: ((guess: Guess) => boolean) | undefined
}

/** What a cheating device guesses next; an honest one guesses nothing. */
export type Guessing = (kind: Kind) => string | undefined

type Curve = {
  readonly order: bigint
  readonly toBytes: (scalar: bigint) => Uint8Array
  readonly fromBytes: (bytes: Uint8Array) => bigint
  readonly pointOf: (scalar: bigint) => Uint8Array
  /** DKLS: x_C + x_S; ED25519, by Lagrange for the ids 1 and 2: 2 x_C - x_S. */
  readonly joined: (client: bigint, server: bigint) => bigint
  readonly movedServer: (server: bigint, shift: bigint) => bigint
}

/** Both sides compute the same, and a repeated step computes it again. */
const remembered = (pointOf: Curve['pointOf']): Curve['pointOf'] => {
  const points = new Map<bigint, Uint8Array>()
  return (scalar) => {
    const point = points.get(scalar) ?? pointOf(scalar)
    if (points.size > 1_000) points.clear()
    points.set(scalar, point)
    return point.slice()
  }
}

const curves: Readonly<Record<Scheme, Curve>> = {
  DKLS: {
    order: secp256k1.Point.Fn.ORDER,
    toBytes: (scalar) => secp256k1.Point.Fn.toBytes(scalar),
    fromBytes: (bytes) => secp256k1.Point.Fn.fromBytes(bytes),
    pointOf: remembered((scalar) => secp256k1.Point.BASE.multiply(scalar).toBytes()),
    joined: (client, server) => client + server,
    movedServer: (server, shift) => server - shift,
  },
  ED25519: {
    order: ed25519.Point.Fn.ORDER,
    toBytes: (scalar) => ed25519.Point.Fn.toBytes(scalar),
    fromBytes: (bytes) => ed25519.Point.Fn.fromBytes(bytes),
    pointOf: remembered((scalar) => ed25519.Point.BASE.multiply(scalar).toBytes()),
    joined: (client, server) => 2n * client - server,
    movedServer: (server, shift) => server + 2n * shift,
  },
}

const modulo = (value: bigint, order: bigint): bigint => ((value % order) + order) % order

const numberOf = (bytes: Uint8Array, { order }: Curve): bigint =>
  modulo(BigInt(`0x${bytesToHex(bytes)}`), order - 1n) + 1n

const joinedKey = (scheme: Scheme, client: bigint, server: bigint): bigint =>
  modulo(curves[scheme].joined(client, server), curves[scheme].order)

/** Both halves of a fresh key, for real protocols and for these. */
export const dealShares = (
  scheme: Scheme,
  { walletId, rootPublicKey }: Pick<ShareRecord.ShareRecord, 'walletId' | 'rootPublicKey'>,
  random: (length: number) => Uint8Array,
  attempt = random(16),
) => {
  const curve = curves[scheme]
  const [client, server] = [numberOf(random(48), curve), numberOf(random(48), curve)]
  const [clientPublic, serverPublic] = [curve.pointOf(client), curve.pointOf(server)]
  const publicKey = curve.pointOf(joinedKey(scheme, client, server))
  const shareId = shareIdOf(attempt, clientPublic, serverPublic, publicKey)
  const common = { scheme, walletId, epoch: 1, shareId, clientPublic, serverPublic, publicKey, rootPublicKey }
  const chainCode = random(32)
  const user: ShareRecord.ShareRecord = { ...common, role: 'USER', secret: curve.toBytes(client), chainCode }
  const provider: ShareRecord.ShareRecord = { ...common, role: 'PROVIDER', secret: curve.toBytes(server), chainCode }
  return { user, provider }
}

/** Whether the two are halves of one key. */
export const belongTogether = (user: ShareRecord.ShareRecord, provider: ShareRecord.ShareRecord): boolean => {
  const curve = curves[user.scheme]
  const key = joinedKey(user.scheme, curve.fromBytes(user.secret), curve.fromBytes(provider.secret))
  return equal(user.shareId, provider.shareId) && key !== 0n && equal(curve.pointOf(key), user.publicKey)
}

const signatureLength = { DKLS: 65, ED25519: 64 } as const
/** Bytes of a toy's signature that its check reads. Behind them is what the co-signer drew. */
const checkedLength = 32

const signatureUnder = (scheme: Scheme, key: bigint, message: Uint8Array): Uint8Array => {
  const hash = sha256(concatBytes(utf8ToBytes(key.toString(16)), message))
  const signature = new Uint8Array(signatureLength[scheme])
  signature.set(hash)
  return signature
}

/** Signatures are checked under the joined key itself, which only toy protocols have. */
const keys = new Map<string, bigint>()

export const learnKey = (user: ShareRecord.ShareRecord, provider: ShareRecord.ShareRecord): void => {
  const { fromBytes } = curves[user.scheme]
  keys.set(bytesToHex(user.publicKey), joinedKey(user.scheme, fromBytes(user.secret), fromBytes(provider.secret)))
}

export const isSigned = (
  share: Pick<ShareRecord.ShareRecord, 'scheme' | 'publicKey'>,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => {
  const key = keys.get(bytesToHex(share.publicKey))
  if (key === undefined || signature.length !== signatureLength[share.scheme]) return false
  const checked = signatureUnder(share.scheme, key, message).subarray(0, checkedLength)
  return equal(checked, signature.subarray(0, checkedLength))
}

type Said = Readonly<Record<string, string>>
const say = (said: Said): Uint8Array => utf8ToBytes(JSON.stringify(said))
const hear = (bytes: Uint8Array): Said => JSON.parse(Buffer.from(bytes).toString()) as Said

const none = new Uint8Array(0)

/** Part of each answer of the co-signer: as in the real protocols, another seed or another request gives another answer. */
const drawnFor = ({ seed, request }: Pick<ServerInput, 'seed' | 'request'>): Uint8Array =>
  sha256(concatBytes(seed, request))

/** x_C + d with its ids, which the holder of the other half computes in the same way. */
const moved = (context: Context, share: ShareRecord.ShareRecord, shift: bigint): ShareRecord.ShareRecord => {
  const curve = curves[share.scheme]
  const own = curve.fromBytes(share.secret)
  const secret = modulo(share.role === 'USER' ? own + shift : curve.movedServer(own, shift), curve.order)
  const ownPublic = curve.pointOf(secret)
  const otherPublic = otherHalf(share, ownPublic)
  const [clientPublic, serverPublic] = share.role === 'USER' ? [ownPublic, otherPublic] : [otherPublic, ownPublic]
  return {
    ...share,
    epoch: context.epoch + 1,
    shareId: shareIdOf(context.attempt, clientPublic, serverPublic, share.publicKey),
    secret: curve.toBytes(secret),
    clientPublic,
    serverPublic,
    rootPublicKey: context.rootPublicKey,
  }
}

/** The public half that makes the key with this one. */
const otherHalf = ({ scheme, role, publicKey }: ShareRecord.ShareRecord, own: Uint8Array): Uint8Array => {
  if (scheme === 'DKLS') {
    const { Point } = secp256k1
    return Point.fromBytes(publicKey).subtract(Point.fromBytes(own)).toBytes()
  }
  const { Point } = ed25519
  const [key, half] = [Point.fromBytes(publicKey), Point.fromBytes(own)]
  // 2 X_C - X_S = PK
  return role === 'USER' ? half.double().subtract(key).toBytes() : key.add(half).multiply(Point.Fn.inv(2n)).toBytes()
}

const otOf = (context: Context, client: string, server: string) => {
  const record = sha256(utf8ToBytes(`toy/${context.walletId}/${context.protocolId}/${client}/${server}`))
  return { otId: sha256(record), ot: record }
}

/** Both halves of the key that what the two sides drew makes; each side keeps its own. */
const keyOf = (scheme: Scheme, { walletId, rootPublicKey, attempt }: Context, client: string, server: string) => {
  const drawn = sha256(utf8ToBytes(`toy key/${client}/${server}`))
  const halves = dealShares(
    scheme,
    { walletId, rootPublicKey },
    (length) => {
      const bytes = new Uint8Array(length)
      for (let at = 0; at < length; at += 32) {
        bytes.set(sha256(concatBytes(drawn, Uint8Array.of(length, at))).subarray(0, length - at), at)
      }
      return bytes
    },
    attempt,
  )
  learnKey(halves.user, halves.provider)
  return halves
}

/**
 * The result of a setup of n requests and a CONFIRM: after request 1 and the last answer both sides have all inputs.
 */
const setup = (
  scheme: Scheme,
  kind: 'keygen' | 'refresh' | 'attach',
  steps: number,
  { judge }: Witness,
  guessing: Guessing | undefined,
): Protocol => {
  const result = (
    { context, share }: Pick<ClientInput, 'context' | 'share'>,
    client: string,
    server: string,
    role: ShareRecord.Role,
  ) => {
    if (kind === 'keygen') {
      const { user, provider } = keyOf(scheme, context, client, server)
      return { share: role === 'USER' ? user : provider, ...(scheme === 'DKLS' ? otOf(context, client, server) : {}) }
    }
    if (share === undefined) throw new Error('a toy without a share')
    const shift = modulo(BigInt(`0x${client}`) + BigInt(`0x${server}`), curves[scheme].order)
    const next = kind === 'refresh' ? { share: moved(context, share, shift) } : {}
    return { ...next, ...(scheme === 'DKLS' ? otOf(context, client, server) : {}) }
  }
  const answer =
    (step: number) =>
    (input: ServerInput): ServerAnswer => {
      const client = step === 1 ? hear(input.request).client : hear(input.state).client
      const server = bytesToHex(sha256(concatBytes(input.seed, utf8ToBytes(client ?? ''))))
      if (client === undefined) return abort('a toy that says nothing')
      const { walletId, protocolId } = input.context
      const { guess } = hear(input.request)
      const isWrong = guess !== undefined && judge?.({ kind, walletId, protocolId, ot: none, said: guess }) === false
      if (isWrong) return abort('a wrong guess')
      if (step === steps) {
        const made = result(input, client, server, 'PROVIDER')
        const isOfRun = hear(input.request).confirms === `${client}${server}`
        return isOfRun ? { kind: 'done', response: none, result: made } : abort('another candidate')
      }
      const drawn = bytesToHex(drawnFor(input))
      return {
        kind: 'answer',
        state: say({ client }),
        response: say(step === steps - 1 ? { drawn, server } : { drawn }),
      }
    }
  return {
    start: ({ random }) => {
      const client = bytesToHex(random(32))
      return { kind: 'request', state: say({ client }), request: say({ client }) }
    },
    client: Array.from({ length: steps - 1 }, (_, index) => (input) => {
      const { client = '' } = hear(input.state)
      if (index < steps - 2) {
        // The answer to the second request shows whether a guess was right.
        const said = { step: String(index + 2), ...(index === 0 ? guessed(guessing?.(kind)) : {}) }
        return { kind: 'request', state: say({ client }), request: say(said) }
      }
      const { server = '' } = hear(input.response)
      const made = result(input, client, server, 'USER')
      return { kind: 'confirm', request: say({ confirms: `${client}${server}` }), result: made }
    }),
    server: Array.from({ length: steps }, (_, index) => answer(index + 1)),
  }
}

const guessed = (guess: string | undefined): Said => (guess === undefined ? {} : { guess })

const signing = (scheme: Scheme, steps: number, witness: Witness, guessing: Guessing | undefined): Protocol => {
  const curve = curves[scheme]
  const answer =
    (step: number) =>
    (input: ServerInput): ServerAnswer => {
      const { context, share, ot = none } = input
      const { secret = '', shareId = '', otRecord = '' } = hear(step === 1 ? input.request : input.state)
      if (share === undefined) return abort('a toy without a share')
      if (witness.cheats) return ban('a toy that cheats')
      const { guess } = step === 1 ? hear(input.request) : {}
      const { walletId, protocolId } = context
      const isWrong =
        guess !== undefined && witness.judge?.({ kind: 'sign', walletId, protocolId, ot, said: guess }) === false
      if (isWrong) return ban('a wrong guess')
      const drawn = drawnFor(input)
      if (step < steps) {
        const state = say({ secret, shareId, otRecord })
        return { kind: 'answer', state, response: say({ drawn: bytesToHex(drawn) }) }
      }
      const key = joinedKey(scheme, curve.fromBytes(hexToBytes(secret)), curve.fromBytes(share.secret))
      if (shareId !== bytesToHex(share.shareId)) witness.met.push('shares of two sharings')
      if (scheme === 'DKLS' && otRecord !== bytesToHex(ot)) witness.met.push('transfers of two setups')
      const signature = signatureUnder(scheme, key, context.payload?.message ?? none)
      signature.set(drawn, checkedLength)
      if (!isSigned(share, context.payload?.message ?? none, signature)) witness.met.push('shares of two keys')
      return { kind: 'done', response: signature, result: { signature } }
    }
  return {
    start: ({ share, ot = none }) => {
      if (share === undefined) return abort('a toy without a share')
      const said = { secret: bytesToHex(share.secret), shareId: bytesToHex(share.shareId), otRecord: bytesToHex(ot) }
      return { kind: 'request', state: say({}), request: say({ ...said, ...guessed(guessing?.('sign')) }) }
    },
    client: Array.from({ length: steps }, (_, index) => ({ share, context, response }) => {
      if (index < steps - 1) return { kind: 'request', state: say({}), request: say({ step: String(index + 2) }) }
      const isRight = share !== undefined && isSigned(share, context.payload?.message ?? none, response)
      return isRight ? { kind: 'done', result: { signature: response } } : abort('the signature is of another key')
    }),
    server: Array.from({ length: steps }, (_, index) => answer(index + 1)),
  }
}

const toyOf = (scheme: Scheme, kind: Kind, witness: Witness, guessing?: Guessing): Protocol => {
  const steps = protocolOf(scheme, kind)?.server.length ?? 0
  if (steps === 0) throw new Error(`no toy for ${kind} of ${scheme}`)
  return kind === 'sign' ? signing(scheme, steps, witness, guessing) : setup(scheme, kind, steps, witness, guessing)
}

/** The device's side: `begin` computes on the calling thread. */
export const mpcOf = (begin: (run: Run) => ClientRun.ClientRun | Abort): Mpc['Service'] => ({
  prepare: Effect.void,
  begin: (run) =>
    Effect.sync(() => {
      const begun = begin(run)
      if ('kind' in begun) return begun
      return {
        request: begun.request,
        receive: (round: number, response: Uint8Array) => Effect.sync(() => begun.receive(round, response)),
      }
    }),
})

export const toyMpc = (witness: Witness, random: (length: number) => Uint8Array, guessing?: Guessing): Mpc['Service'] =>
  mpcOf((run) => {
    const { scheme, kind } = run.context
    // Toys take no arithmetic.
    return ClientRun.begin(toyOf(scheme, kind, witness, guessing), { ...run, random } as ClientInput)
  })

/** The co-signer's side. It seals without encryption. */
export const toyEngine = (secretKey: Uint8Array, witness: Witness): CosignerEngine['Service'] => {
  const identity = { name: 'toy', publicKey: CosignerKey.publicKeyOf(secretKey) }
  return {
    identity: Effect.succeed(identity),
    step: (job, mayCompute) =>
      Effect.map(mayCompute, (may) => (may ? toyOutcomeOf(job, witness) : { kind: 'dropped' as const })),
    requireRoom: () => Effect.void,
    sign: (request, answer) => Effect.sync(() => MpcFrame.signAnswer(secretKey, request, answer, noble)),
    reattach: ({ walletId, epoch, capsule }) =>
      Effect.sync(() => {
        const share = ShareRecord.decode(capsule)
        return share?.walletId === walletId && share.epoch === epoch ? { ...share, sealed: capsule } : undefined
      }),
    reissue: ({ capsule }) => Effect.succeed(capsule),
    opens: () => Effect.succeed(true),
    exportShare: () => Effect.succeed(undefined),
  }
}

export const toyOutcomeOf = (job: Job, witness: Witness): StepOutcome =>
  openOutcomeOf(job, toyOf(job.context.scheme, job.context.kind, witness))

/** The outcome of one order in a co-signer's thread, without sealing. Toy protocols need no arithmetic. */
export const openOutcomeOf = (
  { context, step, request, requestHashes, ...sealed }: Job,
  protocol: Protocol | undefined,
  arithmetic?: Arithmetic,
): StepOutcome => {
  const share = sealed.sealedShare === null ? undefined : ShareRecord.decode(sealed.sealedShare)
  const answer = protocol?.server[step - 1]?.({
    context,
    request,
    requestHashes,
    seed: sealed.sealedSeed,
    state: sealed.sealedState ?? none,
    arithmetic,
    ...(share === undefined ? {} : { share }),
    ...(sealed.sealedOt === null ? {} : { ot: sealed.sealedOt }),
  } as ServerInput)
  if (answer === undefined) return abort('no such step')
  if (answer.kind === 'answer') return { kind: 'answer', response: answer.response, sealedState: answer.state }
  if (answer.kind !== 'done') return answer
  const { share: next, ot, otId, signature } = answer.result
  return {
    kind: 'done',
    response: answer.response,
    made: {
      ...(next === undefined ? {} : { share: sealedOpenly(next) }),
      ...(ot === undefined || otId === undefined ? {} : { ot: { otId, sealed: ot } }),
      ...(signature === undefined ? {} : { signature }),
    },
  }
}

export const sealedOpenly = (share: ShareRecord.ShareRecord) => {
  const { shareId, publicKey } = share
  return { shareId, publicKey, sealed: ShareRecord.encode(share), capsule: ShareRecord.encode(share) }
}
