import { useState } from 'react'
import { RecoveryView } from '../../modal/RecoveryView.tsx'
import { View } from '../../portal/views/View.tsx'
import { useOperator } from '../../operator.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from './ViewProps.ts'

/** The new secret, which is shown once, as at sign-up. The old one no longer works. */
export const NewSecretView = ({ recovery, state }: ViewProps<'secret-made'>) => {
  const operator = useOperator()
  const hasNone = state.finished?.wallets.length === 0
  const [isLeaving, setLeaving] = useState(false)
  return (
    <View key={String(isLeaving)} title={titles[isLeaving ? 'leaving' : state.isCertain ? 'certain' : 'unknown']}>
      {!isLeaving && state.isCertain && (
        <Notice tone="success" title={`Your ${hasNone ? 'account is' : 'wallets are'} recovered`}>
          {hasNone
            ? 'This is the recovery secret of the wallets that you make from now on.'
            : 'The recovery secret you entered no longer works. This is your new one.'}
        </Notice>
      )}
      {!isLeaving && !state.isCertain && (
        <Notice tone="warning" title="The page was closed before the end">
          Log in with your new passkey or password in the app. If that works, this is your recovery secret now; if it
          does not, your old one still works. Keep both until you know.
        </Notice>
      )}
      <RecoveryView
        secret={state.secret}
        operator={operator.name}
        isLeaving={isLeaving}
        onLeave={() => setLeaving(true)}
        onStay={() => setLeaving(false)}
        onKept={() => void recovery.kept()}
      />
    </View>
  )
}

const titles = {
  certain: 'Keep your new secret safe',
  unknown: 'Your recovery may be done',
  leaving: 'Continue without it?',
} as const
