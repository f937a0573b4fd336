/** What a process of the service does on signals. */
import { isatty } from 'node:tty'

/** How long stopping may take before the process exits anyway. */
const deadlineMs = 10_000

/**
 * Stops on the first signal and ignores further ones: a terminal signals every process of the group, and npm forwards
 * the signal once more. With `reload` SIGHUP calls that instead, unless it says that the process's terminal was closed.
 */
export const stopOnSignal = (
  stop: () => Promise<void>,
  reload?: () => void,
  isTerminal: (descriptor: number) => boolean = isatty,
): void => {
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
  const terminals = standardStreams.filter(isTerminal)
  const onHangUp = () => {
    if (reload === undefined || !terminals.every(isTerminal)) onSignal()
    else if (!stopping) reload()
  }
  process.on('SIGHUP', onHangUp)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
}

/** Descriptors of stdin, stdout and stderr. */
const standardStreams = [0, 1, 2]
