import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import styles from './Field.module.css'
import { Icon } from './Icon.tsx'

/** The text beneath a field: its error, or else its hint. */
export const FieldNotes = ({ error, hint }: { readonly error: string | undefined; readonly hint: ReactNode }) => (
  <>
    {hint !== undefined && error === undefined && (
      <Field.Description className={styles.hint} render={<div />}>
        {hint}
      </Field.Description>
    )}
    {error !== undefined && (
      <Field.Error className={styles.error} match role="alert">
        <Icon name="error" size={18} />
        <span>{error}</span>
      </Field.Error>
    )}
  </>
)
