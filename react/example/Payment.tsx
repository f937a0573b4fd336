import { useCallback, useEffect, useState } from 'react'
import { formatEther, type Address } from 'viem'
import { useSendTransaction } from '../index.ts'
import { price, type Ledger } from './chain.ts'
import { pay, reasonOf, type Outcome, type Started } from './pay.ts'
import { Review } from './Review.tsx'
import styles from './shop.module.css'

/** Pays for a coffee on the local chain: test money first, then a transaction that both halves of the key sign. */
export const Payment = ({ address, walletId, ledger }: PaymentProps) => {
  const [balance, setBalance] = useState<bigint>()
  const [doing, setDoing] = useState<Doing>({ name: 'nothing' })
  const [started, setStarted] = useState<Started>()
  const { sendTransactionAsync } = useSendTransaction()
  const own = address as Address

  const look = useCallback(() => ledger.balance(own).then(setBalance, () => setBalance(undefined)), [ledger, own])
  useEffect(() => void look(), [look])

  const run = (name: 'funding' | 'paying', act: () => Promise<Doing>) => {
    setDoing({ name })
    act()
      .then(setDoing, (error: unknown) => setDoing({ name: 'failed', during: name, reason: reasonOf(error) }))
      .then(look, look)
  }
  const fund = () =>
    run('funding', async () => {
      await ledger.fund(own)
      return { name: 'nothing' }
    })
  const payOrGoOn = () =>
    run('paying', async () => {
      setStarted(undefined)
      const ended = await pay(started, {
        make: () => ledger.payment(own),
        send: async (transaction) =>
          (await sendTransactionAsync({ walletId, transaction, chainId: ledger.chainId })).transactionHash,
        mined: ledger.mined,
        isNonceUsed: (transaction) => ledger.isNonceUsed(own, transaction),
      })
      if ('started' in ended) setStarted(ended.started)
      return ended
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
          disabled={isBusy || (isPoor && started === undefined)}
          onClick={payOrGoOn}
        >
          {doing.name === 'paying'
            ? 'Paying…'
            : started === undefined
              ? `Pay ${formatEther(price)} ETH`
              : started.mayBePaid
                ? 'Go on with the same payment'
                : 'I have accepted: pay'}
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
      {doing.name === 'unknown' && (
        <p className={styles.error} role="alert">
          It is not known whether it was paid: {doing.reason}. Look at your balance, and go on with the same payment: it
          is paid once at most.
        </p>
      )}
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
  | Outcome
  | { readonly name: 'failed'; readonly during: 'funding' | 'paying'; readonly reason: string }
