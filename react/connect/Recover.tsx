import type { ReactNode } from 'react'
import type { Recovery, RecoveryState } from '../../adapters/browser/connect.ts'
import { Footer } from '../portal/Footer.tsx'
import { useReadable } from '../portal/useReadable.ts'
import { View } from '../portal/views/View.tsx'
import { Button } from '../ui/Button.tsx'
import { OperatorName } from '../ui/OperatorName.tsx'
import { Page } from '../ui/Page.tsx'
import { CodeView } from './recover/CodeView.tsx'
import { ComparingView } from './recover/ComparingView.tsx'
import { CredentialView } from './recover/CredentialView.tsx'
import { DoneView } from './recover/DoneView.tsx'
import { EmailView } from './recover/EmailView.tsx'
import { LeavingView } from './recover/LeavingView.tsx'
import { NewSecretView } from './recover/NewSecretView.tsx'
import styles from './recover/recover.module.css'
import { SecretView } from './recover/SecretView.tsx'
import { StoppedView } from './recover/StoppedView.tsx'
import { WorkingView } from './recover/WorkingView.tsx'

/** The recovery of wallets by e-mail address and recovery secret, one question at a time. */
export const Recover = ({ recovery }: { readonly recovery: Recovery }) => {
  const state = useReadable(recovery)
  const step = steps[state.status]
  return (
    <Page
      header={
        <div className={styles.header}>
          <OperatorName />
          {step !== undefined && <p className={styles.step}>{`Step ${step} of 5`}</p>}
        </div>
      }
      footer={<Footer host={recovery.host} app={undefined} />}
    >
      {viewOf(recovery, state)}
    </Page>
  )
}

const steps: { readonly [S in RecoveryState['status']]?: number } = {
  email: 1,
  code: 2,
  secret: 3,
  leaving: 3,
  comparing: 3,
  credential: 4,
  working: 5,
}

const viewOf = (recovery: Recovery, state: RecoveryState): ReactNode => {
  switch (state.status) {
    case 'starting':
      return <p role="status">One moment…</p>
    case 'unreachable':
      return (
        <View title="No connection" lead={<p>Nothing was changed. Check your connection and try again.</p>}>
          <Button onClick={() => void recovery.retry()}>Try again</Button>
        </View>
      )
    case 'email':
      return <EmailView recovery={recovery} state={state} />
    case 'code':
      return <CodeView recovery={recovery} state={state} />
    case 'secret':
      return <SecretView recovery={recovery} state={state} />
    case 'leaving':
      return <LeavingView recovery={recovery} state={state} />
    case 'comparing':
      return <ComparingView recovery={recovery} state={state} />
    case 'credential':
      return <CredentialView key={String(state.isOpen)} recovery={recovery} state={state} />
    case 'working':
      return <WorkingView recovery={recovery} state={state} />
    case 'stopped':
      return <StoppedView recovery={recovery} state={state} />
    case 'secret-made':
      return <NewSecretView recovery={recovery} state={state} />
    case 'done':
      return <DoneView recovery={recovery} state={state} />
  }
}
