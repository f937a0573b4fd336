/** Whoever follows the modal's link to the portal in this tab finds the modal open when the tab comes back. */
const key = 'tandem/modal'

export const expectReturn = (): void => attempt((storage) => storage.setItem(key, 'open'))

/** Whether somebody comes back; said once. */
export const hasReturned = (): boolean => {
  let found = false
  attempt((storage) => {
    found = storage.getItem(key) !== null
    storage.removeItem(key)
  })
  return found
}

/** A page may have no storage: then the modal is opened by hand. */
const attempt = (act: (storage: Storage) => void): void => {
  try {
    act(window.sessionStorage)
  } catch {
    return
  }
}
