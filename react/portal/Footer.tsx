import { useOperator } from '../operator.tsx'
import { Icon } from '../ui/Icon.tsx'
import styles from './Footer.module.css'

/** The portal's host, to be compared with the address bar. */
export const Footer = ({ host, app }: { readonly host: string; readonly app: string | undefined }) => {
  const { name, logo } = useOperator()
  return (
    <p className={styles.footer}>
      {logo === null ? <Icon name="lock" size={16} /> : <img className={styles.logo} src={logo} alt="" />}
      <span>
        You are on{' '}
        <strong className={styles.host} translate="no">
          {host}
        </strong>
        , a page of <bdi>{name}</bdi>. <bdi>{app ?? 'No app'}</bdi> {app === undefined ? 'can' : 'cannot'} see what you
        enter here.
      </span>
    </p>
  )
}
