import type { ReactNode, Ref, SubmitEventHandler } from 'react'
import styles from './Stack.module.css'

/** Things under one another, with the distance between them that their kind asks for. */
export const Stack = ({ gap = 'normal', children }: StackProps) => (
  <div className={styles.stack} data-gap={gap}>
    {children}
  </div>
)

/** The same for fields that are sent together, by button or Enter. */
export const FormStack = ({ onSubmit, gap = 'normal', children }: FormStackProps) => {
  const submit: SubmitEventHandler = (event) => {
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
export const Heading = ({ title, children, ref }: HeadingProps) => (
  <div className={styles.heading}>
    <h1 ref={ref} tabIndex={-1} className={styles.title}>
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
  /** Of the heading itself, which may be given the focus. */
  readonly ref?: Ref<HTMLHeadingElement> | undefined
}
