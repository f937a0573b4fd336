import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { CodeField, missingDigits } from '../ui/CodeField.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FormStack } from '../ui/Stack.tsx'
import styles from './modal.module.css'
import { besideField, fieldError, ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Is the mailbox yours? The code is sent on as soon as its last digit is there. */
export const CodeView = (props: ViewProps<'code'>) => <CodeForm key={props.view.refusals} {...props} />

const CodeForm = ({ view, flow, portalHost }: ViewProps<'code'>) => {
  const [code, setCode] = useState('')
  const submit = (text: string) => {
    if (!view.isBusy && missingDigits(text) === undefined) flow.submitCode(text)
  }
  return (
    <FormStack onSubmit={() => submit(code)}>
      <p className={styles.lead}>
        We sent a six-digit code to <strong>{view.email}</strong>. The code expires in 10 minutes.
      </p>
      <ProblemNotice problem={besideField(view.problem)} portalHost={portalHost} />
      <Notice tone="success" isShown={view.isResent}>
        A new code is on its way. Your earlier code no longer works.
      </Notice>
      <CodeField
        label="Code from the email"
        autoFocus
        value={code}
        readOnly={view.isBusy}
        onChange={setCode}
        onComplete={submit}
        error={fieldError(view.problem)}
      />
      <Button type="submit" unavailable={view.isBusy ? 'One moment' : missingDigits(code)}>
        {view.isBusy ? 'One moment…' : 'Continue'}
      </Button>
      <div className={styles.ways}>
        <Button variant="quiet" size="small" width="content" onClick={flow.resendCode}>
          Send a new code
        </Button>
        <Button variant="quiet" size="small" width="content" onClick={flow.back}>
          Use a different email
        </Button>
      </div>
    </FormStack>
  )
}
