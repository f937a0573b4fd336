/** How long stopping may take before the process ends all the same. */
const deadlineMs = 10_000

/**
 * Stops once on the first signal. Further ones change nothing: a terminal sends its own to every process of the group, and
 * npm passes one on.
 */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  let stopping = false
  const onSignal = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), deadlineMs).unref()
    stop().then(
      () => process.exit(0),
      (cause: unknown) => {
        console.error(cause)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}
