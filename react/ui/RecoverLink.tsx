import styles from './RecoverLink.module.css'

/** The way for who cannot log in any more: on a page of its own, which knows nothing of this one. */
export const RecoverLink = ({ url }: { readonly url: string }) => (
  <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer">
    Lost your passkey or password?
  </a>
)
