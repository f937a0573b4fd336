import { useOperator } from '../operator.tsx'
import { View } from '../portal/views/View.tsx'
import { Notice } from '../ui/Notice.tsx'
import { OperatorName } from '../ui/OperatorName.tsx'
import { Page } from '../ui/Page.tsx'
import { Heading, Stack } from '../ui/Stack.tsx'
import styles from './Connect.module.css'

/** The page for all wallets of a user, of all partners. There is no login on it yet, so it only explains itself. */
export const Connect = () => {
  const { name } = useOperator()
  return (
    <Page header={<OperatorName />} footer="This page asks you for nothing.">
      <Stack gap="large">
        <Heading title="All your wallets, in one place">
          Apps that work with <bdi>{name}</bdi> make wallets for you. Here you will see all of them together, whichever
          app each one came from.
        </Heading>
        <section aria-labelledby="what">
          <h2 id="what" className={styles.title}>
            What you will find here
          </h2>
          <ul className={styles.list}>
            <li>Every wallet with its address, under the app that it belongs to.</li>
            <li>Your passkeys and passwords, and the devices that are logged in.</li>
            <li>A backup kit, with which a wallet can be moved elsewhere.</li>
          </ul>
        </section>
        <section aria-labelledby="how">
          <h2 id="how" className={styles.title}>
            How to get there
          </h2>
          <Notice tone="info" title="Logging in here is not possible yet">
            Your wallets are safe where they are. To see one, open the app in which you made it and log in there, with
            the same email address and the same passkey or password. If you lost those, the app's login has a way to
            recover your wallets with your recovery secret.
          </Notice>
        </section>
      </Stack>
    </Page>
  )
}

/** The address has no API key, without which the service answers nothing. */
export const Incomplete = () => (
  <Page header={<OperatorName />}>
    <View
      title="This link is incomplete"
      lead={
        <p>
          Open the app in which you made your wallets, begin to log in, and follow “Lost your passkey or password?”
          there.
        </p>
      }
    />
  </Page>
)
