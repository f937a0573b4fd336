import type { HandlersOf } from '../../../generated/handlers.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import type { Incoming } from './Incoming.ts'

export const protocol = {
  exchangeFrame: ({ body }: { readonly body: Uint8Array }) => exchangeFrame(body),
} satisfies Partial<HandlersOf<'protocol', Incoming, unknown>>
