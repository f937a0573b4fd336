/**
 * Keeps the full address of a page whose address bar was stripped of its parameters, in the state of the history entry:
 * a page that is reloaded begins again with it.
 */
import * as v from 'valibot'
import * as Json from '../../domain/model/Json.ts'

export const loadedAddress = (): string => addressOf(window.history.state) ?? window.location.href.replace(/#.*$/, '')

/** Shows another address, and keeps the one that the page was loaded with. */
export const showAddress = (shown: string, loaded: string): void =>
  window.history.replaceState({ address: loaded }, '', shown)

const addressOf = (state: unknown): string | undefined => Json.check(entryState, state)?.address

const entryState = v.object({ address: v.string() })
