import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Countdown } from '../../react/ui/Countdown.tsx'

/** What a screen reader is told with so many seconds left. */
const toldAt = (seconds: number): string => {
  const html = renderToStaticMarkup(<Countdown endsAt={Date.now() + seconds * 1_000} />)
  return /role="status">([^<]*)</.exec(html)?.[1] ?? 'no status'
}

describe('the time that is left', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it.each([
    [45, ''],
    [30, '30 seconds left'],
    [28, ''],
    [12, ''],
    [10, '10 seconds left'],
    [8, ''],
    [0, ''],
  ])('is told while it is so: at %s it is “%s”', (seconds, told) => {
    expect(toldAt(seconds)).toBe(told)
  })
})
