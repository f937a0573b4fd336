import styles from './shop.module.css'

/** The shop's policy asks for a review. Where no window could be opened for it, the customer follows a link. */
export const Review = ({ transactionReviewUrl, isOpen, by }: ReviewProps) => (
  <p role="status">
    {by === 'partner' ? 'The shop looks at it first. ' : 'Look at it on the page of your wallet, and accept it there. '}
    {!isOpen && by !== 'partner' && (
      <a className={styles.link} href={transactionReviewUrl} target="_blank" rel="noopener">
        Open the review
      </a>
    )}
  </p>
)

export type ReviewProps = {
  readonly transactionReviewUrl: string
  readonly isOpen: boolean
  readonly by: 'user' | 'partner' | 'both'
}
