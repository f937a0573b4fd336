/** A development stack in a process of its own, as `npm start` brings it up, on free ports and in a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.ts'

export type Environment = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '..', '..')
const main = join(root, 'adapters/development/main.ts')

const readyWithinMs = 60_000

/** `use` gets the variables by which the stack was started: DATA_FOLDER tells where its dev.json is. */
export const withStack = async <A>(variables: Environment, use: (environment: Environment) => Promise<A>): Promise<A> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tandem stack '))
  const [api, cosigner, portal, connect, admin, chain] = await Promise.all(Array.from({ length: 6 }, () => freePort()))
  const environment = {
    DATA_FOLDER: dataFolder,
    API_LISTEN: String(api),
    COSIGNER_LISTEN: String(cosigner),
    PORTAL_LISTEN: String(portal),
    CONNECT_LISTEN: String(connect),
    ADMIN_LISTEN: String(admin),
    PORTAL_URL: `http://localhost:${portal}`,
    CHAIN_PORT: String(chain),
    ...variables,
  }
  const stack = spawn(process.execPath, [main], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => stack.once('exit', () => resolve()))
  try {
    await untilReady(stack, `http://127.0.0.1:${admin}/health/ready`, join(dataFolder, 'dev.json'))
    return await use(environment)
  } finally {
    stack.kill('SIGTERM')
    await ended
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const untilReady = async (stack: ChildProcess, url: string, file: string): Promise<void> => {
  const until = Date.now() + readyWithinMs
  while (Date.now() < until) {
    if (stack.exitCode !== null) throw new Error('the stack ended before it was ready')
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && existsSync(file)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the stack was not ready within ${readyWithinMs / 1000} s`)
}
