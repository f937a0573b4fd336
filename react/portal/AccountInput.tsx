import styles from './AccountInput.module.css'

/** Tells a password manager whose password it is. People read it in the sentence above. */
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
