import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import styles from './Field.module.css'
import { Icon } from './Icon.tsx'

/** Beneath a field: what is wrong with it, or else what helps. */
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
