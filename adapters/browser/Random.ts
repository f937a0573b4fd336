import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Random } from '../../domain/client/ports/Random.ts'

const source = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

export const RandomWebCrypto = Layer.succeed(Random, {
  source,
  bytes: (length) => Effect.sync(() => source(length)),
  uuid: Effect.sync(() => crypto.randomUUID()),
})
