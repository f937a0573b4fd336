import { useEffect, type ReactNode } from 'react'
import styles from './Page.module.css'

/** A whole window with one card in it: the requester above, one thing to do, and the page's host below. */
export const Page = ({ header, footer, font = 'chosen', children }: PageProps) => (
  <div className={styles.page}>
    <div className={styles.sheet}>
      {header !== undefined && <header className={styles.header}>{header}</header>}
      <main className={styles.main} data-font={font}>
        {children}
      </main>
      {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
    </div>
  </div>
)

export type PageProps = {
  /** Usually a Requester. */
  readonly header?: ReactNode
  readonly footer?: ReactNode
  /** `own` where a person decides by what they read: a link may choose a font that draws letters and digits as other signs. */
  readonly font?: 'chosen' | 'own' | undefined
  readonly children: ReactNode
}

/** The title of the page. React 19 moves the element to the head; React 18 leaves it where it is, so it is set as well. */
export const PageTitle = ({ children }: { readonly children: string }) => {
  useEffect(() => {
    document.title = children
  }, [children])
  return <title>{children}</title>
}
