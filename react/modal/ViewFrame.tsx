import { useEffect, useRef, type ReactNode } from 'react'
import { Stack } from '../ui/Stack.tsx'
import styles from './modal.module.css'

/** One view. It takes the focus as it appears, unless one of its fields did: a screen reader begins at its title. */
export const ViewFrame = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = frame.current
    if (element !== null && !element.contains(document.activeElement)) element.focus()
  }, [])
  return (
    <section ref={frame} className={styles.view} tabIndex={-1} aria-label={label}>
      <Stack>{children}</Stack>
    </section>
  )
}
