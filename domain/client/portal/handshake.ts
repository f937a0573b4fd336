/**
 * The page's side of the handshake (domain/client/README.md#handshake): it posts to the registered origin, and the
 * answer has to prove that the opener holds the session's device key and, for a login, its login key. All other
 * messages are ignored.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import * as DeviceKey from '../../crypto/DeviceKey.ts'
import { equal } from '../../crypto/Equal.ts'
import * as OpenerMessages from '../../crypto/Opener.ts'
import * as RsaKey from '../../crypto/RsaKey.ts'
import { OpenerNotProven } from '../OpenerNotProven.ts'
import { Opener, type OpenerMessage } from '../ports/Opener.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'

/**
 * Five seconds, counted in messages and not by the clock: a machine that stalls for so long has not heard silence, and
 * its opener still gets every message.
 */
const handshakeRetries = { every: '250 millis', times: 20 } as const

/** What the page knows before the handshake. */
export type HandshakeInput = {
  readonly openingId: string
  readonly sessionId: string
  readonly page: OpenerMessages.Page
  readonly record: string | undefined
  readonly portalOrigin: string
  readonly hostOrigin: string
  /** The session's registered keys. */
  readonly devicePublicKey: string
  readonly loginPublicKey: string | undefined
  /** 32 bytes that commit to something, instead of random ones. */
  readonly nonce?: Uint8Array | undefined
}

/**
 * The answer of a proven opener. Fails after five seconds of silence, or at a wrong answer, after which there is no
 * second try.
 */
export const handshake = Effect.fn('portalSessions.handshake')(function* (input: HandshakeInput) {
  const opener = yield* Opener
  const random = yield* Random
  const inbox = yield* opener.messages
  const nonce = input.nonce ?? (yield* random.bytes(32))
  const secret = yield* random.bytes(32)
  const sealed = input.loginPublicKey === undefined ? undefined : yield* seal(input.loginPublicKey, secret)
  const message: OpenerMessages.Handshake = {
    v: 1,
    type: 'tandem.hello',
    openingId: input.openingId,
    sessionId: input.sessionId,
    page: input.page,
    nonce: bytesToHex(nonce),
    ...(input.record === undefined ? {} : { record: input.record }),
    ...(sealed === undefined ? {} : { sealed: bytesToHex(sealed) }),
  }

  const post = Effect.andThen(opener.post(message, input.hostOrigin), Effect.sleep(handshakeRetries.every))
  const sendHandshake = Effect.andThen(
    Effect.repeat(post, { times: handshakeRetries.times - 1 }),
    Effect.fail(new OpenerSilent()),
  )
  const listen = Effect.gen(function* () {
    for (;;) {
      const answer = answerIn(yield* Queue.take(inbox), input)
      if (answer === undefined) continue
      return isProven(answer, input, nonce, secret) ? answer : yield* new OpenerNotProven()
    }
  })
  return yield* Effect.raceFirst(listen, sendHandshake)
})

const seal = Effect.fn('portalSessions.sealNonce')(function* (loginPublicKey: string, secret: Uint8Array) {
  return yield* Effect.mapError(
    (yield* Rsa).seal(loginPublicKey, secret, OpenerMessages.nonceLabel),
    () => new OpenerNotProven(),
  )
})

/** The answer for this portal session, if the message is one and comes from the opener and its registered origin. */
const answerIn = (message: OpenerMessage, input: HandshakeInput): OpenerMessages.HandshakeAnswer | undefined => {
  if (!message.fromOpener || message.origin !== input.hostOrigin) return undefined
  const answer = OpenerMessages.readAnswer(message.data)
  return answer?.openingId === input.openingId ? answer : undefined
}

const isProven = (
  answer: OpenerMessages.HandshakeAnswer,
  input: HandshakeInput,
  nonce: Uint8Array,
  secret: Uint8Array,
): boolean => {
  const { loginPublicKey, devicePublicKey, ...proof } = input
  const message = DeviceKey.openerMessage({
    ...proof,
    nonce,
    ticket: hexToBytes(answer.ticket),
    hostSecret: hexToBytes(answer.hostSecret),
    loginKeyThumbprint: loginPublicKey === undefined ? undefined : RsaKey.loginKeyThumbprint(loginPublicKey),
    recoveryPublicKey: answer.recoveryPublicKey === undefined ? undefined : hexToBytes(answer.recoveryPublicKey),
  })
  const unsealed = loginPublicKey === undefined || equal(hexToBytes(answer.unsealed ?? ''), secret)
  return unsealed && DeviceKey.verify(hexToBytes(devicePublicKey), message, hexToBytes(answer.deviceSignature))
}

/** No opener, or one that does not answer. */
export class OpenerSilent extends Data.TaggedError('OpenerSilent') {}
