import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settlesAfterMs, watchAttention } from '../../../adapters/browser/attention.ts'

/** A window and its document, as far as attention goes. */
const makeScreen = () => {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: (): boolean => true })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', document)
  return {
    focus: () => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    },
    blur: () => {
      document.hasFocus = () => false
      window.dispatchEvent(new Event('blur'))
    },
    show: (visibilityState: 'visible' | 'hidden') => {
      document.visibilityState = visibilityState
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

describe('a deciding button on a page of the portal', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is inert until the window was visible and focused for 800 ms', () => {
    makeScreen()
    const attention = watchAttention()

    vi.advanceTimersByTime(settlesAfterMs - 1)
    expect(attention.get()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(attention.get()).toBe(true)
    expect(settlesAfterMs).toBe(800)
  })

  it('is inert again for 800 ms after each focus', () => {
    const screen = makeScreen()
    const attention = watchAttention()
    vi.advanceTimersByTime(5000)

    screen.blur()
    expect(attention.get()).toBe(false)
    vi.advanceTimersByTime(5000)
    expect(attention.get()).toBe(false)
    screen.focus()
    vi.advanceTimersByTime(799)
    expect(attention.get()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(attention.get()).toBe(true)
  })

  it('is inert while the window cannot be seen, whatever has the focus', () => {
    const screen = makeScreen()
    const attention = watchAttention()
    screen.show('hidden')

    screen.focus()
    vi.advanceTimersByTime(5000)
    expect(attention.get()).toBe(false)
    screen.show('visible')
    vi.advanceTimersByTime(800)
    expect(attention.get()).toBe(true)
  })

  it('notifies its subscribers once per change', () => {
    const screen = makeScreen()
    const attention = watchAttention()
    const heard: boolean[] = []
    const stop = attention.subscribe(() => heard.push(attention.get()))

    vi.advanceTimersByTime(800)
    screen.blur()
    screen.blur()
    stop()
    screen.focus()
    vi.advanceTimersByTime(800)

    expect(heard).toEqual([true, false])
  })
})
