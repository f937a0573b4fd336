import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { CodeField, missingDigits } from '../../ui/CodeField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { fieldWords } from '../words.ts'
import { FailureNotice } from './FailureNotice.tsx'
import styles from './recover.module.css'
import type { ViewProps } from './ViewProps.ts'

/** Is the mailbox theirs? The code is sent on as soon as its last digit is there. */
export const CodeView = (props: ViewProps<'code'>) => <CodeForm key={props.state.refusals} {...props} />

const CodeForm = ({ recovery, state }: ViewProps<'code'>) => {
  const [code, setCode] = useState('')
  const { email, isBusy, isResent, failure } = state
  const submit = (text: string) => {
    if (missingDigits(text) === undefined) void recovery.submitCode(text)
  }
  return (
    <FormStack onSubmit={() => submit(code)}>
      <PageTitle>Check your email</PageTitle>
      <Heading title="Check your email">
        <p>
          If <strong>{email}</strong> has an account, a six-digit code is on its way. The code expires in 10 minutes.
        </p>
      </Heading>
      <FailureNotice failure={failure} />
      <Notice tone="success" isShown={isResent}>
        A new code is on its way. Your earlier code no longer works.
      </Notice>
      <CodeField
        label="Code from the email"
        autoFocus
        value={code}
        readOnly={isBusy}
        onChange={setCode}
        onComplete={submit}
        error={fieldWords(failure)}
      />
      <Button type="submit" unavailable={isBusy ? 'One moment' : missingDigits(code)}>
        {isBusy ? 'One moment…' : 'Continue'}
      </Button>
      <div className={styles.ways}>
        <Button variant="quiet" size="small" width="content" onClick={() => void recovery.resendCode()}>
          Send a new code
        </Button>
        <Button variant="quiet" size="small" width="content" onClick={() => void recovery.startOver()}>
          Use a different email
        </Button>
      </div>
    </FormStack>
  )
}
