/** How long stopping may take before the process exits anyway. */
const deadlineMs = 10_000

/**
 * Stops on the first signal and ignores further ones: a terminal signals every process of the group, and npm forwards
 * the signal once more.
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
