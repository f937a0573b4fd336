import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { EmailField, missingEmail } from '../../ui/EmailField.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
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
      <PageTitle>Recover your wallets</PageTitle>
      <Heading title="Recover your wallets">
        <p>
          For when your passkey, your password and your devices are lost. You need the email address of your account and
          the recovery secret that you were shown when your wallets were made.
        </p>
      </Heading>
      <FailureNotice failure={failure} />
      <EmailField
        value={email}
        readOnly={isBusy}
        onChange={setEmail}
        error={failure !== undefined && email.trim() === state.email ? fieldWords(failure) : undefined}
        hint="We’ll send a code to this address."
      />
      <Button type="submit" unavailable={isBusy ? 'One moment' : missingEmail(email)}>
        {isBusy ? 'Sending a code…' : 'Continue'}
      </Button>
    </FormStack>
  )
}
