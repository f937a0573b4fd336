import { View } from '../../portal/views/View.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { LeftList } from './LeftList.tsx'
import { StopWay } from './StopWay.tsx'
import type { ViewProps } from './ViewProps.ts'

/** What the secret does not open, before anything is changed. */
export const LeavingView = ({ recovery, state: { wallets, leftBehind, isBusy, failure } }: ViewProps<'leaving'>) => (
  <View
    title="Not all wallets can be recovered"
    lead={<p>Your secret opens {`${wallets.length} of your ${wallets.length + leftBehind.length} wallets`}.</p>}
  >
    <FailureNotice failure={failure} />
    <Notice tone="warning" title="These would stay behind">
      A recovery locks them. Your old passkeys, passwords and devices stop working for them too, and neither your old
      secret nor the new one brings them back here. If a device is still signed in to one of them, open its app there
      first, which stores what is missing, then check again.
    </Notice>
    <LeftList leftBehind={leftBehind} />
    <Button unavailable={isBusy ? 'One moment' : undefined} onClick={() => void recovery.checkAgain()}>
      {isBusy ? 'Checking…' : 'Check again'}
    </Button>
    <Button variant="secondary" unavailable={isBusy ? 'One moment' : undefined} onClick={recovery.leaveBehind}>
      Go on without them
    </Button>
    <StopWay recovery={recovery} />
  </View>
)
