/** What the documents of an origin tell each other about their session (domain/client/README.md#tabs). */
import * as Effect from 'effect/Effect'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
import { Tabs } from './ports/Tabs.ts'

export type TabNews =
  /** `signed-in`, `wallets`: a user is signed in, or has other wallets. The receiver asks the service. */
  { readonly type: 'signed-in' } | { readonly type: 'wallets' } | { readonly type: 'signed-out' }

export const tabChannel = 'tandem:session'

export const tellTabs = Effect.fn('sessions.tellTabs')(function* (news: TabNews) {
  yield* (yield* Tabs).post(tabChannel, news)
})

/** The type of another document's message, if it is one of these. */
export const readTabNews = (message: unknown): TabNews['type'] | undefined => {
  return Json.check(tabNews, message)?.type
}

const tabNews = v.object({ type: v.picklist(['signed-in', 'wallets', 'signed-out']) })
