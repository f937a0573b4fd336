import type { Para } from '../adapters/browser/sdk.ts'
import type { VerbName } from '../adapters/browser/verbs.ts'

/** The part of the SDK that React uses. A test of an app can give its provider an object with these verbs. */
export type Client = Pick<Para, 'session' | 'on' | 'dispose' | VerbName>
