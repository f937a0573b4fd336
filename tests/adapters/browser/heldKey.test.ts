import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldMs, holdKey, unattendedMs } from '../../../adapters/browser/portal/heldKey.ts'
import { makeStore } from '../../../adapters/browser/store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const held = (isSeen = true) => {
  const secret = randomBytes(32)
  const attention = makeStore(isSeen)
  let leave: () => void = () => undefined
  const away = new Promise<void>((resolve) => {
    leave = resolve
  })
  const onWiped = vi.fn()
  const text = `0x${bytesToHex(secret)}`
  return { secret, attention, leave, onWiped, text, key: holdKey({ secret, attention, away, onWiped }) }
}

const isWiped = ({ secret, key, onWiped }: ReturnType<typeof held>) =>
  secret.every((byte) => byte === 0) && key.text() === undefined && onWiped.mock.calls.length === 1

describe('a key on its page', () => {
  it('is kept while the page is in view', () => {
    const scene = held()

    vi.advanceTimersByTime(heldMs - 1)

    expect(scene.key.text()).toBe(scene.text)
  })

  it('is wiped when the page is out of view for long, and kept when it is in view again in time', () => {
    const [left, seen] = [held(), held()]
    for (const { attention } of [left, seen]) attention.set(false)

    vi.advanceTimersByTime(unattendedMs - 1)
    seen.attention.set(true)
    vi.advanceTimersByTime(1)

    expect(isWiped(left)).toBe(true)
    expect(seen.key.text()).toBe(seen.text)
    seen.attention.set(false)
    vi.advanceTimersByTime(unattendedMs)
    expect(isWiped(seen)).toBe(true)
  })

  it('is wiped after a time even while it is looked at, and sooner where the page was never looked at', () => {
    const [seen, unseen] = [held(), held(false)]

    vi.advanceTimersByTime(unattendedMs)
    expect(isWiped(unseen)).toBe(true)
    vi.advanceTimersByTime(heldMs - unattendedMs)
    expect(isWiped(seen)).toBe(true)
  })

  it('is wiped once: when the page is closed, or when its user is done', async () => {
    const [closed, done] = [held(), held()]

    closed.leave()
    await vi.advanceTimersByTimeAsync(0)
    done.key.wipe()
    done.key.wipe()
    vi.advanceTimersByTime(heldMs)

    expect(isWiped(closed)).toBe(true)
    expect(isWiped(done)).toBe(true)
  })
})
