import * as Effect from 'effect/Effect'
import type { HandlersOf, Input } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/diagnostics.ts'
import type { Incoming } from './Incoming.ts'

export const diagnostics = {
  reportSdkError: ({ body }: Input<'reportSdkError'>) => Effect.as(flows.reportSdkError(body), {}),
} satisfies Partial<HandlersOf<'diagnostics', Incoming, unknown>>
