import { RecoverLink } from '../../ui/RecoverLink.tsx'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { pageTitles } from '../words.ts'
import { Working } from '../Working.tsx'
import { WayBack } from './WayBack.tsx'
import { PageTitle } from '../../ui/Page.tsx'

/** Login with a passkey: one button, and one prompt of the device. */
export const LoginWithPasskey = ({ portal, state }: Form) => {
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account } = state
  if (!state.passkeys || failure?.code === 'PasskeyUnsupported') {
    return (
      <WayBack portal={portal} app={requester.app} title="This browser cannot use a passkey here">
        Your wallets are as they were: use your password if you have one, or a browser and a device that have your
        passkey.
      </WayBack>
    )
  }
  return (
    <Stack>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title={pageTitles[state.page]}>
        <p>
          Your device asks for your fingerprint, your face or your PIN. The passkey that you made on {portal.host} then
          opens the wallets
          {account !== undefined && (
            <>
              {' of '}
              <strong>{account}</strong>
            </>
          )}{' '}
          for {requester.app}, in this browser.
        </p>
      </Heading>
      {failure !== undefined && <FailureNotice failure={failure} app={requester.app} />}
      <Decisions portal={portal} onDecide={() => void portal.loginWithPasskey()}>
        {failure === undefined ? 'Use passkey' : 'Try again'}
      </Decisions>
      {state.recoverUrl !== undefined && <RecoverLink url={state.recoverUrl} />}
    </Stack>
  )
}
