import { useState } from 'react'
import type { Portal, PortalState } from '../../../adapters/browser/portal.ts'
import { Address, Grouped } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { useDecision } from '../useDecision.ts'
import { doneTitles } from '../words.ts'
import styles from './Exported.module.css'
import { View } from './View.tsx'

/** The key, hidden at first. No element of the page contains it before the person shows it. */
export const Exported = ({ portal, state }: ExportedProps) => {
  const [copy, setCopy] = useState<'none' | 'copied' | 'refused'>('none')
  const unavailable = useDecision(portal)
  const { key, address, requester } = state
  if (key === 'gone') {
    return (
      <View title={doneTitles[state.page]} lead={gone(requester.app)}>
        <Button variant="secondary" onClick={() => void portal.leave()}>
          Close this window
        </Button>
      </View>
    )
  }
  const text = key === 'shown' ? portal.privateKey() : undefined
  const write = () => void portal.copyKey().then((isCopied) => setCopy(isCopied ? 'copied' : 'refused'))
  return (
    <View title="Your private key" lead={care}>
      <Address address={address} label="Wallet" />
      <div className={styles.key}>
        <span className={styles.label}>Private key</span>
        {text === undefined ? (
          <p className={styles.hidden}>Hidden</p>
        ) : (
          <code className={styles.text} translate="no">
            <Grouped text={text} />
          </code>
        )}
        <div className={styles.actions}>
          <Button
            variant="secondary"
            unavailable={key === 'shown' ? undefined : unavailable}
            onClick={() => portal.showKey(key !== 'shown')}
          >
            {key === 'shown' ? 'Hide' : 'Show'}
          </Button>
          <Button variant="secondary" unavailable={unavailable} onClick={write}>
            Copy
          </Button>
        </div>
        <span className={styles.told} role="status">
          {copied[copy]}
        </span>
      </div>
      <Button onClick={() => void portal.leave()}>Done</Button>
    </View>
  )
}

const care = 'Make sure no one can see your screen. Keep the key where only you can reach it.'

const gone = (app: string) => `It is shown for a short time only. Go back to ${app} to export it once more.`

const copied = {
  none: undefined,
  copied: 'Copied. Paste it where it belongs, and then copy something else: other programs can read it.',
  refused: 'The browser did not allow copying. Show the key and write it down instead.',
} as const

export type ExportedProps = {
  readonly portal: Portal
  readonly state: Extract<PortalState, { readonly status: 'exported' }>
}
