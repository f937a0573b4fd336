import { TextField, type FieldProps } from './TextField.tsx'

/** The address of an account, as browsers and password managers know it. */
export const EmailField = (field: EmailFieldProps) => (
  <TextField
    label="Email address"
    type="email"
    inputMode="email"
    name="email"
    autoComplete="email"
    autoFocus
    spellCheck={false}
    {...field}
  />
)

/** Why there is nothing to send yet. */
export const missingEmail = (email: string): string | undefined =>
  email.trim() === '' ? 'Enter your email address first' : undefined

export type EmailFieldProps = Pick<FieldProps, 'value' | 'onChange' | 'error' | 'hint' | 'readOnly'>
