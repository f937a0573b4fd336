import { Button as BaseButton } from '@base-ui/react/button'
import { useId, type MouseEventHandler, type ReactNode } from 'react'
import styles from './Button.module.css'

/** A button. While it is unavailable it keeps its place in the focus order and gives the reason. */
export const Button = ({ children, variant = 'primary', type = 'button', unavailable, ...props }: ButtonProps) => {
  const id = useId()
  const { width = 'full', size = 'normal', onClick, label } = props
  return (
    <>
      <BaseButton
        type={type}
        className={styles.button}
        data-variant={variant}
        data-width={width}
        data-size={size}
        disabled={unavailable !== undefined}
        focusableWhenDisabled
        aria-label={label}
        aria-describedby={unavailable === undefined ? undefined : id}
        onClick={onClick}
      >
        {children}
      </BaseButton>
      {unavailable !== undefined && (
        <span id={id} className={styles.reason}>
          {unavailable}
        </span>
      )}
    </>
  )
}

export type ButtonProps = {
  readonly children: ReactNode
  /** `primary`: the one thing to do here. `secondary`: another way. `quiet`: leaving it. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  readonly type?: 'button' | 'submit' | undefined
  /** Why it cannot be pressed now. It is then inert, and a screen reader reads the reason. */
  readonly unavailable?: string | undefined
  readonly width?: 'full' | 'content' | undefined
  readonly size?: 'normal' | 'small' | undefined
  /** Its accessible name when its content is an icon. */
  readonly label?: string | undefined
  readonly onClick?: MouseEventHandler<HTMLElement> | undefined
}
