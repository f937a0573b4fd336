/**
 * The co-signer's side of the protocols for tests of the SDK alone: real steps, real signatures on every frame and
 * answer, no database. What the service adds around it (claims, tombstones, policies) is tested with the service.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import type { SignedLink } from '../../domain/crypto/CosignerLink.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import type { Context, Kind } from '../../domain/mpc/Protocol.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import { ApiError } from '../../domain/model/ApiError.ts'
import * as Address from '../../domain/model/Address.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import { usualArithmetic } from '../mpc/kernel.ts'
import { noble, verifyP256 } from '../../domain/crypto/Signatures.ts'

type Run = { context: Context; seed: Uint8Array; hashes: Uint8Array[]; state: Uint8Array; kind: Kind; sends: boolean }

/** The hash that it answers for each transaction that it is asked to send. */
export const sentHash = new Uint8Array(32).fill(7)

export const makeCosigner = (options: {
  readonly userId: string
  readonly partnerId: string
  readonly devicePublicKey: () => Uint8Array
  readonly typeOf: (walletId: string) => WalletType
}) => {
  let secretKey = sha256(new TextEncoder().encode('a co-signer of a test'))
  const publicKey = CosignerKey.publicKeyOf(secretKey)
  const links: SignedLink[] = []
  const shares = new Map<string, ShareRecord>()
  const records = new Map<string, Uint8Array>()
  const runs = new Map<string, Run>()
  const addresses = new Map<string, string>()
  const publicKeys = new Map<string, Uint8Array>()
  const name = 'localhost'
  /** Every frame that arrived, in order. */
  const frames: Frame.Frame[] = []
  /** May change an exchange: a test's network, or a co-signer that misbehaves. */
  let between: (
    exchange: () => Uint8Array,
    frame: Frame.Frame,
    say: (status: Frame.Status, body?: Uint8Array) => Uint8Array,
  ) => Uint8Array | 'silence' | ApiError = (exchange) => exchange()

  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const kindOf = ({ operation }: Frame.Frame): Kind =>
    operation === 'KEYGEN' ? 'keygen' : operation === 'ATTACH' ? 'attach' : 'sign'

  const answer = (bytes: Uint8Array): Uint8Array => {
    const signed = Frame.decode(bytes)
    if (signed === undefined) throw new Error('not a frame')
    const { frame } = signed
    if (!DeviceKey.verify(options.devicePublicKey(), Frame.signedMessage(name, signed.unsigned), signed.signature)) {
      throw new Error('not signed by the device')
    }
    const reply = (status: Frame.Status, body: Uint8Array = new Uint8Array(0)) =>
      Frame.signAnswer(secretKey, bytes, { status, body }, noble)
    const first = frame.step === 1 ? begin(frame) : undefined
    const run = runs.get(frame.protocolId)
    if (run === undefined) return reply('ABORT')
    const request = first ?? frame.body
    run.hashes.push(sha256(request))
    const share = shares.get(frame.walletId)
    const ot = run.context.otId.length === 0 ? undefined : records.get(hex(run.context.otId))
    const step = protocolOf(frame.scheme, run.kind)?.server[frame.step - 1]
    if (step === undefined) return reply('ABORT')
    const outcome = step({
      context: run.context,
      seed: run.seed,
      requestHashes: [...run.hashes],
      state: run.state,
      request,
      ...(share === undefined ? {} : { share }),
      ...(ot === undefined ? {} : { ot }),
      arithmetic: usualArithmetic,
    })
    if (outcome.kind === 'abort') return reply('ABORT')
    if (outcome.kind === 'ban') return reply('BAN')
    if (outcome.kind === 'answer') {
      run.state = outcome.state
      return reply('OK', outcome.response)
    }
    const { result } = outcome
    if (result.ot !== undefined && result.otId !== undefined) records.set(hex(result.otId), result.ot)
    if (run.sends) return reply('OK', concatBytes(outcome.response, sentHash))
    if (run.kind !== 'keygen' || result.share === undefined) return reply('OK', outcome.response)
    shares.set(frame.walletId, result.share)
    const address = Address.fromPublicKey(options.typeOf(frame.walletId), result.share.publicKey)
    addresses.set(frame.walletId, address)
    publicKeys.set(frame.walletId, result.share.publicKey)
    return reply('OK', Frame.encodeConfirmed({ address, capsule: new Uint8Array([1, 2, 3]) }))
  }

  /** Makes the run of a first frame, and gives the protocol's message in it. */
  const begin = (frame: Frame.Frame): Uint8Array | undefined => {
    const kind = kindOf(frame)
    const keygen = kind === 'keygen' ? Frame.decodeKeygen(frame.body) : undefined
    const sign = kind === 'sign' ? Frame.decodeSign(frame.body) : undefined
    const request = sign === undefined ? undefined : Result.getOrThrow(sign.request)
    runs.set(frame.protocolId, {
      kind,
      seed: crypto.getRandomValues(new Uint8Array(32)),
      hashes: [],
      state: new Uint8Array(0),
      sends: request?.kind === 'transaction' && request.send,
      context: {
        kind,
        scheme: frame.scheme,
        protocolId: frame.protocolId,
        walletId: frame.walletId,
        userId: options.userId,
        partnerId: options.partnerId,
        deviceKeyThumb: frame.deviceKeyThumb,
        epoch: frame.epoch,
        attempt: frame.attempt,
        shareId: frame.shareId,
        otId: sign?.otId ?? new Uint8Array(0),
        rootPublicKey: keygen?.rootPublicKey ?? shares.get(frame.walletId)?.rootPublicKey ?? new Uint8Array(0),
        ...(request === undefined
          ? {}
          : { payload: Result.getOrThrow(SigningRequest.payloadDigest(request, frame.scheme)) }),
      },
    })
    return keygen?.message ?? sign?.message
  }

  const layer = Layer.succeed(Cosigner, {
    isSigned: (...signed) => Effect.sync(() => verifyP256(...signed)),
    exchange: (bytes) =>
      Effect.suspend(() => {
        const frame = Frame.decode(bytes)?.frame
        if (frame === undefined) return Effect.die(new Error('not a frame'))
        frames.push(frame)
        const say = (status: Frame.Status, body: Uint8Array = new Uint8Array(0)) =>
          Frame.signAnswer(secretKey, bytes, { status, body }, noble)
        const answered = between(() => answer(bytes), frame, say)
        if (answered === 'silence') return Effect.fail(new ApiError({ message: 'Connection error' }))
        return answered instanceof ApiError ? Effect.fail(answered) : Effect.succeed(answered)
      }),
  })

  return {
    layer,
    name,
    /** The key that new wallets pin: the first one. */
    publicKey,
    /** What leads from it to the key that signs. */
    links,
    /** Answers are signed by another key from now on. */
    rotate: (isCompromised: boolean) => {
      const oldKey = CosignerKey.publicKeyOf(secretKey)
      const next = sha256(oldKey)
      const newKey = CosignerKey.publicKeyOf(next)
      const from = Date.now() + links.length
      links.push(CosignerKey.signLink(secretKey, { name, oldKey, newKey, from, isCompromised }))
      secretKey = next
    },
    frames,
    addresses,
    publicKeys,
    between: (change: typeof between) => {
      between = change
    },
  }
}
