import type { PortalState } from '../../../adapters/browser/portal.ts'
import { Steps } from '../../ui/Steps.tsx'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { pageTitles } from '../words.ts'
import styles from './Starting.module.css'

/** The page finds out who opened it. It takes a moment, and is not shown when that is short. */
export const Starting = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'starting' }> }) => (
  <div className={styles.late}>
    <Stack>
      <title>{pageTitles[state.page]}</title>
      <Heading title="One moment">Before you enter anything, this page makes sure who asks for it.</Heading>
      <Steps
        label="Before this page opens"
        steps={[
          { id: 'arrive', label: 'Looking up who registered this link', state: state.requester ? 'done' : 'working' },
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
