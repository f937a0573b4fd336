import * as Effect from 'effect/Effect'
import type { HandlersOf, Input } from '../../../generated/handlers.ts'
import * as flows from '../../../domain/service/pregen.ts'
import type { Incoming } from './Incoming.ts'
import { answer } from './wallets.ts'

export const pregen = {
  listPregenWallets: ({ query }: Input<'listPregenWallets'>) =>
    Effect.map(flows.listPregenWallets(query?.ids ?? {}), (listed) => answer(listed)),
} satisfies Partial<HandlersOf<'pregen', Incoming, unknown>>
