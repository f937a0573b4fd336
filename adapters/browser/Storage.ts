/**
 * The host's storage: the browser's, memory in Node, or the app's own. It is not accessed before the first call, so any
 * server renderer can import the SDK.
 */
import * as Layer from 'effect/Layer'
import { Storage, type StorageArea } from '../../domain/client/ports/Storage.ts'
import { stored } from './StorageFailed.ts'

type MaybePromise<A> = A | Promise<A>

/** A storage area with the browser's functions, which may be asynchronous. */
export type KeyValueArea = {
  readonly getItem: (key: string) => MaybePromise<string | null>
  readonly setItem: (key: string, value: string) => MaybePromise<void>
  readonly removeItem: (key: string) => MaybePromise<void>
}

export type StorageOverride = { readonly local: KeyValueArea; readonly session: KeyValueArea }

export const StorageWeb = (override?: StorageOverride) =>
  Layer.sync(Storage, () => ({
    local: areaOf(override ? () => override.local : lazily(() => window.localStorage)),
    session: areaOf(override ? () => override.session : lazily(() => window.sessionStorage)),
  }))

/** Both areas in memory. The portal's page uses it: its token and keys must not outlive the page. */
export const StorageMemory = Layer.sync(Storage, () => ({
  local: areaOf(lazily(memoryArea)),
  session: areaOf(lazily(memoryArea)),
}))

const areaOf = (area: () => KeyValueArea): StorageArea => ({
  get: (key) => stored(async () => (await area().getItem(key)) ?? undefined),
  set: (key, value) => stored(async () => area().setItem(key, value)),
  remove: (key) => stored(async () => area().removeItem(key)),
})

/** Made at the first call. Memory is used without a window, or when the browser denies access to its storage. */
const lazily = (make: () => KeyValueArea) => {
  let area: KeyValueArea | undefined
  return () => (area ??= reachable(make))
}

const reachable = (make: () => KeyValueArea): KeyValueArea => {
  try {
    return make()
  } catch {
    return memoryArea()
  }
}

const memoryArea = (): KeyValueArea => {
  const entries = new Map<string, string>()
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}
