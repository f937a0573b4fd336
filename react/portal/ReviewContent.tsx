import type { Content } from '../../adapters/browser/portal.ts'
import { Grouped } from '../ui/Address.tsx'
import styles from './ReviewContent.module.css'
import { amountWords, transferLabel } from './reviewWords.ts'
import { visibleText } from './visibleText.ts'

/** The payload as the co-signer decoded it: what leaves the wallet, the message, and the rest by name and value. */
export const ReviewContent = ({ content: { transfers, text, details } }: { readonly content: Content }) => (
  <>
    {transfers.length > 0 && (
      <ul className={styles.transfers}>
        {transfers.map((transfer, index) => (
          <TransferItem key={index} {...transfer} />
        ))}
      </ul>
    )}
    {text !== undefined && (
      <div className={styles.message}>
        <span className={styles.label} id="review-message">
          Message
        </span>
        <pre className={styles.text} dir="auto" aria-labelledby="review-message" tabIndex={0} role="region">
          {visibleText(text)}
        </pre>
      </div>
    )}
    {details.length > 0 && (
      <dl className={styles.details}>
        {details.map(({ name, value }, index) => (
          <div key={index} className={styles.detail}>
            <dt className={styles.label}>{visibleText(name)}</dt>
            <dd className={styles.value} translate="no">
              {visibleText(value)}
            </dd>
          </div>
        ))}
      </dl>
    )}
  </>
)

const TransferItem = (transfer: Content['transfers'][number]) => {
  const { to, isApproval } = transfer
  const { amount, exactly } = amountWords(transfer)
  return (
    <li className={styles.transfer}>
      <span className={styles.label}>{transferLabel(transfer)}</span>
      <span className={styles.amount}>{visibleText(amount)}</span>
      <span className={styles.exactly} translate="no">
        {visibleText(exactly)}
      </span>
      {to !== undefined && (
        <>
          <span className={styles.label}>{isApproval ? 'Who may take it' : 'To'}</span>
          <code className={styles.address} translate="no">
            <Grouped text={visibleText(to)} />
          </code>
        </>
      )}
    </li>
  )
}
