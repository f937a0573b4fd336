import { useSyncExternalStore } from 'react'
import type { Readable } from '../../adapters/browser/store.ts'

/** The current value, updated whenever it changes. */
export const useReadable = <A>({ subscribe, get }: Readable<A>): A => useSyncExternalStore(subscribe, get, get)
