/**
 * Popups of the host, by window.open. Each message comes with the handle of its source window: the host answers only
 * windows that it opened itself, so a page that was opened by another site gets no answer.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { Popup, PopupBlocked, type OpenPopup, type WindowMessage } from '../../domain/client/ports/Popup.ts'
import { isIsolated } from './isolation.ts'
import { openPortalWindow } from './portalWindow.ts'

const handles = new WeakMap<Window, OpenPopup>()

const handleOf = (opened: Window): OpenPopup => {
  const handle = handles.get(opened) ?? makeHandle(opened)
  handles.set(opened, handle)
  return handle
}

const makeHandle = (opened: Window): OpenPopup => ({
  navigate: (url) => Effect.sync(() => opened.location.replace(url)),
  close: Effect.sync(() => {
    handles.delete(opened)
    opened.close()
  }),
  closed: Effect.promise(async () => opened.closed && !(await isIsolated())),
  post: (message, targetOrigin) => Effect.sync(() => opened.postMessage(message, targetOrigin)),
})

const popupFor = (opened: Window | null) =>
  opened === null ? Effect.fail(new PopupBlocked({})) : Effect.succeed(handleOf(opened))

export const PopupWindow = Layer.succeed(
  Popup,
  Popup.of({
    // On a server there is no window.
    open: (kind) => Effect.suspend(() => popupFor(typeof window === 'undefined' ? null : openPortalWindow(kind))),
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
  }),
)

/** The flow opens this window, which the click has opened before the flow's code was loaded; `null`: it was blocked. */
export const withOpened = <A, E, R>(opened: Window | null, flow: Effect.Effect<A, E, R>) =>
  Effect.updateService(flow, Popup, (popups) => ({ ...popups, open: () => popupFor(opened) }))
