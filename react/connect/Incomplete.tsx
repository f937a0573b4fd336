import { displayName } from '../../domain/model/Provider.ts'
import { View } from '../portal/views/View.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Connect.module.css'

/** The address has no API key, without which the service answers nothing. */
export const Incomplete = () => (
  <Page header={<p className={styles.name}>{displayName}</p>}>
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
