/** What SIGHUP means to a process: stop where its terminal was closed, reload otherwise. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stopOnSignal } from '../../../adapters/service/stopOnSignal.ts'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
let added: readonly (readonly [NodeJS.Signals, () => void])[] = []
beforeEach(() => {
  // The deadline of a stop would end the process of the tests.
  vi.useFakeTimers()
})
afterEach(() => {
  for (const [signal, listener] of added) process.off(signal, listener)
  vi.useRealTimers()
})

/** `terminals`: the descriptors that are terminals, as long as they are. */
const listen = (terminals: Set<number>) => {
  const before = signals.map((signal) => process.listeners(signal))
  const stop = vi.fn(() => new Promise<void>(() => undefined))
  const reload = vi.fn()
  stopOnSignal(stop, reload, (descriptor) => terminals.has(descriptor))
  added = signals.flatMap((signal, index) =>
    process.listeners(signal).flatMap((listener) => {
      const isNew = before[index]?.includes(listener) === false
      return isNew ? [[signal, listener as () => void] as const] : []
    }),
  )
  const hangUp = () => {
    for (const [signal, listener] of added) if (signal === 'SIGHUP') listener()
    return { reloads: reload.mock.calls.length, stops: stop.mock.calls.length }
  }
  return hangUp
}

it('reloads without a terminal, as under systemd', () => {
  const hangUp = listen(new Set())
  expect(hangUp()).toEqual({ reloads: 1, stops: 0 })
  expect(hangUp()).toEqual({ reloads: 2, stops: 0 })
})

it('reloads at a terminal that is open, and stops once where it is closed', () => {
  const terminals = new Set([0, 2])
  const hangUp = listen(terminals)
  expect(hangUp()).toEqual({ reloads: 1, stops: 0 })
  terminals.clear()
  expect(hangUp()).toEqual({ reloads: 1, stops: 1 })
  expect(hangUp()).toEqual({ reloads: 1, stops: 1 })
})
