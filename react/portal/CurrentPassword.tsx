import { useState } from 'react'
import { PasswordField, type PasswordFieldProps } from '../ui/PasswordField.tsx'
import { AccountInput } from './AccountInput.tsx'
import type { Form } from './Form.ts'
import { failureWords } from './words.ts'

/** The password of an account that has one, as a page of the portal asks for it. The input is kept for another try. */
export const useCurrentPassword = ({ portal, state }: Form): CurrentPasswordForm => {
  const [value, setValue] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const [refused, setRefused] = useState<string>()
  const failure = state.status === 'ready' ? state.failure : undefined
  const isWrong = failure?.code === 'InvalidPassword' && refused === value
  const error = isEmpty && value === '' ? 'Enter your password.' : isWrong ? wrongPassword(failure) : undefined
  const submit: CurrentPasswordForm['submit'] = (send) => {
    setEmpty(value === '')
    if (value === '' || !portal.attention.get()) return
    setRefused(value)
    void send(value)
  }
  return { field: { value, onChange: setValue, error }, submit }
}

export const CurrentPassword = ({ field, account, ...input }: CurrentPasswordProps) => (
  <>
    <AccountInput account={account} />
    <PasswordField name="password" autoComplete="current-password" {...input} {...field} />
  </>
)

const wrongPassword = (failure: Parameters<typeof failureWords>[0]): string => {
  const { title, text } = failureWords(failure)
  return `${title}. ${text}`
}

export type CurrentPasswordForm = {
  readonly field: Pick<PasswordFieldProps, 'value' | 'onChange' | 'error'>
  /** Gives the password to `send`, unless it is empty or the page had no attention yet. */
  readonly submit: (send: (password: string) => Promise<void>) => void
}

export type CurrentPasswordProps = Pick<CurrentPasswordForm, 'field'> & {
  readonly account: string | undefined
  readonly label: string
  readonly autoFocus?: boolean
}
