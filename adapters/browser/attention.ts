/**
 * Whether the page was in front of the person long enough to decide. A hostile opener can open it under the second
 * click of a double click, so deciding buttons are inert until the window was visible and focused for 800 ms, after
 * each focus.
 */
import { makeStore, type Readable } from './store.ts'

export const settlesAfterMs = 800

export const watchAttention = (): Readable<boolean> => {
  const store = makeStore(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    store.set(false)
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return
    timer = setTimeout(() => store.set(true), settlesAfterMs)
  }
  window.addEventListener('focus', look)
  window.addEventListener('blur', look)
  document.addEventListener('visibilitychange', look)
  look()
  return store
}
