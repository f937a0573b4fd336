import { useState } from 'react'
import { verifyMessage, type Address, type Hex } from 'viem'
import { useSignMessage } from '../index.ts'
import styles from './shop.module.css'

/** Signs what the customer typed, and has viem verify it, which knows nothing of how it was made. */
export const Signature = ({ address, walletId }: SignatureProps) => {
  const [message, setMessage] = useState('One espresso, please.')
  const [verified, setVerified] = useState<boolean>()
  const { signMessageAsync, data, error, status } = useSignMessage()

  const sign = async () => {
    setVerified(undefined)
    const { ethereumSignature } = await signMessageAsync({ walletId, message })
    if (ethereumSignature !== undefined) setVerified(await isVerified(address, message, ethereumSignature))
  }
  return (
    <section className={styles.card}>
      <h2 className={styles.heading}>Sign a message</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          sign().catch(isShown)
        }}
      >
        <label className={styles.label} htmlFor="message">
          Message
        </label>
        <input
          id="message"
          className={styles.input}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        <button className={styles.secondary} type="submit" disabled={status === 'pending'}>
          {status === 'pending' ? 'Signing…' : 'Sign'}
        </button>
      </form>
      <div role="status">
        {status === 'success' && (
          <>
            <p className={styles.label}>Signature</p>
            <p className={styles.mono}>{data.ethereumSignature}</p>
            {verified === true && <p className={styles.good}>viem has verified it: this wallet signed this message.</p>}
            {verified === false && <p className={styles.error}>viem does not accept it.</p>}
          </>
        )}
      </div>
      {status === 'error' && (
        <p className={styles.error} role="alert">
          Nothing was signed: {error.message}. Try again.
        </p>
      )}
    </section>
  )
}

export type SignatureProps = { readonly address: string; readonly walletId: string }

const isVerified = (address: string, message: string, signature: Hex): Promise<boolean> =>
  verifyMessage({ address: address as Address, message, signature })

const isShown = () => undefined
