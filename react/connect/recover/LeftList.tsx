import type { LeftWallet } from '../../../adapters/browser/connect.ts'
import { Address } from '../../ui/Address.tsx'
import { leftWords, walletWords } from '../words.ts'
import styles from './recover.module.css'

/** Wallets that stay behind, each with the reason. */
export const LeftList = ({ leftBehind }: { readonly leftBehind: readonly LeftWallet[] }) => (
  <ul className={styles.wallets} aria-label="Wallets that stay behind">
    {leftBehind.map(({ wallet, code }) => (
      <li key={wallet.walletId}>
        <Address label={walletWords(wallet)} address={wallet.address} />
        <p className={styles.text}>{leftWords(code)}</p>
      </li>
    ))}
  </ul>
)
