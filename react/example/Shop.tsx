import { useState } from 'react'
import { useModal, useSession, useUser, useWallet, WalletProvider } from '../index.ts'
import { openLedger } from './chain.ts'
import type { Config } from './config.ts'
import { Payment } from './Payment.tsx'
import styles from './shop.module.css'
import { Signature } from './Signature.tsx'
import type { Signable } from './verifiers.ts'

/** A small shop with wallets. The provider and its hooks do everything about keys. */
export const Shop = ({ chain, ...settings }: Config) => (
  <WalletProvider {...settings} appName="Corner Coffee" options={look}>
    <div className={styles.shop}>
      <Header />
      <main className={styles.main}>
        <Counter chain={chain} />
      </main>
      <footer className={styles.footer}>An example app. The coins are test coins, and so is the coffee.</footer>
    </div>
  </WalletProvider>
)

const look = { theme: { accentColor: '#1c5d43', borderRadius: 'lg' } } as const

const Header = () => {
  const { open } = useModal()
  const { status } = useSession()
  const user = useUser()
  const isKnown = status === 'ready' || status === 'needs-setup'
  return (
    <header className={styles.header}>
      <span className={styles.brand}>
        <img src={icon} alt="" width="32" height="32" />
        Corner Coffee
      </span>
      <button className={isKnown ? styles.account : styles.primary} type="button" onClick={open}>
        {isKnown ? (user?.email ?? 'Your account') : 'Sign in'}
      </button>
    </header>
  )
}

const icon = new URL('./icon.svg', import.meta.url).href

const Counter = ({ chain }: Pick<Config, 'chain'>) => {
  const { status } = useSession()
  switch (status) {
    case 'loading':
      return <h1 className={styles.greeting}>Opening the shop…</h1>
    case 'ready':
      return <Customer chain={chain} />
    default:
      return <Welcome />
  }
}

const Welcome = () => {
  const { open, status } = useModal()
  const invitation = useSession().status === 'needs-setup' ? 'Finish your wallet' : 'Open a wallet or sign in'
  return (
    <section className={styles.welcome}>
      <h1 className={styles.title}>Good coffee, paid in two halves.</h1>
      <p className={styles.lead}>
        Your wallet comes with an email address. Half of its key stays in this browser, half with the shop’s co-signer,
        and both have to agree to every signature.
      </p>
      <button className={styles.primary} type="button" onClick={open}>
        {status === 'loading' ? 'One moment…' : invitation}
      </button>
      {status === 'failed' && (
        <p className={styles.error} role="alert">
          The dialog could not be loaded. Check your connection and try again.
        </p>
      )}
    </section>
  )
}

const Customer = ({ chain }: Pick<Config, 'chain'>) => {
  const [ledger] = useState(() => (chain === undefined ? undefined : openLedger(chain)))
  const evm = useWallet({ type: 'EVM' })
  const solana = useWallet({ type: 'SOLANA' })
  const wallets = [...signable('Ethereum', evm), ...signable('Solana', solana)]
  return (
    <>
      <h1 className={styles.greeting}>What will it be?</h1>
      <div className={styles.cards}>
        <section className={styles.card}>
          <h2 className={styles.heading}>Your wallets</h2>
          <dl className={styles.addresses}>
            <Address name="Ethereum" address={evm?.address} />
            <Address name="Solana" address={solana?.address} />
          </dl>
        </section>
        <Signature wallets={wallets} />
        {evm !== undefined && ledger !== undefined && (
          <Payment address={evm.address} walletId={evm.id} ledger={ledger} />
        )}
      </div>
    </>
  )
}

const signable = (name: Signable['name'], wallet: Omit<Signable, 'name'> | undefined): readonly Signable[] =>
  wallet === undefined ? [] : [{ name, id: wallet.id, address: wallet.address }]

const Address = ({ name, address }: { readonly name: string; readonly address: string | undefined }) => (
  <div className={styles.address}>
    <dt>{name}</dt>
    <dd className={styles.mono}>{address ?? 'not made yet'}</dd>
  </div>
)
