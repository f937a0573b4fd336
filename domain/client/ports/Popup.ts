import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type * as Queue from 'effect/Queue'
import type * as Scope from 'effect/Scope'
import type { Kind } from '../../model/Popup.ts'

/** A window that this document opened. Two handles are the same window only if they are the same object. */
export type OpenPopup = {
  readonly navigate: (url: string) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
  /** A hint only: a document with COOP `same-origin` reads `true` at once. */
  readonly closed: Effect.Effect<boolean>
  readonly post: (message: unknown, targetOrigin: string) => Effect.Effect<void>
}

/** A message as the platform delivered it: `source` is the handle it came from, if this document opened that window. */
export type WindowMessage = {
  readonly source: OpenPopup | undefined
  readonly origin: string
  readonly data: unknown
}

/** The windows that the host opens. */
export class Popup extends Context.Service<
  Popup,
  {
    /** Opens a blank window at once, so that it happens within the click; it is navigated later. */
    readonly open: (kind: Kind) => Effect.Effect<OpenPopup, PopupBlocked>
    readonly messages: Effect.Effect<Queue.Dequeue<WindowMessage>, never, Scope.Scope>
  }
>()('tandem/client/Popup') {}

/**
 * Neither a window nor a tab could be opened. The person may click again, or follow `continueUrl`: the page then
 * returns by redirect.
 */
export class PopupBlocked extends Data.TaggedError('PopupBlocked')<{ readonly continueUrl?: string }> {
  override readonly message = 'the popup was blocked'
}
