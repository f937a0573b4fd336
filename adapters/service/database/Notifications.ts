/**
 * Notifications through the database. What this process publishes its own subscribers are told at the commit; what
 * other processes publish comes by PostgreSQL's NOTIFY, on a connection of its own (`listening.ts`).
 */
import * as Effect from 'effect/Effect'
import * as Latch from 'effect/Latch'
import * as Layer from 'effect/Layer'
import { sql } from 'kysely'
import { Notifications } from '../../../domain/service/ports/Notifications.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { Database } from './Database.ts'
import { channel, listening, payloadOf, type ListenOptions } from './listening.ts'

/** How often a subscriber is told to look while this process cannot hear the others. */
const deafLook = '2 seconds'

/** For a database that this process alone writes. If there are others all the same, it does not hear them. */
export const notificationsOfProcess = ({ isAlone }: { readonly isAlone: boolean }) =>
  Layer.effect(
    Notifications,
    Effect.map(Database, ({ whenCommitted }) => {
      const subscribers = makeSubscribers(() => isAlone)
      return Notifications.of({
        publish: (topic) => whenCommitted(() => subscribers.tell(topic)),
        subscribe: subscribers.subscribe,
      })
    }),
  )

/** For a PostgreSQL that processes share. Without options it does not listen, and never hears the others. */
export const NotificationsPostgres = (
  options: ListenOptions | undefined,
): Layer.Layer<Notifications, never, Database | SecureRandom> =>
  Layer.effect(
    Notifications,
    Effect.gen(function* () {
      const { query, whenCommitted } = yield* Database
      const own = yield* (yield* SecureRandom).uuid
      let hears = false
      const subscribers = makeSubscribers(() => hears)
      if (options !== undefined) {
        const listener = {
          own,
          onTopic: subscribers.tell,
          // Something may have been missed before, and pauses have another length from here on.
          onHearing: (now: boolean) => {
            hears = now
            subscribers.tellAll()
          },
        }
        yield* Effect.forkScoped(listening(options, listener))
      }
      return Notifications.of({
        publish: (topic) =>
          Effect.andThen(
            query((kysely) => sql`select pg_notify(${channel}, ${payloadOf(own, topic)})`.execute(kysely)),
            whenCommitted(() => subscribers.tell(topic)),
          ),
        subscribe: subscribers.subscribe,
      })
    }),
  )

const makeSubscribers = (hearsOthers: () => boolean) => {
  const topics = new Map<string, Set<Latch.Latch>>()
  const add = (topic: string): Latch.Latch => {
    const latch = Latch.makeUnsafe()
    const latches = topics.get(topic) ?? new Set()
    topics.set(topic, latches.add(latch))
    return latch
  }
  const remove = (topic: string, latch: Latch.Latch): void => {
    const latches = topics.get(topic)
    latches?.delete(latch)
    if (latches?.size === 0) topics.delete(topic)
  }
  const open = (latches: Iterable<Latch.Latch>): void => {
    for (const latch of latches) latch.openUnsafe()
  }
  /** Closed before the subscriber looks: what comes during the look opens it again. */
  const changed = (latch: Latch.Latch): Effect.Effect<void> =>
    Effect.suspend(() => (hearsOthers() ? latch.await : Effect.timeoutOption(latch.await, deafLook))).pipe(
      Effect.andThen(latch.close),
      Effect.asVoid,
    )
  return {
    tell: (topic: string): void => open(topics.get(topic) ?? []),
    tellAll: (): void => topics.forEach(open),
    subscribe: (topic: string) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => add(topic)),
          (latch) => Effect.sync(() => remove(topic, latch)),
        ),
        changed,
      ),
  }
}
