import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Navigation } from '../../domain/client/ports/Navigation.ts'

/** A page's own place, and on a server none. */
export const NavigationHost = Layer.suspend(() =>
  typeof window === 'undefined' ? NavigationNowhere : NavigationWindow,
)

const NavigationNowhere = Layer.succeed(Navigation, {
  url: Effect.succeed(''),
  replace: () => Effect.void,
  redirect: () => Effect.void,
  close: Effect.void,
  hidden: Effect.never,
})

/**
 * The page's address is read once, when the layer is built: a hostile opener can change the fragment without a reload.
 */
export const NavigationWindow = Layer.sync(Navigation, () => {
  const url = window.location.href
  return Navigation.of({
    url: Effect.succeed(url),
    // A router's state in the history entry is kept.
    replace: (to) => Effect.sync(() => window.history.replaceState(window.history.state, '', to)),
    redirect: (to) => Effect.sync(() => window.location.replace(to)),
    close: Effect.sync(() => window.close()),
    hidden: Effect.callback<void>((resume) => {
      const hide = () => resume(Effect.void)
      window.addEventListener('pagehide', hide, { once: true })
      return Effect.sync(() => window.removeEventListener('pagehide', hide))
    }),
  })
})
