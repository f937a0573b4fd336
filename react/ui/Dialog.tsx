import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Surface } from '../theme/Surface.tsx'
import styles from './Dialog.module.css'
import { Icon } from './Icon.tsx'

/** A window over the page, in the theme of the surface it belongs to. Escape and a click outside ask to close it. */
export const Dialog = ({ open, onOpenChange, title, description, dismissible = true, children }: DialogProps) => (
  <BaseDialog.Root
    open={open}
    disablePointerDismissal={!dismissible}
    onOpenChange={(next, details) => {
      if (!next && !dismissible && details.reason !== 'close-press') return details.cancel()
      onOpenChange(next)
    }}
  >
    <BaseDialog.Portal>
      <Surface className={styles.layer}>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Viewport className={styles.viewport}>
          <BaseDialog.Popup className={styles.popup}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            {description !== undefined && (
              <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>
            )}
            {children}
            {/* Last in focus order: the dialog's content comes first, and has the focus when it opens. */}
            <BaseDialog.Close className={styles.close} aria-label="Close">
              <Icon name="cross" />
            </BaseDialog.Close>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </Surface>
    </BaseDialog.Portal>
  </BaseDialog.Root>
)

export type DialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  /** False while work is under way that a slip must not end: then only its close button closes it. */
  readonly dismissible?: boolean | undefined
  readonly children: ReactNode
}
