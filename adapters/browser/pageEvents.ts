/** Watches other tabs and the person's activity in this one while the SDK is in use. */
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import { Tabs } from '../../domain/client/ports/Tabs.ts'
import { readTabNews, tabChannel, type TabNews } from '../../domain/client/tabNews.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'

/** Hears the other documents of this origin. */
export const watchTabs = Effect.fn('sessions.watchTabs')(function* (onTabMessage: (news: TabNews['type']) => void) {
  const inbox = yield* (yield* Tabs).messages(tabChannel)
  for (;;) {
    const news = readTabNews(yield* Queue.take(inbox))
    if (news !== undefined) onTabMessage(news)
  }
}, Effect.scoped)

/** The public client announces a change only by the token in local storage. */
export const watchToken = (onTabMessage: (news: TabNews['type']) => void): (() => void) => {
  const notice = ({ key, newValue }: StorageEvent) => {
    if (key === StorageKeys.sessionCookie) onTabMessage(newValue === null ? 'signed-out' : 'signed-in')
  }
  window.addEventListener('storage', notice)
  return () => window.removeEventListener('storage', notice)
}

/** A session ends after 90 minutes without use; activity in the page keeps it alive. */
const keepAliveEveryMs = 10 * 60_000

const signsOfUse = ['pointerdown', 'keydown', 'visibilitychange'] as const

export const keepAliveWhileUsed = (keepAlive: () => void): (() => void) => {
  let last = performance.now()
  const use = () => {
    const now = performance.now()
    if (document.visibilityState === 'hidden' || now - last < keepAliveEveryMs) return
    last = now
    keepAlive()
  }
  for (const sign of signsOfUse) document.addEventListener(sign, use, { passive: true })
  return () => {
    for (const sign of signsOfUse) document.removeEventListener(sign, use)
  }
}
