/**
 * The code that a page of the portal returned in this page's fragment. It is removed from the address at once, before
 * the code that redeems it is loaded: the app's other scripts may read the address and send it elsewhere.
 */
let address: string | undefined

/** Done by the first call that may need it. A router's state in the history entry is kept. */
export const clearAddress = (): void => {
  if (typeof window === 'undefined' || !window.location.hash.startsWith('#tandem=')) return
  address = window.location.href
  window.history.replaceState(window.history.state, '', address.replace(/#.*$/, ''))
}

/** Whether the page was loaded with a code that is not taken yet. */
export const hasReturned = (): boolean => address !== undefined

/** The original address, given out once. */
export const takeReturned = (): string | undefined => {
  const taken = address
  address = undefined
  return taken
}
