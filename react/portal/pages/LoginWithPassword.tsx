import { RecoverLink } from '../../ui/RecoverLink.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { CurrentPassword, useCurrentPassword } from '../CurrentPassword.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { pageTitles } from '../words.ts'
import { Working } from '../Working.tsx'
import { PageTitle } from '../../ui/Page.tsx'

/** Login with a password. */
export const LoginWithPassword = ({ portal, state }: Form) => {
  const { field, submit } = useCurrentPassword({ portal, state })
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account } = state
  return (
    <FormStack onSubmit={() => submit(portal.loginWithPassword)}>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title={pageTitles[state.page]}>
        <p>
          It opens the wallets{account === undefined ? '' : ' of '}
          <strong>{account}</strong> for {requester.app}, in this browser.
        </p>
      </Heading>
      {failure !== undefined && failure.code !== 'InvalidPassword' && (
        <FailureNotice failure={failure} app={requester.app} />
      )}
      <CurrentPassword field={field} account={account} label="Password" autoFocus />
      <Decisions portal={portal}>Open my wallets</Decisions>
      {state.recoverUrl !== undefined && <RecoverLink url={state.recoverUrl} />}
    </FormStack>
  )
}
