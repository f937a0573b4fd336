import styles from './AccountInput.module.css'

/** Tells a password manager the account. It is hidden, because the text above names the account too. */
export const AccountInput = ({ account }: { readonly account: string | undefined }) => (
  <input
    className={styles.hidden}
    type="text"
    name="username"
    autoComplete="username"
    aria-label="Account"
    readOnly
    tabIndex={-1}
    value={account ?? ''}
  />
)
