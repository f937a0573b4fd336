/**
 * Runs a listener of the app. What it throws is uncaught, as in a listener of the page, and keeps nothing else from being
 * done.
 */
export const uncaught = (listener: () => void): void => {
  try {
    listener()
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown
    })
  }
}
