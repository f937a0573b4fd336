/**
 * The address of a page whose address bar was stripped of its parameters: this entry of the window's own history keeps it, so
 * that a page that is reloaded begins again (flows 2.2).
 */
export const loadedAddress = (): string => addressOf(window.history.state) ?? window.location.href.replace(/#.*$/, '')

/** Shows another address, and keeps the one that the page was loaded with. */
export const showAddress = (shown: string, loaded: string): void => window.history.replaceState({ address: loaded }, '', shown)

const addressOf = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'address' in state && typeof state.address === 'string'
    ? state.address
    : undefined
