import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { Opener, type OpenerMessage } from '../../domain/client/ports/Opener.ts'

/** The window that opened this page. It is captured when the layer is built, at load. */
export const OpenerWindow = Layer.sync(Opener, () => {
  const opener = window.opener as Window | null
  return Opener.of({
    present: Effect.succeed(opener !== null),
    post: (message, targetOrigin) => Effect.sync(() => opener?.postMessage(message, targetOrigin)),
    messages: Effect.gen(function* () {
      const queue = yield* Queue.unbounded<OpenerMessage>()
      const receive = ({ source, origin, data }: MessageEvent<unknown>) =>
        Queue.offerUnsafe(queue, { fromOpener: opener !== null && source === opener, origin, data })
      window.addEventListener('message', receive)
      yield* Effect.addFinalizer(() => Effect.sync(() => window.removeEventListener('message', receive)))
      return queue
    }),
  })
})
