import { useCallback, useEffect, useState } from 'react'
import { formatEther, type Address, type Hex } from 'viem'
import { useSendTransaction } from '../index.ts'
import { price, type Ledger } from './chain.ts'
import { Review } from './Review.tsx'
import styles from './shop.module.css'

/** Pays for a coffee on the local chain: test money first, then a transaction that both halves of the key sign. */
export const Payment = ({ address, walletId, ledger }: PaymentProps) => {
  const [balance, setBalance] = useState<bigint>()
  const [doing, setDoing] = useState<Doing>({ name: 'nothing' })
  const { sendTransactionAsync } = useSendTransaction()
  const own = address as Address

  const look = useCallback(() => ledger.balance(own).then(setBalance, () => setBalance(undefined)), [ledger, own])
  useEffect(() => void look(), [look])

  const run = (name: 'funding' | 'paying', act: () => Promise<Doing>) => {
    setDoing({ name })
    act()
      .then(setDoing, (error: unknown) => setDoing({ name: 'failed', during: name, reason: messageOf(error) }))
      .then(look, look)
  }
  const fund = () =>
    run('funding', async () => {
      await ledger.fund(own)
      return { name: 'nothing' }
    })
  const pay = () =>
    run('paying', async () => {
      // What was reviewed is sent as it was: another nonce or fee would need another review.
      const transaction = doing.name === 'held' ? doing.transaction : await ledger.payment(own)
      try {
        const { transactionHash } = await sendTransactionAsync({ walletId, transaction, chainId: ledger.chainId })
        return { name: 'paid', hash: transactionHash, block: await ledger.mined(transactionHash) }
      } catch (error) {
        const review = reviewOf(error)
        if (review === undefined) throw error
        return { name: 'held', transaction, review }
      }
    })

  const isBusy = doing.name === 'funding' || doing.name === 'paying'
  const isPoor = balance === undefined || balance <= price
  return (
    <section className={styles.card}>
      <h2 className={styles.heading}>Buy an espresso</h2>
      <p className={styles.line}>
        <span>Your balance</span>
        <span className={styles.amount}>{balance === undefined ? '…' : `${formatEther(balance).slice(0, 8)} ETH`}</span>
      </p>
      <p className={styles.line}>
        <span>An espresso</span>
        <span className={styles.amount}>{formatEther(price)} ETH</span>
      </p>
      <div className={styles.buttons}>
        <button className={isPoor ? styles.primary : styles.secondary} type="button" disabled={isBusy} onClick={fund}>
          {doing.name === 'funding' ? 'Getting it…' : 'Get 1 test ETH'}
        </button>
        <button
          className={isPoor ? styles.secondary : styles.primary}
          type="button"
          disabled={isBusy || isPoor}
          onClick={pay}
        >
          {doing.name === 'paying'
            ? 'Paying…'
            : doing.name === 'held'
              ? 'I have accepted: pay'
              : `Pay ${formatEther(price)} ETH`}
        </button>
      </div>
      {doing.name === 'held' && <Review transactionReviewUrl={doing.review} isOpen={false} by="user" />}
      <div role="status">
        {doing.name === 'paid' && (
          <>
            <p className={styles.good}>Paid, and mined in block {String(doing.block)}. Enjoy.</p>
            <p className={styles.label}>Transaction</p>
            <p className={styles.mono}>{doing.hash}</p>
          </>
        )}
      </div>
      {doing.name === 'failed' && (
        <p className={styles.error} role="alert">
          {doing.during === 'funding' ? 'No test money came' : 'Nothing was paid'}: {doing.reason}. Try again.
        </p>
      )}
    </section>
  )
}

export type PaymentProps = { readonly address: string; readonly walletId: string; readonly ledger: Ledger }

type Doing =
  | { readonly name: 'nothing' | 'funding' | 'paying' }
  | { readonly name: 'held'; readonly transaction: Hex; readonly review: string }
  | { readonly name: 'paid'; readonly hash: string; readonly block: bigint }
  | { readonly name: 'failed'; readonly during: 'funding' | 'paying'; readonly reason: string }

/** The address of the review that a payment needs first. */
const reviewOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'TransactionReviewError' && 'transactionReviewUrl' in error
    ? String(error.transactionReviewUrl)
    : undefined

/** The first line of what viem or the SDK says. */
const messageOf = (error: unknown): string => {
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return line.replace(/\.$/, '') || 'the reason is not known'
}
