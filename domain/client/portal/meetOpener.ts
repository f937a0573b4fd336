/**
 * How a page of the portal learns that the window which opened it is the session's own (flows 2.3, 2.6): it greets the
 * registered origin, and whoever answers has to show that it holds the session's device key and, for a login, its login
 * key. Whatever else arrives is silence.
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
 * Flows 2.3: five seconds, counted in greetings. A page whose machine was held up for so long has not heard silence, and gives
 * its opener every turn all the same.
 */
const greeting = { every: '250 millis', times: 20 } as const

/** What the page knows before it meets its opener. */
export type Meeting = {
  readonly openingId: string
  readonly sessionId: string
  readonly page: OpenerMessages.Page
  readonly record: string | undefined
  readonly portalOrigin: string
  readonly hostOrigin: string
  /** The session's registered keys. */
  readonly devicePublicKey: string
  readonly loginPublicKey: string | undefined
  /** 32 bytes that say something themselves, instead of random ones. */
  readonly nonce?: Uint8Array | undefined
}

/** The answer of a proven opener; silence for five seconds, or a wrong answer, after which there is no second try. */
export const meetOpener = Effect.fn('openings.meetOpener')(function* (meeting: Meeting) {
  const opener = yield* Opener
  const random = yield* Random
  const inbox = yield* opener.messages
  const nonce = meeting.nonce ?? (yield* random.bytes(32))
  const secret = yield* random.bytes(32)
  const sealed = meeting.loginPublicKey === undefined ? undefined : yield* seal(meeting.loginPublicKey, secret)
  const hello: OpenerMessages.Hello = {
    v: 1,
    type: 'tandem.hello',
    openingId: meeting.openingId,
    sessionId: meeting.sessionId,
    page: meeting.page,
    nonce: bytesToHex(nonce),
    ...(meeting.record === undefined ? {} : { record: meeting.record }),
    ...(sealed === undefined ? {} : { sealed: bytesToHex(sealed) }),
  }

  const post = Effect.andThen(opener.post(hello, meeting.hostOrigin), Effect.sleep(greeting.every))
  const greet = Effect.andThen(Effect.repeat(post, { times: greeting.times - 1 }), Effect.fail(new OpenerSilent()))
  const listen = Effect.gen(function* () {
    for (;;) {
      const answer = answerIn(yield* Queue.take(inbox), meeting)
      if (answer === undefined) continue
      return isProven(answer, meeting, nonce, secret) ? answer : yield* new OpenerNotProven()
    }
  })
  return yield* Effect.raceFirst(listen, greet)
})

const seal = Effect.fn('openings.sealNonce')(function* (loginPublicKey: string, secret: Uint8Array) {
  return yield* Effect.mapError(
    (yield* Rsa).seal(loginPublicKey, secret, OpenerMessages.nonceLabel),
    () => new OpenerNotProven(),
  )
})

/** The answer to this opening, if the message is one and comes from the opener and its registered origin. */
const answerIn = (message: OpenerMessage, meeting: Meeting): OpenerMessages.Answer | undefined => {
  if (!message.fromOpener || message.origin !== meeting.hostOrigin) return undefined
  const answer = OpenerMessages.readAnswer(message.data)
  return answer?.openingId === meeting.openingId ? answer : undefined
}

const isProven = (answer: OpenerMessages.Answer, meeting: Meeting, nonce: Uint8Array, secret: Uint8Array): boolean => {
  const { loginPublicKey, devicePublicKey, ...proof } = meeting
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
