import styles from './RecoverLink.module.css'

/** The link for users who cannot log in any more. It opens a page that has no access to this one. */
export const RecoverLink = ({ url }: { readonly url: string }) => (
  <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer">
    Lost your passkey or password?
  </a>
)
