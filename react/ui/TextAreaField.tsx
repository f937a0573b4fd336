import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import styles from './Field.module.css'
import { FieldNotes } from './FieldNotes.tsx'

/**
 * A longer text under its label. Spelling correction is off, because some browsers send the text to a server for it.
 */
export const TextAreaField = ({ label, error, hint, value, onChange, rows = 4, ...input }: TextAreaFieldProps) => (
  <Field.Root className={styles.field} invalid={error !== undefined}>
    <Field.Label className={styles.label}>{label}</Field.Label>
    <Field.Control
      className={styles.area}
      {...input}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      translate="no"
      value={value}
      onValueChange={(next) => onChange(next)}
      render={<textarea rows={rows} />}
    />
    <FieldNotes error={error} hint={hint} />
  </Field.Root>
)

export type TextAreaFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong, and what to do about it. */
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly rows?: number | undefined
  readonly autoFocus?: boolean | undefined
  readonly readOnly?: boolean | undefined
}
