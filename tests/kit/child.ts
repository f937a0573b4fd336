/** A script of this repository in a process of its own, and its output. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Where processes and threads that tests start keep what they compiled. */
export const compiledFolder = join(root, 'node_modules/.cache/tandem/compiled')

export type Child = {
  readonly process: ChildProcess
  /** Its output so far, of both streams. */
  readonly said: () => string
  /** Waits until its output matches, and gives the first group; a process that ends before has failed. */
  readonly until: (words: RegExp) => Promise<string>
  readonly ended: Promise<number | null>
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** `script`: its path from the root, or that of another version's. */
export const startChild = (
  script: string,
  environment: Readonly<Record<string, string>>,
  parameters: readonly string[] = [],
): Child => {
  const child = spawn(process.execPath, [resolve(root, script), ...parameters], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compiledFolder, ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const waiting = new Set<() => void>()
  const listen = (chunk: Buffer) => {
    said += chunk.toString()
    waiting.forEach((look) => look())
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    said: () => said,
    until: (words) => {
      const heard = new Promise<string>((resolve) => {
        const look = () => {
          const found = words.exec(said)
          if (found === null) return
          waiting.delete(look)
          resolve(found[1] ?? found[0])
        }
        waiting.add(look)
        look()
      })
      const failed = ended.then(() => Promise.reject(new Error(`the process ended: ${said}`)))
      return Promise.race([heard, failed])
    },
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
