import type { Client } from '../Client.ts'
import { useProvided } from '../context.ts'

/** The SDK itself, for verbs that have no hook. */
export const useClient = (): Client => useProvided().client()
