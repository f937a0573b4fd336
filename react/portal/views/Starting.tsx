import type { PortalState } from '../../../adapters/browser/portal.ts'
import { Steps } from '../../ui/Steps.tsx'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { pageTitles } from '../words.ts'
import styles from './Starting.module.css'
import { PageTitle } from '../../ui/Page.tsx'

/** The page proves its opener. The view is delayed, so that a short wait shows nothing. */
export const Starting = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'starting' }> }) => (
  <div className={styles.late}>
    <Stack>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title="One moment">Before you enter anything, this page checks which app is asking.</Heading>
      <Steps
        label="Before this page opens"
        steps={[
          { id: 'arrive', label: 'Looking up the app', state: state.requester ? 'done' : 'working' },
          {
            id: 'meet',
            label: `Checking that ${state.requester?.app ?? 'the app'} opened this window`,
            state: state.requester ? 'working' : 'waiting',
          },
        ]}
      />
    </Stack>
  </div>
)
