import { useUser } from '../hooks/useUser.ts'
import { Button } from '../ui/Button.tsx'
import { EmailField, missingEmail } from '../ui/EmailField.tsx'
import { FormStack } from '../ui/Stack.tsx'
import styles from './modal.module.css'
import { ProblemNotice } from './ProblemNotice.tsx'
import type { ViewProps } from './useFlow.ts'

/** Shall your wallets come to this device? Only the user who is signed in can bring them. */
export const LockedView = ({ view, flow, portalHost }: ViewProps<'locked'>) => {
  const email = useUser()?.email
  const unavailable = view.isBusy ? 'One moment' : undefined
  return (
    <FormStack
      onSubmit={() => {
        if (!view.isBusy && view.email.trim() !== '') flow.submitEmail(view.email.trim())
      }}
    >
      <p className={styles.lead}>
        {email === undefined ? 'You are signed in' : 'You are signed in as '}
        <strong>{email}</strong>. Your wallets are not ready on this device: sign in again to bring them here. Nothing
        is lost.
      </p>
      <ProblemNotice problem={view.problem} portalHost={portalHost} />
      {email === undefined && (
        <EmailField
          value={view.email}
          readOnly={view.isBusy}
          onChange={flow.type}
          hint="The address of your account."
        />
      )}
      <Button type="submit" unavailable={unavailable ?? missingEmail(view.email)}>
        {view.isBusy ? 'One moment…' : 'Continue'}
      </Button>
      <Button variant="quiet" size="small" unavailable={unavailable} onClick={flow.signOut}>
        Sign out
      </Button>
    </FormStack>
  )
}
