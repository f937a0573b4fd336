import { Field } from '@base-ui/react/field'
import { useState } from 'react'
import styles from './Field.module.css'
import { FieldNotes } from './FieldNotes.tsx'
import { Icon } from './Icon.tsx'
import type { FieldProps } from './TextField.tsx'

/** A password, hidden until the person asks to see it. Pasting and password managers are welcome. */
export const PasswordField = ({ label, error, hint, value, onChange, ...input }: PasswordFieldProps) => {
  const [isShown, setShown] = useState(false)
  return (
    <Field.Root className={styles.field} invalid={error !== undefined}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <div className={styles.reveal}>
        <Field.Control
          className={styles.input}
          {...input}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          onValueChange={(next) => onChange(next)}
        />
        <button
          type="button"
          className={styles.toggle}
          aria-label={`Show ${label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'hide' : 'show'} />
        </button>
      </div>
      <FieldNotes error={error} hint={hint} />
    </Field.Root>
  )
}

export type PasswordFieldProps = FieldProps & {
  readonly autoComplete: 'new-password' | 'current-password'
}
