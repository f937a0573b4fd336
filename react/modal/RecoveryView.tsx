import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import styles from './modal.module.css'

/** The recovery secret, which is shown once. To continue, the user copies it or explicitly declines a copy. */
export const RecoveryView = ({ secret, operator, isLeaving, onLeave, onStay, onKept }: RecoveryViewProps) => {
  const [kept, setKept] = useState<'no' | 'copied' | 'saved' | 'refused'>('no')
  useEffect(() => {
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  if (isLeaving) {
    return (
      <>
        <Notice tone="warning" title="It is shown only once">
          <p>
            Without it, no one can recover your wallets if you lose your passkey or password, not even{' '}
            <bdi>{operator}</bdi>.
          </p>
        </Notice>
        <Button onClick={onStay}>Back to the secret</Button>
        <Button variant="danger" onClick={onKept}>
          Continue without it
        </Button>
      </>
    )
  }
  return (
    <>
      <p className={styles.lead}>
        If you lose your passkey or password, this text brings your half of the keys back. Keep it where only you can
        read it. It is shown only once.
      </p>
      <textarea
        className={styles.secret}
        aria-label="Recovery secret"
        readOnly
        rows={4}
        value={secret}
        translate="no"
      />
      <div className={styles.pair}>
        <Button
          variant="secondary"
          onClick={() => {
            copy(secret).then(
              () => setKept('copied'),
              () => setKept('refused'),
            )
          }}
        >
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            saveAsFile(fileName, secret)
            setKept('saved')
          }}
        >
          Save as a file
        </Button>
      </div>
      <p className={styles.told} role="status">
        {told[kept]}
      </p>
      <Button unavailable={kept === 'no' ? 'Copy it or save it first' : undefined} onClick={onKept}>
        I’ve saved it
      </Button>
      {kept === 'no' && (
        <Button variant="quiet" size="small" onClick={onLeave}>
          Continue without it
        </Button>
      )}
    </>
  )
}

export type RecoveryViewProps = {
  /** Who holds the other half, as the person knows them. */
  readonly operator: string
  readonly secret: string
  /** The user wants to continue without a copy, and has to confirm it. */
  readonly isLeaving: boolean
  readonly onLeave: () => void
  readonly onStay: () => void
  readonly onKept: () => void
}

const fileName = 'recovery-secret.json'

const told = {
  no: '',
  copied: 'Copied. Paste it where you keep your passwords.',
  saved: `Saved as ${fileName}.`,
  refused: 'The browser did not allow copying. Save it as a file, or select it and copy it yourself.',
} as const

/** Pages outside of a secure context have no clipboard. */
const copy = async (text: string): Promise<void> => {
  await navigator.clipboard.writeText(text)
}

/** The browser asks before the page is left with a secret that was not copied. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Saves a text as a file. It uses a short-lived blob: URL, because browsers keep the URLs of downloads in their
 * history, and a data: URL would leave the text there.
 */
export const saveAsFile = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // Long enough for the browser to have taken the bytes.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
