import type { ReactNode } from 'react'
import styles from './Page.module.css'

/** A whole window with one card in it: the requester above, one thing to do, and the page's host below. */
export const Page = ({ header, footer, children }: PageProps) => (
  <div className={styles.page}>
    <div className={styles.sheet}>
      {header !== undefined && <header className={styles.header}>{header}</header>}
      <main className={styles.main}>{children}</main>
      {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
    </div>
  </div>
)

export type PageProps = {
  /** Usually a Requester. */
  readonly header?: ReactNode
  readonly footer?: ReactNode
  readonly children: ReactNode
}
