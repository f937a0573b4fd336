import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { Kind } from '../model/Popup.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'

/** A window for the portal, or none if the browser opens none. */
export type Opened = Option.Option<OpenPopup>

/** Has to run before anything is awaited: a browser opens windows only within the click. */
export const openWindow = Effect.fn('portalSessions.openWindow')(function* (kind: Kind) {
  return yield* Effect.option((yield* Popup).open(kind))
})

/**
 * Closes the window and cleans up after any failure but `PopupBlocked`: that one gives the app the page's address, and
 * the page will need what is kept.
 */
export const unlessContinued =
  <R2>(opened: Opened, giveUp: Effect.Effect<void, never, R2>) =>
  <A, E extends { readonly _tag: string }, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | R2> =>
    Effect.onError(flow, (cause) => {
      const isContinued = Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === 'PopupBlocked')
      const close = Option.match(opened, { onNone: () => Effect.void, onSome: (popup) => popup.close })
      return Effect.andThen(close, isContinued ? Effect.void : giveUp)
    })
