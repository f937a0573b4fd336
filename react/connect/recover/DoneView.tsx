import type { Finished } from '../../../adapters/browser/connect.ts'
import { View } from '../../portal/views/View.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { LeftList } from './LeftList.tsx'
import type { ViewProps } from './ViewProps.ts'
import { WalletList } from './WalletList.tsx'

/** What is there again, and how to get to it. */
export const DoneView = ({ state: { finished } }: ViewProps<'done'>) => (
  <View
    title={hasNone(finished) ? 'Your account is back' : 'Your wallets are back'}
    lead={
      <p>
        Open {hasNone(finished) ? 'an app' : 'the app in which you made them'} and log in there with your email address
        and your new{' '}
        {finished === undefined ? 'passkey or password' : finished.method === 'PASSKEY' ? 'passkey' : 'password'}. You
        can close this page.
      </p>
    }
  >
    {finished !== undefined && !hasNone(finished) && <WalletList wallets={finished.wallets} />}
    {finished !== undefined && finished.leftBehind.length > 0 && (
      <Notice tone="warning" title="Left behind and locked">
        <LeftList leftBehind={finished.leftBehind} />
      </Notice>
    )}
    <Notice tone="info" title="What ended">
      Old passkeys and passwords, the old recovery secret, and every device that was signed in. The addresses are the
      same, and nothing that is on them has moved.
    </Notice>
  </View>
)

const hasNone = (finished: Finished | undefined): boolean => finished?.wallets.length === 0
