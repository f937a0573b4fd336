/**
 * An exported private key, in this page's memory only. It is wiped when the page goes away, when the page was not in
 * front of the person for a while, and after a fixed time. Copies in texts that the browser drew cannot be wiped.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Readable } from '../store.ts'

/** Long enough to paste it somewhere else. */
export const unattendedMs = 2 * 60_000

/** The lifetime of a portal session. */
export const heldMs = 10 * 60_000

export type HeldKey = {
  /** `0x` and 64 digits, until it is wiped. */
  readonly text: () => string | undefined
  readonly wipe: () => void
}

export type Holding = {
  readonly secret: Uint8Array
  readonly attention: Readable<boolean>
  /** Ends when the page goes away. */
  readonly away: Promise<unknown>
  readonly onWiped: () => void
}

export const holdKey = ({ secret, attention, away, onWiped }: Holding): HeldKey => {
  let isHeld = true
  let unattended: ReturnType<typeof setTimeout> | undefined
  const wipe = () => {
    if (!isHeld) return
    isHeld = false
    secret.fill(0)
    clearTimeout(unattended)
    clearTimeout(latest)
    stopLooking()
    onWiped()
  }
  const look = () => {
    clearTimeout(unattended)
    unattended = attention.get() ? undefined : setTimeout(wipe, unattendedMs)
  }
  const latest = setTimeout(wipe, heldMs)
  const stopLooking = attention.subscribe(look)
  void away.then(wipe)
  look()
  return { text: () => (isHeld ? `0x${bytesToHex(secret)}` : undefined), wipe }
}
