/** Opens the modal again when the tab returns from the portal, to which the modal's link led. */
const key = 'tandem/modal'

export const expectReturn = (): void => attempt((storage) => storage.setItem(key, 'open'))

/** Whether the tab returns from the portal; true once. */
export const hasReturned = (): boolean => {
  let found = false
  attempt((storage) => {
    found = storage.getItem(key) !== null
    storage.removeItem(key)
  })
  return found
}

/** Without storage the modal does not open by itself. */
const attempt = (act: (storage: Storage) => void): void => {
  try {
    act(window.sessionStorage)
  } catch {
    return
  }
}
