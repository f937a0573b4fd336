import type { RecoverableWallet } from '../../../adapters/browser/connect.ts'
import { Address } from '../../ui/Address.tsx'
import { walletWords } from '../words.ts'
import styles from './recover.module.css'

export const WalletList = ({ wallets }: { readonly wallets: readonly RecoverableWallet[] }) => (
  <ul className={styles.wallets} aria-label="Wallets">
    {wallets.map((wallet) => (
      <li key={wallet.walletId}>
        <Address label={walletWords(wallet)} address={wallet.address} />
      </li>
    ))}
  </ul>
)
