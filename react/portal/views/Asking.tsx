import type { Portal, PortalState } from '../../../adapters/browser/portal.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { Decisions } from '../Decisions.tsx'
import { purposes } from '../words.ts'

/** The person decides, because the page cannot know (flows 2, ask and redirect). */
export const Asking = ({ portal, state }: AskingProps) => {
  const { app, origin } = state.requester
  const title = `Did you begin this in ${app}?`
  return (
    <Stack>
      <title>{title}</title>
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
        {state.why === 'ask' ? (
          <p>Go on only if you came here from {origin === '' ? app : origin}, and just now.</p>
        ) : (
          <p>When you are done, you will be sent to {origin}. Go on only if that is where you began.</p>
        )}
      </Notice>
      <Decisions portal={portal} cancel="No, cancel" onDecide={() => void portal.proceed()}>
        Yes, continue
      </Decisions>
    </Stack>
  )
}

const warnings = {
  ask: 'This app cannot prove itself',
  redirect: 'This page has no way back to the app’s window',
} as const

export type AskingProps = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'asking' }>
}
