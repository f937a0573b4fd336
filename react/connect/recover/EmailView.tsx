import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { fieldWords } from '../words.ts'
import { FailureNotice } from './FailureNotice.tsx'
import type { ViewProps } from './ViewProps.ts'

/** Whose wallets are they? */
export const EmailView = ({ recovery, state }: ViewProps<'email'>) => {
  const [email, setEmail] = useState(state.email)
  const { isBusy, failure } = state
  const submit = () => {
    if (email.trim() !== '') void recovery.submitEmail(email.trim())
  }
  return (
    <FormStack onSubmit={submit}>
      <title>Recover your wallets</title>
      <Heading title="Recover your wallets">
        <p>
          For when your passkey, your password and your devices are lost. You need the e-mail address of your account and the
          recovery secret that you were shown when your wallets were made.
        </p>
      </Heading>
      <FailureNotice failure={failure} />
      <TextField
        label="E-mail address"
        type="email"
        inputMode="email"
        name="email"
        autoComplete="email"
        autoFocus
        spellCheck={false}
        value={email}
        readOnly={isBusy}
        onChange={setEmail}
        error={failure !== undefined && email.trim() === state.email ? fieldWords(failure) : undefined}
        hint="We send a code to this address."
      />
      <Button type="submit" unavailable={reason(isBusy, email)}>
        {isBusy ? 'Sending a code…' : 'Continue'}
      </Button>
    </FormStack>
  )
}

const reason = (isBusy: boolean, email: string): string | undefined =>
  isBusy ? 'One moment' : email.trim() === '' ? 'Type your e-mail address first' : undefined
