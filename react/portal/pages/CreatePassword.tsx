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

/** Create password (spec §2, flows 3.6). It is typed twice, because nobody can tell it to the person again. */
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
      <title>{pageTitles[state.page]}</title>
      <Heading title={pageTitles[state.page]}>
        {failure === undefined && (
          <p>
            It protects the wallet{account === undefined ? '' : ' of '}
            <strong>{account}</strong>. Nobody can look it up for you, so keep it safe.
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
          error={isTried && refusal === undefined && isDifferent ? 'This is not the same as the first.' : undefined}
        />
      </div>
      <Decisions portal={portal}>Create password</Decisions>
    </FormStack>
  )
}
