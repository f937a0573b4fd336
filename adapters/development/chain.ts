/**
 * A local EVM chain for development: anvil, the platform's own binary. A small shell holds it, so that it ends with this
 * process, however that ends.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import { StartRefusal } from '../service/StartRefusal.ts'

export type LocalChain = {
  readonly chainId: string
  readonly url: string
  readonly faucet: { readonly address: string; readonly privateKey: string }
  readonly stop: () => Promise<void>
}

const chainId = '31337'

/** The first of anvil's well-known accounts: public knowledge, worth nothing outside of a local chain. */
const faucet = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
}

const readyWithin = '10 seconds'

/** Undefined where there is no binary for this platform. */
export const startChain = async (port: number): Promise<LocalChain | undefined> => {
  const binary = findBinary()
  if (binary === undefined) return undefined
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', chainId, '--silent']
  const keeper = spawn('/bin/sh', ['-c', keep, binary, ...flags], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  // The shell may be gone when its input is closed.
  keeper.stdin.on('error', () => undefined)
  const stop = () => {
    keeper.stdin.end()
    return ended
  }
  const url = `http://127.0.0.1:${port}`
  const isUp = await Promise.race([untilAnswers(url), ended.then(() => false)])
  if (isUp) return { chainId, url, faucet, stop }
  await stop()
  throw new StartRefusal({ message: `Port ${port}, on which the local chain listens, cannot be opened.` })
}

/** Runs the binary until its time is over, or the input closes. A terminal's interrupt goes to everybody; only the input counts. */
const keep = [
  'trap "" INT',
  'exec 3<&0',
  '"$0" "$@" & chain=$!',
  '{ read -r _ <&3; kill $chain; } 2>/dev/null & reader=$!',
  'wait $chain',
  'kill $reader 2>/dev/null',
].join('\n')

const findBinary = (): string | undefined => {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
    )
    const binary = join(dirname(manifest), 'bin', 'anvil')
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

const untilAnswers = (url: string): Promise<boolean> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const ask = Effect.promise((signal) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal }).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const isUp = Effect.repeat(ask, { schedule: Schedule.spaced('20 millis'), until: (ok) => ok })
  return Effect.runPromise(Effect.timeoutOrElse(isUp, { duration: readyWithin, orElse: () => Effect.succeed(false) }))
}
