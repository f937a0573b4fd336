import { Button } from '../ui/Button.tsx'
import { EmailField, missingEmail } from '../ui/EmailField.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FormStack } from '../ui/Stack.tsx'
import { fieldError, ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Who are you? Everything else follows from it. */
export const EmailView = ({ view, flow, portalHost }: ViewProps<'email'>) => (
  <FormStack
    onSubmit={() => {
      if (!view.isBusy && view.email.trim() !== '') flow.submitEmail(view.email.trim())
    }}
  >
    {view.isLocked && view.problem === undefined && (
      <Notice tone="info" title="Your wallets are not on this device">
        <p>Sign in again to bring them here. Nothing is lost.</p>
      </Notice>
    )}
    <ProblemNotice problem={view.problem} portalHost={portalHost} />
    <EmailField
      value={view.email}
      readOnly={view.isBusy}
      onChange={flow.type}
      error={fieldError(view.problem)}
      hint="New here? We’ll send a code to this address. If you have an account, you’ll sign in next."
    />
    <Button type="submit" unavailable={view.isBusy ? 'One moment' : missingEmail(view.email)}>
      {view.isBusy ? 'Looking for your account…' : 'Continue'}
    </Button>
  </FormStack>
)
