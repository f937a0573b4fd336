import { View } from '../../portal/views/View.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { StopWay } from './StopWay.tsx'
import type { ViewProps } from './ViewProps.ts'
import { WalletList } from './WalletList.tsx'

/** An older secret has no root key that certifies the wallets, so the person has to compare the addresses. */
export const ComparingView = ({ recovery, state }: ViewProps<'comparing'>) => (
  <View title="Are these your wallets?" lead={<p>Your secret opens them all.</p>}>
    <Notice tone="warning" title="Compare the addresses">
      Your secret is an older one, which cannot tell whether somebody put wallets of their own in the place of yours.
      Look each address up where you know it from, an old receipt or an app that shows it.
    </Notice>
    <WalletList wallets={state.wallets} />
    <Button onClick={recovery.confirmAddresses}>They are mine</Button>
    <StopWay recovery={recovery} />
  </View>
)
