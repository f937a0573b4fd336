import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FormStack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { fieldError, ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './ViewProps.ts'

/** Who are you? Everything else follows from it. */
export const EmailView = ({ view, flow, portalHost }: ViewProps<'email'>) => (
  <FormStack
    onSubmit={() => {
      if (!view.isBusy && view.email.trim() !== '') flow.submitEmail(view.email.trim())
    }}
  >
    {view.isLocked && view.problem === undefined && (
      <Notice tone="info" title="Your wallets are not on this device">
        <p>Sign in once more, and they come here. Nothing is lost.</p>
      </Notice>
    )}
    <ProblemNotice problem={view.problem} portalHost={portalHost} />
    <TextField
      label="E-mail address"
      type="email"
      inputMode="email"
      name="email"
      autoComplete="email"
      autoFocus
      spellCheck={false}
      value={view.email}
      readOnly={view.isBusy}
      onChange={flow.type}
      error={fieldError(view.problem)}
      hint="New here? We send a code to this address. If you have an account, you sign in next."
    />
    <Button type="submit" unavailable={reason(view.isBusy, view.email)}>
      {view.isBusy ? 'Looking for your account…' : 'Continue'}
    </Button>
  </FormStack>
)

const reason = (isBusy: boolean, email: string): string | undefined =>
  isBusy ? 'One moment' : email.trim() === '' ? 'Type your e-mail address first' : undefined
