/**
 * The connection on which a process hears the others: PostgreSQL's LISTEN. It connects again after it is lost. That it
 * hears is proven by what it publishes to itself, because a pooler in transaction mode accepts LISTEN and delivers
 * nothing.
 */
import * as Effect from 'effect/Effect'
import * as Latch from 'effect/Latch'
import * as Redacted from 'effect/Redacted'
import * as Schedule from 'effect/Schedule'
import pg from 'pg'

export const channel = 'tandem'

export type ListenOptions = { readonly url: Redacted.Redacted; readonly log: (message: string) => void }

export type Listener = {
  /** The name of this process. Its own topics are ignored: it was told at the commit. */
  readonly own: string
  readonly onTopic: (topic: string) => void
  readonly onHearing: (hears: boolean) => void
}

/** A connection may be lost without a word: how often that is looked for, and how long PostgreSQL may take to answer. */
const proofEvery = '10 seconds'
const answerWithinMs = 5_000

const again = Schedule.min([Schedule.exponential('250 millis'), Schedule.spaced('10 seconds')]).pipe(Schedule.jittered)

/** Listens for as long as it is not interrupted. */
export const listening = ({ url, log }: ListenOptions, listener: Listener): Effect.Effect<never> => {
  const once = listenOnce(url, listener)
  const warn = Effect.sync(() => log('notifications of the database cannot be heard; waiting calls look every 2 s'))
  // The schedule has no end.
  const untilHeard = Effect.orDie(Effect.retry(Effect.delay(once, '250 millis'), again))
  return Effect.forever(Effect.catch(once, () => Effect.andThen(warn, untilHeard)))
}

/** Fails if it cannot be heard, and ends when it cannot be any more. */
const listenOnce = (url: Redacted.Redacted, { own, onTopic, onHearing }: Listener) =>
  Effect.gen(function* () {
    const lost = Latch.makeUnsafe()
    const proven = Latch.makeUnsafe()
    const client = yield* clientOf(url, {
      onNotification: (by, topic) => {
        if (by !== own) onTopic(topic)
        else if (topic === proof) proven.openUnsafe()
      },
      onLost: () => lost.openUnsafe(),
    })
    const prove = Effect.gen(function* () {
      yield* proven.close
      yield* Effect.tryPromise(() => client.query('select pg_notify($1, $2)', [channel, payloadOf(own, proof)]))
      yield* Effect.timeout(proven.await, answerWithinMs)
    })
    yield* Effect.tryPromise(() => client.connect())
    yield* Effect.tryPromise(() => client.query(`listen ${channel}`))
    yield* prove
    yield* Effect.acquireRelease(
      Effect.sync(() => onHearing(true)),
      () => Effect.sync(() => onHearing(false)),
    )
    yield* Effect.ignore(Effect.raceFirst(lost.await, Effect.schedule(prove, Schedule.spaced(proofEvery))))
  }).pipe(Effect.scoped)

type Events = {
  readonly onNotification: (by: string, topic: string) => void
  readonly onLost: () => void
}

const clientOf = (url: Redacted.Redacted, { onNotification, onLost }: Events) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const client = new pg.Client({
        connectionString: Redacted.value(url),
        connectionTimeoutMillis: answerWithinMs,
        query_timeout: answerWithinMs,
        application_name: 'tandem listener',
      })
      client.on('error', onLost)
      client.on('end', onLost)
      client.on('notification', ({ payload = '' }) => {
        const [by = '', topic = ''] = payload.split(' ')
        onNotification(by, topic)
      })
      return client
    }),
    // Not waited for: a connection that was lost without a word does not answer.
    (client) => Effect.sync(() => void client.end().catch(() => undefined)),
  )

/** What a process publishes to itself. */
const proof = 'proof'

export const payloadOf = (by: string, topic: string): string => `${by} ${topic}`
