import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useProvided } from '../context.ts'
import { useLatest } from '../hooks/useLatest.ts'
import { useSession } from '../hooks/useSession.ts'
import { Surface } from '../theme/Surface.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Stack } from '../ui/Stack.tsx'
import { AccountView } from './AccountView.tsx'
import { CodeView } from './CodeView.tsx'
import { EmailView } from './EmailView.tsx'
import { LockedView } from './LockedView.tsx'
import { LoginView } from './LoginView.tsx'
import styles from './modal.module.css'
import { operatorName } from './Operator.tsx'
import { insecure } from './Problem.ts'
import { ProblemNotice } from './ProblemNotice.tsx'
import { ProtectView } from './ProtectView.tsx'
import { RecoveryView } from './RecoveryView.tsx'
import { UnfinishedView } from './UnfinishedView.tsx'
import { useFlow, type Flow } from './useFlow.ts'
import { titleOf, type View } from './View.ts'
import { WorkingView } from './WorkingView.tsx'

/** Sign-up, login and account in one dialog. The session's state decides with which it begins. */
export const Modal = () => {
  const { modal, portalHost, theme, appName } = useProvided()
  const { status, recoverySecret } = useSyncExternalStore(modal.subscribe, modal.get, modal.getServer)
  const session = useSession()
  const isOpen = status === 'open'
  const over = () => {
    if (modal.get().recoverySecret === undefined) modal.close()
  }
  const flow = useFlow(portalHost, over)
  const { view } = flow
  const secret = view.at === 'working' ? undefined : recoverySecret

  const begin = useLatest(flow.opened)
  useEffect(() => {
    if (!isOpen) return undefined
    begin.current()
    return () => returnFocus(modal.opener())
  }, [isOpen, modal, begin])

  const [isLeaving, setLeaving] = useState(false)
  const kept = () => {
    setLeaving(false)
    modal.forgetSecret()
  }
  const close = () => {
    if (secret === undefined) {
      flow.left()
      modal.close()
    } else {
      setLeaving(true)
    }
  }
  const title = secret === undefined ? titleOf(view, appName ?? window.location.host) : 'Keep this secret safe'
  return (
    <Surface theme={theme} className={styles.surface}>
      <Dialog
        open={isOpen}
        onOpenChange={(next) => {
          if (!next) close()
        }}
        title={title}
        dismissible={secret === undefined && view.at !== 'working'}
      >
        <ViewFrame key={secret === undefined ? view.at : isLeaving ? 'leaving' : 'recovery'} label={title}>
          {secret === undefined ? (
            <Body view={view} flow={flow} portalHost={portalHost} />
          ) : (
            <RecoveryView
              secret={secret}
              operator={operatorName(session, portalHost)}
              isLeaving={isLeaving}
              onLeave={() => setLeaving(true)}
              onStay={() => setLeaving(false)}
              onKept={kept}
            />
          )}
        </ViewFrame>
      </Dialog>
    </Surface>
  )
}

/** The views take the focus as they appear, so that the dialog cannot know where it was before. */
const returnFocus = (opener: Element | null) => {
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
}

const Body = ({ view, flow, portalHost }: BodyProps) => {
  const rest = { flow, portalHost }
  switch (view.at) {
    case 'start':
      return window.isSecureContext ? (
        <p className={styles.lead}>Looking for your session…</p>
      ) : (
        <ProblemNotice problem={insecure} portalHost={portalHost} />
      )
    case 'email':
      return <EmailView view={view} {...rest} />
    case 'locked':
      return <LockedView view={view} {...rest} />
    case 'code':
      return <CodeView view={view} {...rest} />
    case 'protect':
      return <ProtectView view={view} {...rest} />
    case 'login':
      return <LoginView view={view} {...rest} />
    case 'working':
      return <WorkingView view={view} {...rest} />
    case 'unfinished':
      return <UnfinishedView view={view} {...rest} />
    case 'account':
      return <AccountView view={view} {...rest} />
  }
}

type BodyProps = { readonly view: View; readonly flow: Flow; readonly portalHost: string }

/** One view. It takes the focus as it appears, unless one of its fields did: a screen reader begins at its title. */
const ViewFrame = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = frame.current
    if (element !== null && !element.contains(document.activeElement)) element.focus()
  }, [])
  return (
    <section ref={frame} className={styles.view} tabIndex={-1} aria-label={label}>
      <Stack>{children}</Stack>
    </section>
  )
}
