import { useSyncExternalStore } from 'react'
import type { Readable } from '../../adapters/browser/store.ts'

/** What a value is now, and again whenever it changes. */
export const useReadable = <A,>({ subscribe, get }: Readable<A>): A => useSyncExternalStore(subscribe, get, get)
