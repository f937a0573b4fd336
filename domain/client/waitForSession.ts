import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type * as OpenerMessages from '../crypto/Opener.ts'
import type { ApiError } from '../model/ApiError.ts'
import { pollIntervalMs } from '../model/Limits.ts'
import { portalSessionSecret } from './portalSessionSecret.ts'
import { portalSessionLife, type PortalSessionHandle } from './openPortal.ts'
import { patient, pollUntil } from './polling.ts'
import type { HostSession } from './SessionState.ts'
import { touch } from './touch.ts'

export type Waited = { readonly session: HostSession; readonly done: Option.Option<OpenerMessages.Done> }

/**
 * Asks for the session every 2 s until it is ready, and at once when the page says that it is done. A page that is gone
 * or cancelled ends the wait; what it committed before counts.
 */
export const waitForSession = Effect.fn('sessions.wait')(function* <E>(
  portalSession: Pick<PortalSessionHandle, 'done' | 'gone'>,
  wait: { readonly isReady: (session: HostSession) => boolean; readonly onGone: () => E },
) {
  const askSession = Effect.map(touch(false), Option.liftPredicate(wait.isReady))
  // A session that was ready before says nothing about this portal session: its result has to be there as well.
  const askPortalSession = Effect.gen(function* () {
    const session = yield* askSession
    return Option.isSome(session) && (yield* isOfPortalSession(session.value)) ? session : Option.none<HostSession>()
  })
  const poll = <R>(ask: Effect.Effect<Option.Option<HostSession>, ApiError, R>) =>
    pollUntil(patient(ask), { every: pollIntervalMs, within: portalSessionLife, onTimeout: wait.onGone })

  const news = yield* Effect.raceAllFirst([
    Effect.map(poll(askPortalSession), (session) => ({ kind: 'ready', session }) as const),
    Effect.map(portalSession.done, (done) => ({ kind: 'done', done }) as const),
    Effect.as(portalSession.gone, { kind: 'gone' } as const),
  ])
  switch (news.kind) {
    case 'ready':
      return { session: news.session, done: Option.none() } satisfies Waited
    case 'done': {
      if (news.done.result === 'cancelled' || news.done.result === 'denied') return yield* Effect.fail(wait.onGone())
      return { session: yield* poll(askSession), done: Option.some(news.done) } satisfies Waited
    }
    case 'gone': {
      const last = Option.flatten(yield* Effect.option(askPortalSession))
      if (Option.isNone(last)) return yield* Effect.fail(wait.onGone())
      return { session: last.value, done: Option.none() } satisfies Waited
    }
  }
})

/** Whether the session's latest portal session is the one that this tab answered. */
const isOfPortalSession = Effect.fnUntraced(function* ({ openingResult }: HostSession) {
  const kept = yield* portalSessionSecret
  return Option.isSome(kept) && kept.value.openingId === openingResult?.openingId
})
