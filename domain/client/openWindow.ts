import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { Kind } from '../model/Popup.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'

/** A window for the portal, or none where the browser opens none. */
export type Opened = Option.Option<OpenPopup>

/** Happens at once: whatever is awaited first takes the click away from it (flows 2.1). */
export const openWindow = Effect.fn('openings.openWindow')(function* (kind: Kind) {
  return yield* Effect.option((yield* Popup).open(kind))
})

/**
 * Whatever fails closes the window and leaves nothing behind, unless the app was given the page's address: what that page
 * will need is kept then.
 */
export const unlessContinued =
  <R2>(opened: Opened, giveUp: Effect.Effect<void, never, R2>) =>
  <A, E extends { readonly _tag: string }, R>(flow: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | R2> =>
    Effect.onError(flow, (cause) => {
      const isContinued = Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === 'PopupBlocked')
      const close = Option.match(opened, { onNone: () => Effect.void, onSome: (popup) => popup.close })
      return Effect.andThen(close, isContinued ? Effect.void : giveUp)
    })
