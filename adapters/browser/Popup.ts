/**
 * Popups of the host, by window.open. Messages carry the handle of the window that they come from, which is how the
 * host knows the pages that it opened itself (flows 2.4).
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { Popup, PopupBlocked, type OpenPopup, type WindowMessage } from '../../domain/client/ports/Popup.ts'
import * as PopupRules from '../../domain/model/Popup.ts'

export const PopupWindow = Layer.sync(Popup, () => {
  const handles = new Map<Window, OpenPopup>()

  const handleOf = (opened: Window): OpenPopup => ({
    navigate: (url) => Effect.sync(() => opened.location.replace(url)),
    close: Effect.sync(() => {
      handles.delete(opened)
      opened.close()
    }),
    closed: Effect.sync(() => opened.closed),
    post: (message, targetOrigin) => Effect.sync(() => opened.postMessage(message, targetOrigin)),
  })

  return Popup.of({
    open: (kind) =>
      Effect.suspend(() => {
        const { screenX: left, screenY: top, outerWidth: width, outerHeight: height } = window
        const name = PopupRules.windowName(kind, crypto.randomUUID())
        const features = PopupRules.features(kind, { left, top, width, height })
        const opened = window.open('', name, features) ?? window.open('', PopupRules.blockedTarget)
        if (opened === null) return Effect.fail(new PopupBlocked({}))
        const handle = handleOf(opened)
        handles.set(opened, handle)
        return Effect.succeed(handle)
      }),
    messages: Effect.gen(function* () {
      const queue = yield* Queue.unbounded<WindowMessage>()
      const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
        const handle = source === null ? undefined : handles.get(source as Window)
        Queue.offerUnsafe(queue, { source: handle, origin, data })
      }
      window.addEventListener('message', receive)
      yield* Effect.addFinalizer(() => Effect.sync(() => window.removeEventListener('message', receive)))
      return queue
    }),
  })
})
