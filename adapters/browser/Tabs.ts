import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { Tabs } from '../../domain/client/ports/Tabs.ts'

/** A server has no tabs, and a channel there would join the sessions of different users. */
export const TabsWeb = Layer.suspend(() => (typeof window === 'undefined' ? TabsNone : TabsBroadcast))

const TabsNone = Layer.succeed(Tabs, {
  post: () => Effect.void,
  messages: () => Queue.unbounded<unknown>(),
})

/**
 * A BroadcastChannel delivers a message to every channel object except the sender. So there is one object per name,
 * which all listeners and senders of this document share. Without a listener it is opened for the one message.
 */
export const TabsBroadcast = Layer.sync(Tabs, () => {
  const open = new Map<string, { readonly channel: BroadcastChannel; readonly queues: Set<Queue.Queue<unknown>> }>()

  const listenOn = (name: string) => {
    const known = open.get(name)
    if (known !== undefined) return known
    const channel = new BroadcastChannel(name)
    const queues = new Set<Queue.Queue<unknown>>()
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      for (const queue of queues) Queue.offerUnsafe(queue, data)
    }
    const opened = { channel, queues }
    open.set(name, opened)
    return opened
  }

  return {
    post: (name, message) =>
      Effect.sync(() => {
        const listening = open.get(name)
        if (listening !== undefined) return listening.channel.postMessage(message)
        const sender = new BroadcastChannel(name)
        sender.postMessage(message)
        sender.close()
      }),
    messages: (name) =>
      Effect.gen(function* () {
        const queue = yield* Queue.unbounded<unknown>()
        const { channel, queues } = listenOn(name)
        queues.add(queue)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            queues.delete(queue)
            if (queues.size > 0) return
            channel.close()
            open.delete(name)
          }),
        )
        return queue
      }),
  }
})
