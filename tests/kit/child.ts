/** A script of this repository in a process of its own, and what it said. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export type Child = {
  readonly process: ChildProcess
  /** What it wrote so far, both streams. */
  readonly said: () => string
  readonly ended: Promise<number | null>
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export const startChild = (
  script: string,
  environment: Readonly<Record<string, string>>,
  parameters: readonly string[] = [],
): Child => {
  const child = spawn(process.execPath, [join(root, script), ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const listen = (chunk: Buffer) => {
    said += chunk.toString()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    said: () => said,
    ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** Asks until the answer is 200. */
export const untilOk = async (url: string, child: Child, withinMs = 60_000): Promise<void> => {
  const until = Date.now() + withinMs
  while (Date.now() < until) {
    if (child.process.exitCode !== null) throw new Error(`the process ended: ${child.said()}`)
    const isOk = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isOk) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not answer 200 within ${withinMs / 1000} s: ${child.said()}`)
}
