import { Heading, Stack } from '../../ui/Stack.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { failureWords, pageTitles } from '../words.ts'
import { Working } from '../Working.tsx'
import { WayBack } from './WayBack.tsx'
import { PageTitle } from '../../ui/Page.tsx'

/** Create a passkey. The device prompts only after this button, never by itself. */
export const CreatePasskey = ({ portal, state }: Form) => {
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account } = state
  if (!state.passkeys || failure?.code === 'PasskeyUnsupported') {
    return (
      <WayBack portal={portal} app={requester.app} title="This device cannot make a passkey here">
        It has no screen lock that this browser may use, or the browser knows no passkeys. Your account is as it was:
        choose a password instead.
      </WayBack>
    )
  }
  if (failure?.code === 'PasskeyExists') {
    const { title, text } = failureWords(failure, requester.app)
    return (
      <WayBack portal={portal} app={requester.app} title={title}>
        {text}
      </WayBack>
    )
  }
  return (
    <Stack>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title={pageTitles[state.page]}>
        <p>
          A passkey is a key that this device keeps for you and uses after your fingerprint, your face or your PIN. It
          will open the wallet
          {account !== undefined && (
            <>
              {' of '}
              <strong>{account}</strong>
            </>
          )}
          , and works on <strong>{portal.host}</strong> only.
        </p>
      </Heading>
      {failure !== undefined && <FailureNotice failure={failure} app={requester.app} />}
      <Decisions portal={portal} onDecide={() => void portal.createPasskey()}>
        {failure === undefined ? 'Create passkey' : 'Try again'}
      </Decisions>
    </Stack>
  )
}
