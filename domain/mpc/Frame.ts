/**
 * The one binary message between client and co-signer, at one URL (domain/mpc/README.md#frames):
 *
 *     "TDM1" ‖ operation u8 ‖ scheme u8 ‖ step u8 ‖ protocolId 16 ‖ sessionId 16 ‖ walletId 16 ‖ epoch u32 ‖
 *     shareId 32 ‖ attempt 16 ‖ deviceKeyThumb 32 ‖ length u32 ‖ body ‖ signature 64
 *
 * The device key signs T("tandem/frame/v1", cosigner's name, all before the signature). The answer is
 * status u8 ‖ length u32 ‖ body ‖ signature 64, signed by the co-signer over the whole request too: an unsigned answer
 * could make a client lock its records. Lengths are exact: a frame that is too short, too long or over 256 KiB is
 * refused.
 */
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Result from 'effect/Result'
import { answerMessage, type SignedAnswer } from '../crypto/CosignerAnswer.ts'
import type { Signatures } from '../crypto/Signatures.ts'
import { hash, u32 } from '../crypto/Transcript.ts'
import { codec } from './Codec.ts'
import type { Scheme } from './Protocol.ts'
import { uuidBytes, uuidText } from './ShareRecord.ts'
import * as SigningRequest from './SigningRequest.ts'

/**
 * Their numbers on the wire begin at 1. ATTACH enrols a device: it gets an OT record of its own. The body of REATTACH
 * and of REISSUE is the capsule of the frame's sharing.
 */
export const operations = [
  'KEYGEN',
  'SIGN',
  'REFRESH',
  'CONFIRM',
  'ACK',
  'RECONCILE',
  'EXPORT',
  'ATTACH',
  'REATTACH',
  'REISSUE',
] as const
export type Operation = (typeof operations)[number]

/** HELD: a policy asks for a review, and no protocol state was made. BAN counts only in a validly signed answer. */
export const statuses = ['OK', 'HELD', 'ABORT', 'BAN'] as const
export type Status = (typeof statuses)[number]

const schemes: readonly Scheme[] = ['DKLS', 'ED25519']

/** Bytes. */
export const maximumLength = 256 * 1024
/** Bytes: r ‖ s of the device's key, or of the co-signer's. */
export const signatureLength = 64

/** Of a DKLS signature in the last answer to SIGN, r ‖ s ‖ v. After it stands the hash of a transaction that was sent, 32 bytes. */
export const dklsSignatureLength = 65

export type Frame = {
  readonly operation: Operation
  readonly scheme: Scheme
  /** 1 for the first request of a run. */
  readonly step: number
  /** UUIDs in lower-case text form. */
  readonly protocolId: string
  readonly sessionId: string
  readonly walletId: string
  readonly epoch: number
  /** 32 bytes, or empty while there is no share (zeros on the wire). */
  readonly shareId: Uint8Array
  /** 16 bytes; zeros where the operation has no attempt. */
  readonly attempt: Uint8Array
  /** 32 bytes. */
  readonly deviceKeyThumb: Uint8Array
  readonly body: Uint8Array
}

export type SignedFrame = {
  readonly frame: Frame
  /** All before the signature, as it was received. */
  readonly unsigned: Uint8Array
  /** 64 bytes, r ‖ s. */
  readonly signature: Uint8Array
}

/** The frame's bytes up to the signature. */
export const encodeUnsigned = (frame: Frame): Uint8Array => {
  const bytes = concatBytes(
    header.encode({
      magic,
      operation: new Uint8Array([operations.indexOf(frame.operation) + 1]),
      scheme: new Uint8Array([schemes.indexOf(frame.scheme) + 1]),
      step: new Uint8Array([frame.step]),
      protocolId: uuidBytes(frame.protocolId),
      sessionId: uuidBytes(frame.sessionId),
      walletId: uuidBytes(frame.walletId),
      epoch: u32(frame.epoch),
      shareId: frame.shareId.length === 0 ? noShare : frame.shareId,
      attempt: frame.attempt,
      deviceKeyThumb: frame.deviceKeyThumb,
      bodyLength: u32(frame.body.length),
    }),
    frame.body,
  )
  if (bytes.length + signatureLength > maximumLength) throw new RangeError('a frame has at most 256 KiB')
  return bytes
}

/** What the device key signs. `cosigner` is the name of the co-signer for which the frame is meant. */
export const signedMessage = (
  cosigner: string,
  unsigned: Uint8Array,
  sha256: Signatures['sha256'] = nobleSha256,
): Uint8Array => hash('tandem/frame/v1', [cosigner, unsigned], sha256)

export const appendSignature = (unsigned: Uint8Array, signature: Uint8Array): Uint8Array => {
  if (signature.length !== signatureLength) throw new RangeError('a device signature has 64 bytes')
  return concatBytes(unsigned, signature)
}

/** Reads a frame, or `undefined` where the bytes are none. The caller checks the signature. */
export const decode = (bytes: Uint8Array): SignedFrame | undefined => {
  if (bytes.length < header.length + signatureLength || bytes.length > maximumLength) return undefined
  const unsigned = bytes.slice(0, -signatureLength)
  const fields = header.decode(unsigned.subarray(0, header.length))
  if (fields === undefined || magic.some((byte, index) => fields.magic[index] !== byte)) return undefined
  const operation = operations[(fields.operation[0] ?? 0) - 1]
  const scheme = schemes[(fields.scheme[0] ?? 0) - 1]
  const step = fields.step[0] ?? 0
  const body = unsigned.slice(header.length)
  if (operation === undefined || scheme === undefined || step === 0) return undefined
  if (readU32(fields.bodyLength) !== body.length) return undefined
  return {
    frame: {
      operation,
      scheme,
      step,
      protocolId: uuidText(fields.protocolId),
      sessionId: uuidText(fields.sessionId),
      walletId: uuidText(fields.walletId),
      epoch: readU32(fields.epoch),
      shareId: fields.shareId.every((byte) => byte === 0) ? empty : fields.shareId,
      attempt: fields.attempt,
      deviceKeyThumb: fields.deviceKeyThumb,
      body,
    },
    unsigned,
    signature: bytes.slice(-signatureLength),
  }
}

export type FrameAnswer = {
  readonly status: Status
  readonly body: Uint8Array
}

/** The signed answer to `request`, the whole bytes of a frame. */
export const signAnswer = (
  cosignerSecretKey: Uint8Array,
  request: Uint8Array,
  answer: FrameAnswer,
  { signP256, sha256 }: Pick<Signatures, 'signP256' | 'sha256'>,
): Uint8Array => {
  const signed = signedAnswer(request, answer)
  if (signed === undefined) throw new RangeError('only a frame is answered')
  return concatBytes(
    new Uint8Array([signed.status]),
    u32(answer.body.length),
    answer.body,
    signP256(cosignerSecretKey, answerMessage(signed, sha256)),
  )
}

/** An answer that counts only if the pinned co-signer's key has signed the message. */
export type UnverifiedAnswer = {
  readonly answer: FrameAnswer
  /** What has to be signed, for exactly this request. */
  readonly message: Uint8Array
  /** 64 bytes, r ‖ s. */
  readonly signature: Uint8Array
}

/**
 * Reads the answer to `request`, or `undefined` unless it is whole. The caller checks the signature, and drops any other
 * answer: it ends the run and locks nothing.
 */
export const readAnswer = (request: Uint8Array, bytes: Uint8Array): UnverifiedAnswer | undefined => {
  if (bytes.length < answerHead + signatureLength || bytes.length > maximumLength) return undefined
  const status = statuses[(bytes[0] ?? 0) - 1]
  const body = bytes.slice(answerHead, -signatureLength)
  if (status === undefined || readU32(bytes.subarray(1, answerHead)) !== body.length) return undefined
  const answer = { status, body }
  const signed = signedAnswer(request, answer)
  return signed === undefined
    ? undefined
    : { answer, message: answerMessage(signed), signature: bytes.slice(-signatureLength) }
}

/** Request 1 of KEYGEN: the root key to which the co-signer pins the wallet, or empty, and the protocol's message. */
export type KeygenBody = {
  readonly rootPublicKey: Uint8Array
  readonly message: Uint8Array
}

export const encodeKeygen = (body: KeygenBody): Uint8Array => joinFields([body.rootPublicKey, body.message])

export const decodeKeygen = (bytes: Uint8Array): KeygenBody | undefined => {
  const [rootPublicKey, message] = cutFields(bytes, 2)
  return rootPublicKey !== undefined && message !== undefined && isEmptyOr(rootPublicKey, 32)
    ? { rootPublicKey, message }
    : undefined
}

/** The body of request 1 of SIGN. */
export type SignBody = {
  readonly request: SigningRequest.SigningRequest
  /** What the client expects to be signed (`SigningRequest.digestClaim`), 32 bytes or empty. */
  readonly digestClaim: Uint8Array
  /** How long a review may take, in milliseconds. */
  readonly timeoutMs: number
  /** DKLS: otId of this device's OT record, 32 bytes; else empty. */
  readonly otId: Uint8Array
  readonly message: Uint8Array
}

export const encodeSign = (body: SignBody): Uint8Array => {
  if (body.timeoutMs !== body.timeoutMs >>> 0) throw new RangeError('a timeout is a whole number of milliseconds')
  const request = utf8ToBytes(JSON.stringify(body.request))
  return joinFields([request, body.digestClaim, u32(body.timeoutMs), body.otId, body.message])
}

/** `request` has its own failure: a well-formed frame may ask for something that is not supported. */
export type ReceivedSignBody = Omit<SignBody, 'request'> & {
  readonly request: Result.Result<SigningRequest.SigningRequest, SigningRequest.PayloadRefused>
}

export const decodeSign = (bytes: Uint8Array): ReceivedSignBody | undefined => {
  const [json, digestClaim, timeout, otId, message] = cutFields(bytes, 5)
  if (json === undefined || digestClaim === undefined || otId === undefined || message === undefined) return undefined
  if (!isEmptyOr(digestClaim, 32) || timeout?.length !== 4 || !isEmptyOr(otId, 32)) return undefined
  return { request: readRequest(json), digestClaim, timeoutMs: readU32(timeout), otId, message }
}

/** The answer to CONFIRM of a keygen or refresh. */
export type ConfirmedBody = {
  readonly address: string
  readonly capsule: Uint8Array
}

export const encodeConfirmed = (body: ConfirmedBody): Uint8Array =>
  joinFields([utf8ToBytes(body.address), body.capsule])

export const decodeConfirmed = (bytes: Uint8Array): ConfirmedBody | undefined => {
  const [address, capsule] = cutFields(bytes, 2)
  if (address === undefined || capsule === undefined) return undefined
  const text = readText(address)
  return text === undefined ? undefined : { address: text, capsule }
}

/** The body of the answer HELD to SIGN. */
export type HeldBody = {
  readonly pendingTransactionId: string
  /** 32 bytes. */
  readonly contentHash: Uint8Array
}

export const encodeHeld = (body: HeldBody): Uint8Array =>
  joinFields([utf8ToBytes(body.pendingTransactionId), body.contentHash])

export const decodeHeld = (bytes: Uint8Array): HeldBody | undefined => {
  const [id, contentHash] = cutFields(bytes, 2)
  if (id === undefined || contentHash?.length !== 32) return undefined
  const pendingTransactionId = readText(id)
  return pendingTransactionId === undefined ? undefined : { pendingTransactionId, contentHash }
}

/** The status of a wallet's refresh: the answer to RECONCILE. */
export type WalletStatus = {
  readonly epoch: number
  /** 32 bytes: the sharing that signs. */
  readonly shareId: Uint8Array
  /**
   * LOCKED: the wallet signs only after a refresh, which needs a new login. LOST: the provider cannot open its share of
   * the frame's sharing, which is the active one. Said only where the request's body is the byte 1, because earlier clients do
   * not read it.
   */
  readonly state: (typeof walletStates)[number]
  /** State of the attempt that the frame's protocol id names; NONE where there is no such attempt. */
  readonly attempt: (typeof attempts)[number]
}

const walletStates = ['ACTIVE', 'LOCKED', 'LOST'] as const
const attempts = ['NONE', 'LIVE', 'COMMITTED', 'ACKNOWLEDGED', 'ABORTED'] as const

export const encodeWalletStatus = ({ epoch, shareId, state, attempt }: WalletStatus): Uint8Array =>
  joinFields([u32(epoch), shareId, new Uint8Array([walletStates.indexOf(state), attempts.indexOf(attempt)])])

export const decodeWalletStatus = (bytes: Uint8Array): WalletStatus | undefined => {
  const [epoch, shareId, states] = cutFields(bytes, 3)
  const [state, attempt] = [walletStates[states?.[0] ?? -1], attempts[states?.[1] ?? -1]]
  const isWhole = epoch?.length === 4 && shareId?.length === 32 && states?.length === 2
  if (!isWhole || state === undefined || attempt === undefined) return undefined
  return { epoch: readU32(epoch), shareId, state, attempt }
}

const magic = utf8ToBytes('TDM1')
const noShare = new Uint8Array(32)
const empty = new Uint8Array(0)
const answerHead = 5

const header = codec({
  magic: 4,
  operation: 1,
  scheme: 1,
  step: 1,
  protocolId: 16,
  sessionId: 16,
  walletId: 16,
  epoch: 4,
  shareId: 32,
  attempt: 16,
  deviceKeyThumb: 32,
  bodyLength: 4,
})

const signedAnswer = (request: Uint8Array, answer: FrameAnswer): SignedAnswer | undefined => {
  const signed = decode(request)
  if (signed === undefined) return undefined
  return {
    protocolId: signed.frame.protocolId,
    step: signed.frame.step,
    request,
    status: statuses.indexOf(answer.status) + 1,
    body: answer.body,
  }
}

const readU32 = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)

const isEmptyOr = (bytes: Uint8Array, length: number) => bytes.length === 0 || bytes.length === length

/** Fields of a body, each u32 length ‖ bytes. */
const joinFields = (fields: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...fields.flatMap((field) => [u32(field.length), field]))

/** Exactly `count` fields and nothing behind them, else an empty list. */
const cutFields = (bytes: Uint8Array, count: number): readonly Uint8Array[] => {
  const fields: Uint8Array[] = []
  let offset = 0
  while (fields.length < count && offset + 4 <= bytes.length) {
    const end = offset + 4 + readU32(bytes.subarray(offset, offset + 4))
    if (end > bytes.length) return []
    fields.push(bytes.slice(offset + 4, end))
    offset = end
  }
  return fields.length === count && offset === bytes.length ? fields : []
}

/** Addresses and ids of records: printable ASCII. */
const readText = (bytes: Uint8Array): string | undefined =>
  bytes.every((byte) => byte >= 0x20 && byte <= 0x7e)
    ? Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    : undefined

const readRequest = (json: Uint8Array): ReceivedSignBody['request'] => {
  try {
    return SigningRequest.read(JSON.parse(utf8.encode(json)))
  } catch {
    return Result.fail(new SigningRequest.PayloadRefused({ reason: 'malformed' }))
  }
}
