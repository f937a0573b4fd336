import { useState } from 'react'
import { useSignMessage } from '../index.ts'
import { signingProblem } from './pay.ts'
import { Review } from './Review.tsx'
import styles from './shop.module.css'
import { verifiers, type Signable } from './verifiers.ts'

/** Signs the customer's text, and verifies the signature with libraries that are independent of ours. */
export const Signature = ({ wallets }: SignatureProps) => {
  const [message, setMessage] = useState('One espresso, please.')
  const [chosen, setChosen] = useState<Signable['name']>('Ethereum')
  const [isVerified, setVerified] = useState<boolean>()
  const { signMessageAsync, data, error, status, progress, reset } = useSignMessage()
  const wallet = wallets.find(({ name }) => name === chosen) ?? wallets[0]
  if (wallet === undefined) return null

  const held = progress?.step === 'reviewing' && status === 'pending' ? progress : undefined
  const verifier = verifiers[wallet.name]
  const choose = (name: Signable['name']) => {
    reset()
    setChosen(name)
  }
  const sign = async () => {
    setVerified(undefined)
    const signed = await signMessageAsync({ walletId: wallet.id, message })
    setVerified(await verifier.verify(wallet.address, message, signed))
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
        <fieldset className={styles.choice} disabled={status === 'pending'}>
          <legend className={styles.label}>Wallet</legend>
          {wallets.map(({ name }) => (
            <label key={name} className={styles.option}>
              <input type="radio" name="wallet" checked={name === wallet.name} onChange={() => choose(name)} />
              {name}
            </label>
          ))}
        </fieldset>
        <button className={styles.secondary} type="submit" disabled={status === 'pending'}>
          {status !== 'pending' ? 'Sign' : held === undefined ? 'Signing…' : 'Waiting for the review…'}
        </button>
      </form>
      {held !== undefined && <Review {...held} />}
      <div role="status">
        {status === 'success' && (
          <>
            <p className={styles.label}>Signature</p>
            <p className={styles.mono}>{data.ethereumSignature ?? data.signature}</p>
            {isVerified === true && (
              <p className={styles.good}>{verifier.name} has verified it: this wallet signed this message.</p>
            )}
            {isVerified === false && <p className={styles.error}>{verifier.name} does not accept it.</p>}
          </>
        )}
      </div>
      {status === 'error' && (
        <p className={styles.error} role="alert">
          {signingProblem(error)}
        </p>
      )}
    </section>
  )
}

export type SignatureProps = { readonly wallets: readonly Signable[] }

const isShown = () => undefined
