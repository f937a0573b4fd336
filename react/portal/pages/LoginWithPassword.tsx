import { useState } from 'react'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { RecoverLink } from '../../ui/RecoverLink.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { AccountInput } from '../AccountInput.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { pageTitles, failureWords } from '../words.ts'
import { Working } from '../Working.tsx'
import { PageTitle } from '../../ui/Page.tsx'

/** Login with a password. The input is kept for another try. */
export const LoginWithPassword = ({ portal, state }: Form) => {
  const [password, setPassword] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const [refused, setRefused] = useState<string>()
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account } = state
  const isWrong = failure?.code === 'InvalidPassword' && refused === password
  const submit = () => {
    setEmpty(password === '')
    if (password === '' || !portal.attention.get()) return
    setRefused(password)
    void portal.loginWithPassword(password)
  }
  return (
    <FormStack onSubmit={submit}>
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
      <AccountInput account={account} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={setPassword}
        error={isEmpty && password === '' ? 'Enter your password.' : isWrong ? wrongPassword(failure) : undefined}
      />
      <Decisions portal={portal}>Open my wallets</Decisions>
      {state.recoverUrl !== undefined && <RecoverLink url={state.recoverUrl} />}
    </FormStack>
  )
}

const wrongPassword = (failure: Parameters<typeof failureWords>[0]): string => {
  const { title, text } = failureWords(failure)
  return `${title}. ${text}`
}
