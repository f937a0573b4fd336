import * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Kind } from '../model/Popup.ts'
import { Popup, type OpenPopup } from './ports/Popup.ts'

/** A window for the portal, or none where the browser opens none. */
export type Opened = Option.Option<OpenPopup>

/** Happens at once: whatever is awaited first takes the click away from it (flows 2.1). */
export const openWindow = Effect.fn('openings.openWindow')(function* (kind: Kind) {
  return yield* Effect.option((yield* Popup).open(kind))
})
