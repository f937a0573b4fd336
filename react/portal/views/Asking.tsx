import type { Portal, PortalState } from '../../../adapters/browser/portal.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { Decisions } from '../Decisions.tsx'
import { purposes } from '../words.ts'

/** The person decides whether the app is meant, because the page could not prove its opener. */
export const Asking = ({ portal, state }: AskingProps) => {
  const { app, origin } = state.requester
  const title = `Did you begin this in ${app}?`
  return (
    <Stack>
      <PageTitle>{title}</PageTitle>
      <Heading title={title}>
        <p>
          <strong>{app}</strong> asks {purposes[state.page]}.
        </p>
        {state.account !== undefined && (
          <p>
            {state.named === 'service' ? 'It is for the account' : 'The link says, unchecked, that it is for'}{' '}
            <strong>{state.account}</strong>.
          </p>
        )}
      </Heading>
      <Notice tone="warning" title={warnings[state.why]}>
        {state.why === 'ask' || state.page === 'review' ? (
          <p>Continue only if you came here from {origin === '' ? app : origin}, and just now.</p>
        ) : (
          <p>When you’re done, you’ll be sent to {origin}. Continue only if you started there.</p>
        )}
      </Notice>
      <Decisions portal={portal} cancel="No, cancel" onDecide={() => void portal.proceed()}>
        Yes, continue
      </Decisions>
    </Stack>
  )
}

const warnings = {
  ask: 'We can’t verify this app',
  redirect: 'This page can’t reach the app’s window',
} as const

export type AskingProps = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'asking' }>
}
