/** A client with calls that the test sets, and counters. Any other call fails. */
import type { SessionSnapshot } from '../../adapters/browser/sdk.ts'
import { verbNames, type VerbName } from '../../adapters/browser/verbs.ts'
import type { Client } from '../../react/index.ts'

export type FakeClient = Client & {
  readonly setSession: (snapshot: SessionSnapshot) => void
  readonly emit: (name: string, data: unknown) => void
  readonly subscribers: () => number
  readonly disposals: () => number
}

export const anonymous: SessionSnapshot = { status: 'anonymous', wallets: [] }
export const loading: SessionSnapshot = { status: 'loading', wallets: [] }

export const fakeClient = (verbs: Partial<Client> = {}, snapshot: SessionSnapshot = anonymous): FakeClient => {
  const listeners = new Set<() => void>()
  const hearers = new Map<string, Set<(detail: { readonly data: unknown }) => void>>()
  let current = snapshot
  let disposals = 0

  const unasked = (verb: VerbName) => [verb, () => Promise.reject(new Error(`${verb} is not expected`))] as const
  return {
    ...(Object.fromEntries(verbNames.map(unasked)) as Readonly<Record<VerbName, () => Promise<never>>>),
    ...verbs,
    dispose: async () => {
      disposals += 1
    },
    on: (name, listener) => {
      const heard = hearers.get(name) ?? new Set()
      const hear = listener as (detail: { readonly data: unknown }) => void
      hearers.set(name, heard.add(hear))
      return () => heard.delete(hear)
    },
    session: {
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      get: () => current,
      getServer: () => loading,
    },
    setSession: (next) => {
      current = next
      for (const listener of listeners) listener()
    },
    emit: (name, data) => {
      for (const hear of hearers.get(name) ?? []) hear({ data })
    },
    subscribers: () => listeners.size,
    disposals: () => disposals,
  }
}

/** A promise that the test ends when it likes. */
export const pending = <A>() => {
  let resolve: (value: A) => void = () => undefined
  let reject: (cause: unknown) => void = () => undefined
  const promise = new Promise<A>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
