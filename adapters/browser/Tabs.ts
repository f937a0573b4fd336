import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { Tabs } from '../../domain/client/ports/Tabs.ts'

/** On a server there are no tabs: processes of many users would hear each other. */
export const TabsWeb = Layer.suspend(() => (typeof window === 'undefined' ? TabsNone : TabsBroadcast))

const TabsNone = Layer.succeed(Tabs, {
  post: () => Effect.void,
  messages: () => Queue.unbounded<unknown>(),
})

/** BroadcastChannel; a channel that nobody listens on is opened for one message only. */
export const TabsBroadcast = Layer.succeed(Tabs, {
  post: (channel, message) =>
    Effect.sync(() => {
      const sender = new BroadcastChannel(channel)
      sender.postMessage(message)
      sender.close()
    }),
  messages: (channel) =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<unknown>()
      const receiver = new BroadcastChannel(channel)
      receiver.onmessage = ({ data }) => Queue.offerUnsafe(queue, data)
      yield* Effect.addFinalizer(() => Effect.sync(() => receiver.close()))
      return queue
    }),
})
