import styles from './Requester.module.css'

/** The requester: the app's registered name, and the origin that the service recorded; never a link's parameters. */
export const Requester = ({ app, origin }: RequesterProps) => (
  <div className={styles.requester}>
    <span className={styles.tile} aria-hidden="true">
      {initial(app)}
    </span>
    <span className={styles.names}>
      <span className={styles.line}>
        <span className={styles.asks}>Asked by</span> <span className={styles.app}>{app}</span>
      </span>
      <span className={styles.origin} translate="no">
        {origin === '' ? 'A server of this app' : <OriginText origin={origin} />}
      </span>
    </span>
  </div>
)

/** The host is emphasised, because it is the part to compare. */
const OriginText = ({ origin }: { readonly origin: string }) => {
  const [, scheme = '', host = origin] = /^(\w+:\/\/)(.*)$/.exec(origin) ?? []
  return (
    <>
      <span className={styles.scheme}>{scheme}</span>
      {host}
    </>
  )
}

const initial = (app: string): string => ([...app.trim()][0] ?? '?').toUpperCase()

export type RequesterProps = {
  readonly app: string
  /** Empty for a session that a server started. */
  readonly origin: string
}
