/** What the documents of an origin tell each other about their session (flows 6, two tabs; 12). */
import * as Effect from 'effect/Effect'
import { Tabs } from './ports/Tabs.ts'

export type TabNews =
  /** Somebody is signed in now, or has other wallets: whoever hears it asks the service. */
  | { readonly type: 'signed-in' }
  | { readonly type: 'wallets' }
  | { readonly type: 'signed-out' }

export const tabChannel = 'tandem:session'

export const tellTabs = Effect.fn('sessions.tellTabs')(function* (news: TabNews) {
  yield* (yield* Tabs).post(tabChannel, news)
})

/** A message of another document, if it is one of these. */
export const readTabNews = (message: unknown): TabNews['type'] | undefined => {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined
  const { type } = message
  return type === 'signed-in' || type === 'wallets' || type === 'signed-out' ? type : undefined
}
