import type { ReactNode, Ref } from 'react'
import styles from './Stack.module.css'

/** A vertical stack, with the distance that its kind has. */
export const Stack = ({ gap = 'normal', children }: StackProps) => (
  <div className={styles.stack} data-gap={gap}>
    {children}
  </div>
)

/** The same for fields that are sent together, by button or Enter. */
export const FormStack = ({ onSubmit, gap = 'normal', children }: FormStackProps) => {
  const submit = (event: { readonly preventDefault: () => void }) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={styles.stack} data-gap={gap} noValidate onSubmit={submit}>
      {children}
    </form>
  )
}

/** What the page is for, in one line, and what will happen, in plain words. */
export const Heading = ({ title, children, headingRef }: HeadingProps) => (
  <div className={styles.heading}>
    <h1 ref={headingRef} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
    {children !== undefined && children !== false && <div className={styles.lead}>{children}</div>}
  </div>
)

export type StackProps = { readonly gap?: 'small' | 'normal' | 'large' | undefined; readonly children: ReactNode }
export type FormStackProps = StackProps & { readonly onSubmit: () => void }
export type HeadingProps = {
  readonly title: ReactNode
  readonly children?: ReactNode
  /** To give the heading the focus. React 18 hands no `ref` on to a component. */
  readonly headingRef?: Ref<HTMLHeadingElement> | undefined
}
