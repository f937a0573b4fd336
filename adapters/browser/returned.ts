/**
 * What a page of the portal sent back in this page's address (flows 2, redirect). It is taken out of it at once, before
 * anything is loaded that can go on with it: the app's other scripts read addresses too, and tell them to others.
 */
let address: string | undefined

/** Done by the first call that may need it. What a router keeps with the entry stays. */
export const clearAddress = (): void => {
  if (typeof window === 'undefined' || !window.location.hash.startsWith('#tandem=')) return
  address = window.location.href
  window.history.replaceState(window.history.state, '', address.replace(/#.*$/, ''))
}

export const hasReturned = (): boolean => address !== undefined

/** The address as it came, to one flow only. */
export const takeReturned = (): string | undefined => {
  const taken = address
  address = undefined
  return taken
}
