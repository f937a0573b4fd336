import type { WalletProviderProps } from '../index.ts'
import { App } from './App.tsx'
import styles from './shop.module.css'

/** The README's snippet, and nothing else on the page. */
export const Quickstart = (settings: WalletProviderProps) => (
  <main className={styles.shop}>
    <h1>Quick start</h1>
    <div>
      <App {...settings} />
    </div>
  </main>
)
