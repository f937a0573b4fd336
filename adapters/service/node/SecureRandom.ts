import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'

const bytes = (length: number): Uint8Array => Uint8Array.from(randomBytes(length))

export const SecureRandomNode = Layer.succeed(SecureRandom, {
  bytes: (length) => Effect.sync(() => bytes(length)),
  uuid: Effect.sync(() => randomUUID()),
  token: Effect.sync(() => base64urlnopad.encode(bytes(32))),
  digits: (length) => Effect.sync(() => Array.from({ length }, () => randomInt(10)).join('')),
})
