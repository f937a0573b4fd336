import { useOperator } from '../../operator.tsx'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { CurrentPassword, useCurrentPassword } from '../CurrentPassword.tsx'
import { Decisions } from '../Decisions.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { useDecision } from '../useDecision.ts'
import { pageTitles } from '../words.ts'
import { Working } from '../Working.tsx'
import { WayBack } from './WayBack.tsx'

/** Explains an export and asks for a credential. The key is shown afterwards. */
export const ExportKey = ({ portal, state }: Form) => {
  const { field, submit } = useCurrentPassword({ portal, state })
  const unavailable = useDecision(portal)
  const operator = useOperator()
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account, passkeys, exporting } = state
  const hasPassword = exporting?.methods.includes('PASSWORD') === true
  const mayUsePasskey = passkeys && failure?.code !== 'PasskeyUnsupported'
  const hasPasskey = exporting?.methods.includes('PASSKEY') === true && mayUsePasskey
  if (!hasPassword && !hasPasskey) {
    return (
      <WayBack portal={portal} app={requester.app} title="This browser can’t confirm that it’s you">
        The key is exported only after your password or passkey is confirmed here. Your wallet is as it was: use a
        browser and a device that have your passkey.
      </WayBack>
    )
  }
  const withPasskey = () => void portal.exportWithPasskey()
  return (
    <FormStack onSubmit={() => submit(portal.exportWithPassword)}>
      <PageTitle>{pageTitles[state.page]}</PageTitle>
      <Heading title={pageTitles[state.page]}>
        <p>It is shown on this page alone. {requester.app} does not get it.</p>
      </Heading>
      <Address address={exporting.address} label="Wallet" />
      <Notice tone="warning" title="Anyone with this key controls the wallet">
        They can spend everything in it without you, and an exported key can’t be revoked. No one from{' '}
        <bdi>{requester.app}</bdi> or <bdi>{operator.name}</bdi> will ever ask you for it.
      </Notice>
      {failure !== undefined && failure.code !== 'InvalidPassword' && (
        <FailureNotice failure={failure} app={requester.app} />
      )}
      {hasPassword && <CurrentPassword field={field} account={account} label="Password" />}
      {hasPassword && hasPasskey && (
        <Button variant="secondary" unavailable={unavailable} onClick={withPasskey}>
          Use my passkey instead
        </Button>
      )}
      {hasPassword ? (
        <Decisions portal={portal}>Export the key</Decisions>
      ) : (
        <Decisions portal={portal} onDecide={withPasskey}>
          Use passkey and export the key
        </Decisions>
      )}
    </FormStack>
  )
}
