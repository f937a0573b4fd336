import { useState } from 'react'
import { adviceOn, refusalOf } from '../../../adapters/browser/portal/password.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { AccountInput } from '../AccountInput.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { adviceWords, pageTitles, refusalWords } from '../words.ts'
import { Working } from '../Working.tsx'
import styles from './CreatePassword.module.css'
import { PageTitle } from '../../ui/Page.tsx'

/** Create a password. It is typed twice, because it cannot be reset. */
export const CreatePassword = ({ portal, state }: Form) => {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isTried, setTried] = useState(false)
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account } = state
  const refusal = refusalOf(password)
  const isDifferent = repeated !== password
  const submit = () => {
    setTried(true)
    if (refusal !== undefined || isDifferent || !portal.attention.get()) return
    void portal.createPassword(password)
  }
  return (
    <FormStack onSubmit={submit}>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title={pageTitles[state.page]}>
        {failure === undefined && (
          <p>
            It protects the wallet{account === undefined ? '' : ' of '}
            <strong>{account}</strong>. It can’t be looked up or reset, so keep it safe.
          </p>
        )}
      </Heading>
      {failure !== undefined && <FailureNotice failure={failure} app={requester.app} />}
      <AccountInput account={account} />
      <div className={styles.fields}>
        <PasswordField
          label="Password"
          name="new-password"
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={setPassword}
          error={
            refusal === 'too-common' || (isTried && refusal !== undefined) ? refusalWords(refusal, password) : undefined
          }
          hint={adviceWords(adviceOn(password, account), password)}
        />
        <PasswordField
          label="Repeat password"
          name="repeated-password"
          autoComplete="new-password"
          value={repeated}
          onChange={setRepeated}
          error={isTried && refusal === undefined && isDifferent ? 'The passwords don’t match.' : undefined}
        />
      </div>
      <Decisions portal={portal}>Create password</Decisions>
    </FormStack>
  )
}
