import { Field } from '@base-ui/react/field'
import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import styles from './Field.module.css'
import { FieldNotes } from './FieldNotes.tsx'

/** One line of text under its label; what is wrong with it stands beneath in words. */
export const TextField = ({ label, error, hint, value, onChange, type = 'text', ...input }: TextFieldProps) => (
  <Field.Root className={styles.field} invalid={error !== undefined}>
    <Field.Label className={styles.label}>{label}</Field.Label>
    <Field.Control
      className={styles.input}
      {...input}
      type={type}
      value={value}
      onValueChange={(next) => onChange(next)}
    />
    <FieldNotes error={error} hint={hint} />
  </Field.Root>
)

/** What all fields with text have. */
export type FieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong, and what to do about it. */
  readonly error?: string | undefined
  readonly hint?: ReactNode
  readonly name?: string | undefined
  readonly autoComplete?: HTMLInputAutoCompleteAttribute | undefined
  readonly autoFocus?: boolean | undefined
  readonly readOnly?: boolean | undefined
  readonly required?: boolean | undefined
}

export type TextFieldProps = FieldProps & {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | undefined
  readonly inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'decimal' | undefined
  readonly placeholder?: string | undefined
  readonly spellCheck?: boolean | undefined
}
