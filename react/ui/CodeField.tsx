import { Field } from '@base-ui/react/field'
import { OTPField } from '@base-ui/react/otp-field'
import { useId, type ReactNode } from 'react'
import styles from './Field.module.css'
import { FieldNotes } from './FieldNotes.tsx'

/** The six digits of a code that was sent. A pasted or filled-in code completes it at once. */
export const CodeField = ({ label, value, onChange, onComplete, error, hint, readOnly, autoFocus }: CodeFieldProps) => {
  const id = useId()
  return (
    <Field.Root className={styles.field} invalid={error !== undefined}>
      <Field.Label className={styles.label} htmlFor={id}>
        {label}
      </Field.Label>
      <OTPField.Root
        id={id}
        className={styles.code}
        length={length}
        value={value}
        readOnly={readOnly}
        onValueChange={(next) => onChange(next)}
        onValueComplete={(next) => onComplete?.(next)}
      >
        {digits.map((digit) => (
          <OTPField.Input
            key={digit}
            className={styles.digit}
            autoFocus={autoFocus === true && digit === 1}
            aria-label={digit === 1 ? undefined : `Digit ${digit} of ${length}`}
          />
        ))}
      </OTPField.Root>
      <FieldNotes error={error} hint={hint} />
    </Field.Root>
  )
}

/** Why there is nothing to send yet. */
export const missingDigits = (code: string): string | undefined =>
  code.length < length ? 'Enter all six digits first' : undefined

const length = 6
const digits = [1, 2, 3, 4, 5, 6] as const

export type CodeFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The last digit is there. */
  readonly onComplete?: ((value: string) => void) | undefined
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly readOnly?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}
