import { useInsertionEffect, useRef, type RefObject } from 'react'

/** The value of the latest render, for callbacks and effects that run later. React 18 has no `useEffectEvent`. */
export const useLatest = <A>(value: A): RefObject<A> => {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
