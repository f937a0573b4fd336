/** Names of the headers, in lower case (openapi/README.md#sessions-and-headers). */
import { shortName } from './Provider.ts'

export const session = 'x-capsule-sid'
export const partner = 'x-partner-id'
export const apiKey = 'x-external-api-key'
export const version = `x-${shortName}-version` as const

/** The device's signature over a request: `keyThumb.ms.sig` (openapi/README.md#device-signatures). */
export const device = 'x-tandem-device'

/** The name of the error whose sentence is the body. */
export const errorCode = 'x-error-code'
export const idempotencyKey = 'idempotency-key'

/** `prefer: wait=20` lets a polled call wait up to 20 s for news. */
export const prefer = 'prefer'
