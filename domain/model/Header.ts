/** Names of the headers that carry who calls, in the lower case in which HTTP compares them (spec §6 and §9). */
import { shortName } from './Provider.ts'

export const session = 'x-capsule-sid'
export const partner = 'x-partner-id'
export const apiKey = 'x-external-api-key'
export const version = `x-${shortName}-version` as const

/** The device's signature over a request: `keyThumb.ms.sig` (flows, notation). */
export const device = 'x-tandem-device'

/** The tag of the error whose sentence is the body (design 3). */
export const errorCode = 'x-error-code'
export const idempotencyKey = 'idempotency-key'

/** `prefer: wait=20` asks a polled call to answer when there is news (design 3). */
export const prefer = 'prefer'
