import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import styles from './Notice.module.css'

/** What happened, what was kept, and what to do next. An error is read out at once, everything else in its turn. */
export const Notice = ({ tone, title, children, action, isShown = true }: NoticeProps) => (
  <div className={styles.notice} data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
    {isShown && (
      <>
        <span className={styles.icon}>
          <Icon name={icons[tone]} />
        </span>
        <div className={styles.body}>
          {title !== undefined && <p className={styles.title}>{title}</p>}
          {children !== undefined && <div className={styles.text}>{children}</div>}
          {action !== undefined && <div className={styles.action}>{action}</div>}
        </div>
      </>
    )}
  </div>
)

const icons: { readonly [T in NoticeTone]: IconName } = {
  error: 'error',
  warning: 'warning',
  info: 'info',
  success: 'check',
}

export type NoticeTone = 'error' | 'warning' | 'info' | 'success'

export type NoticeProps = {
  readonly tone: NoticeTone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** False until it has something to say: screen readers read out what appears in a region, and often not a region that appears. */
  readonly isShown?: boolean
}
