import { Button } from '../ui/Button.tsx'
import { EmailField, missingEmail } from '../ui/EmailField.tsx'
import { FormStack } from '../ui/Stack.tsx'
import { besideField, fieldError, ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Who are you? Everything else follows from it. */
export const EmailView = ({ view, flow, portalHost }: ViewProps<'email'>) => (
  <FormStack
    onSubmit={() => {
      if (!view.isBusy && view.email.trim() !== '') flow.submitEmail(view.email.trim())
    }}
  >
    <ProblemNotice problem={besideField(view.problem)} portalHost={portalHost} />
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
