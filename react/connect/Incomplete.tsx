import { displayName } from '../../domain/model/Provider.ts'
import { View } from '../portal/views/View.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Connect.module.css'

/** An address that names no app: nothing can be asked for without one. */
export const Incomplete = () => (
  <Page header={<p className={styles.name}>{displayName}</p>}>
    <View
      title="This link is not complete"
      lead={
        <p>
          Open the app in which you made your wallets, begin to log in, and follow “Lost your passkey or password?” there.
        </p>
      }
    />
  </Page>
)
