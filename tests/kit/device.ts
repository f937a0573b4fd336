/** A user's device as the SDK is one: a P-256 key that signs frames, and the client's side of every protocol. */
import { randomBytes, randomUUID } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import * as ClientRun from '../../domain/mpc/ClientRun.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { Context, Kind, Result as Made, Scheme } from '../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import * as Result from 'effect/Result'
import { usualArithmetic } from '../mpc/kernel.ts'
import { openAnswer } from './openAnswer.ts'

export type Refused = { readonly kind: 'refused'; readonly tag: string; readonly message: string }
export type Exchanged = { readonly kind: 'answered'; readonly bytes: Uint8Array } | Refused

/** How a run ended for the client. */
export type Ended =
  | { readonly kind: 'done'; readonly made: Made; readonly body: Uint8Array; readonly requests: readonly Uint8Array[] }
  | { readonly kind: 'stopped'; readonly status: Exclude<Frame.Status, 'HELD'> }
  | { readonly kind: 'stopped'; readonly status: 'HELD'; readonly body: Uint8Array }
  | Refused

/** What may happen to a request on its way: it is changed, or sent by the test itself. */
export type Meddle = (request: Uint8Array, frame: Frame.Frame) => Uint8Array | Promise<Uint8Array>

export type WalletKey = {
  readonly walletId: string
  readonly share: ShareRecord
  readonly ot: Uint8Array | undefined
  readonly otId: Uint8Array
}

export type Device = ReturnType<typeof makeDevice>

export const makeDevice = (of: {
  readonly userId: string
  readonly partnerId: string
  readonly sessionId: string
  readonly cosigner: { readonly name: string; readonly publicKey: Uint8Array }
  readonly exchange: (bytes: Uint8Array) => Promise<Exchanged>
  readonly secretKey?: Uint8Array
}) => {
  const secretKey = of.secretKey ?? p256.utils.randomSecretKey()
  const publicKey = p256.getPublicKey(secretKey, false)
  const deviceKeyThumb = DeviceKey.thumbprint(publicKey)

  /** As WebCrypto signs: ECDSA with SHA-256, raw. */
  const sign = (message: Uint8Array): Uint8Array =>
    p256.sign(message, secretKey, { prehash: true, lowS: false, format: 'compact' })

  const signFrame = (frame: Frame.Frame): Uint8Array => {
    const unsigned = Frame.encodeUnsigned(frame)
    return Frame.appendSignature(unsigned, sign(Frame.signedMessage(of.cosigner.name, unsigned)))
  }

  /** The answer's frame, or what was refused. */
  const send = async (request: Uint8Array): Promise<Frame.FrameAnswer | Refused> => {
    const exchanged = await of.exchange(request)
    if (exchanged.kind === 'refused') return exchanged
    const answer = openAnswer(of.cosigner.publicKey, request, exchanged.bytes)
    if (answer === undefined) throw new Error('the answer is not signed by the co-signer')
    return answer
  }

  const drive = async (run: {
    readonly operation: Frame.Operation
    readonly context: Context
    readonly bodyOf: (message: Uint8Array) => Uint8Array
    readonly share?: ShareRecord
    readonly ot?: Uint8Array
    readonly meddle?: Meddle | undefined
    readonly arithmetic?: Arithmetic | undefined
    /** What is done with the new share before it is confirmed. */
    readonly beforeConfirm?: ((made: Made) => Promise<unknown>) | undefined
  }): Promise<Ended> => {
    const { context } = run
    const meddle: Meddle = run.meddle ?? ((request) => request)
    const { scheme, protocolId, walletId, epoch, shareId, attempt } = context
    const protocol = protocolOf(scheme, context.kind)
    if (protocol === undefined) throw new Error('no such protocol')
    const client = ClientRun.begin(protocol, {
      context,
      random: (length) => Uint8Array.from(randomBytes(length)),
      arithmetic: run.arithmetic ?? usualArithmetic,
      ...(run.share === undefined ? {} : { share: run.share }),
      ...(run.ot === undefined ? {} : { ot: run.ot }),
    })
    if (!('request' in client)) throw new Error(`the client did not begin: ${client.reason}`)
    const requests: Uint8Array[] = []
    const ask = async (operation: Frame.Operation, step: number, body: Uint8Array) => {
      const header = { scheme, protocolId, sessionId: of.sessionId, walletId, epoch, shareId, attempt, deviceKeyThumb }
      const frame: Frame.Frame = { operation, step, body, ...header }
      const request = await meddle(signFrame(frame), frame)
      requests.push(request)
      return send(request)
    }
    let message = client.request
    for (let step = 1; ; step++) {
      const answer = await ask(run.operation, step, step === 1 ? run.bodyOf(message) : message)
      if ('kind' in answer) return answer
      if (answer.status !== 'OK') return stoppedBy(answer)
      const isSignature = context.kind === 'sign' && scheme === 'DKLS' && step === 2
      const progress = client.receive(step, isSignature ? answer.body.subarray(0, 65) : answer.body)
      if (progress.kind === 'request') {
        message = progress.request
        continue
      }
      if (progress.kind === 'done') return { kind: 'done', made: progress.result, body: answer.body, requests }
      if (progress.kind !== 'confirm') throw new Error(`the client stopped: ${progress.reason}`)
      await run.beforeConfirm?.(progress.result)
      const confirmed = await ask('CONFIRM', step + 1, progress.request)
      if ('kind' in confirmed) return confirmed
      if (confirmed.status !== 'OK') return stoppedBy(confirmed)
      return { kind: 'done', made: progress.result, body: confirmed.body, requests }
    }
  }

  const contextOf = (
    kind: Kind,
    of_: { readonly scheme: Scheme; readonly walletId: string; readonly protocolId: string },
    share: ShareRecord | undefined,
    rootPublicKey: Uint8Array,
  ): Context => ({
    kind,
    scheme: of_.scheme,
    walletId: of_.walletId,
    protocolId: of_.protocolId,
    userId: of.userId,
    partnerId: of.partnerId,
    deviceKeyThumb,
    epoch: share?.epoch ?? 1,
    attempt: share === undefined ? Uint8Array.from(randomBytes(16)) : new Uint8Array(16),
    shareId: share?.shareId ?? none,
    otId: none,
    rootPublicKey,
  })

  return {
    publicKey,
    deviceKeyThumb,
    sessionId: of.sessionId,
    signBytes: sign,
    signFrame,
    send,
    keygen: (
      wallet: { readonly scheme: Scheme; readonly walletId: string; readonly protocolId: string },
      rootPublicKey: Uint8Array,
      meddle?: Meddle,
    ) =>
      drive({
        operation: 'KEYGEN',
        context: contextOf('keygen', wallet, undefined, rootPublicKey),
        bodyOf: (message) => Frame.encodeKeygen({ rootPublicKey, message }),
        meddle,
      }),
    attach: (share: ShareRecord, meddle?: Meddle) =>
      drive({
        operation: 'ATTACH',
        context: contextOf('attach', { ...share, protocolId: randomUUID() }, share, share.rootPublicKey),
        bodyOf: (message) => message,
        share,
        meddle,
      }),
    /** In a recovery the new share pins another root key, and the wallet may be another partner's. */
    refresh: (
      share: ShareRecord,
      protocolId: string,
      options: {
        readonly rootPublicKey?: Uint8Array
        readonly partnerId?: string
        readonly meddle?: Meddle
        readonly beforeConfirm?: (made: Made) => Promise<unknown>
      } = {},
    ) => {
      const { rootPublicKey = share.rootPublicKey, partnerId = of.partnerId, meddle, beforeConfirm } = options
      const context = contextOf('refresh', { ...share, protocolId }, share, rootPublicKey)
      return drive({
        operation: 'REFRESH',
        context: { ...context, partnerId, attempt: Uint8Array.from(randomBytes(16)) },
        bodyOf: (message) => message,
        share,
        meddle,
        beforeConfirm,
      })
    },
    sign: (
      { share, ot, otId }: WalletKey,
      request: SigningRequest.SigningRequest,
      options: {
        readonly meddle?: Meddle | undefined
        readonly protocolId?: string | undefined
        readonly claim?: Uint8Array | undefined
        readonly timeoutMs?: number | undefined
        /** The same device as a cheater. */
        readonly arithmetic?: Arithmetic | undefined
      } = {},
    ) => {
      const payload = Result.getOrThrow(SigningRequest.payloadDigest(request, share.scheme))
      const digestClaim = options.claim ?? SigningRequest.digestClaim(payload, share.scheme)
      const ids = { ...share, protocolId: options.protocolId ?? randomUUID() }
      const context: Context = { ...contextOf('sign', ids, share, share.rootPublicKey), otId, payload }
      return drive({
        operation: 'SIGN',
        context,
        bodyOf: (message) =>
          Frame.encodeSign({ request, digestClaim, timeoutMs: options.timeoutMs ?? 30_000, otId, message }),
        share,
        ...(ot === undefined ? {} : { ot }),
        meddle: options.meddle,
        arithmetic: options.arithmetic,
      })
    },
  }
}

const stoppedBy = ({ status, body }: Frame.FrameAnswer): Ended =>
  status === 'HELD' ? { kind: 'stopped', status, body } : { kind: 'stopped', status }

const none = new Uint8Array(0)

/** What a key generation or a device enrolment leaves on the device. */
export const keyOf = (ended: Ended, share?: ShareRecord): WalletKey => {
  if (ended.kind !== 'done') throw new Error(`not done: ${JSON.stringify(ended)}`)
  const held = ended.made.share ?? share
  if (held === undefined) throw new Error('no share was made')
  return { walletId: held.walletId, share: held, ot: ended.made.ot, otId: ended.made.otId ?? none }
}
