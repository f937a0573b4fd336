import { useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { fieldWords } from '../words.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { StopWay } from './StopWay.tsx'
import type { ViewProps } from './ViewProps.ts'

/** The text that was shown once, pasted or from its file. */
export const SecretView = ({ recovery, state }: ViewProps<'secret'>) => {
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState<string>()
  const [unread, setUnread] = useState<string>()
  const file = useRef<HTMLInputElement>(null)
  const { wallets, isBusy, failure } = state
  const submit = () => {
    if (isBusy || secret.trim() === '') return
    setUnread(undefined)
    setTried(secret)
    void recovery.submitSecret(secret)
  }
  const enter = (text: string) => {
    setUnread(undefined)
    setSecret(text)
  }
  const take = (chosen: File | undefined) => {
    if (chosen === undefined) return
    if (chosen.size > longest) setUnread('This file is too long for a recovery secret. Choose the one that was saved.')
    else chosen.text().then(enter, () => setUnread('This file cannot be read. Choose it again, or paste its text.'))
  }
  return (
    <FormStack onSubmit={submit}>
      <PageTitle>Enter your recovery secret</PageTitle>
      <Heading title="Enter your recovery secret">
        <p>
          It opens your half of the keys of {wallets.length === 1 ? 'one wallet' : `${wallets.length} wallets`}, here in
          your browser. It is not sent anywhere.
        </p>
      </Heading>
      <FailureNotice failure={failure} />
      <TextAreaField
        label="Recovery secret"
        rows={6}
        autoFocus
        value={secret}
        readOnly={isBusy}
        onChange={enter}
        error={unread ?? (tried === secret ? fieldWords(failure) : undefined)}
        hint="The whole text you were shown, often saved as recovery-secret.json."
      />
      <input
        ref={file}
        type="file"
        hidden
        aria-label="File with the recovery secret"
        accept="application/json,text/plain,.json,.txt"
        onChange={({ target }) => {
          take(target.files?.[0])
          target.value = ''
        }}
      />
      <Button variant="secondary" unavailable={isBusy ? 'One moment' : undefined} onClick={() => file.current?.click()}>
        Choose its file
      </Button>
      <Button type="submit" unavailable={reason(isBusy, secret)}>
        {isBusy ? 'Opening your backups…' : 'Open my backups'}
      </Button>
      <StopWay recovery={recovery} />
    </FormStack>
  )
}

/** More than any secret has. */
const longest = 16 * 1024

const reason = (isBusy: boolean, secret: string): string | undefined =>
  isBusy ? 'One moment' : secret.trim() === '' ? 'Paste your recovery secret first' : undefined
