import { useEffect, useState } from 'react'
import styles from './Countdown.module.css'

/** The time left, in minutes and seconds. A screen reader hears it at 30 and 10 seconds, not each second. */
export const Countdown = ({ endsAt }: CountdownProps) => {
  const [left, setLeft] = useState(() => secondsUntil(endsAt))
  useEffect(() => {
    const tick = () => setLeft(secondsUntil(endsAt))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [endsAt])
  const announced = announcements.find((seconds) => left <= seconds && left > seconds - 2)
  return (
    <span className={styles.countdown} data-near={left <= 10}>
      <span role="timer" aria-live="off">
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')} left
      </span>
      <span className={styles.told} role="status">
        {announced !== undefined && `${announced} seconds left`}
      </span>
    </span>
  )
}

/** Seconds. Each is announced for two of them, so that a tick that comes late does not miss it. */
const announcements: readonly number[] = [30, 10]

const secondsUntil = (endsAt: number): number => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000))

export type CountdownProps = {
  /** Milliseconds of this clock. */
  readonly endsAt: number
}
