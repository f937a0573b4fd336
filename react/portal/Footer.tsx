import { displayName } from '../../domain/model/Provider.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './Footer.module.css'

/** The portal's host, to be compared with the address bar. */
export const Footer = ({ host, app }: { readonly host: string; readonly app: string | undefined }) => (
  <p className={styles.footer}>
    <Icon name="lock" size={16} />
    <span>
      You are on{' '}
      <strong className={styles.host} translate="no">
        {host}
      </strong>
      , a page of {displayName}. {app ?? 'No app'} {app === undefined ? 'can' : 'cannot'} see what you enter here.
    </span>
  </p>
)
