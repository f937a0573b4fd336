import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { WalletProviderProps } from '../index.ts'
import { App } from './App.tsx'
import { readConfig } from './config.ts'
import { Shop } from './Shop.tsx'
import styles from './shop.module.css'
import './page.css'

/** The README's snippet, and nothing else on the page. */
const Quickstart = (settings: WalletProviderProps) => (
  <main className={styles.shop}>
    <h1>Quick start</h1>
    <div>
      <App {...settings} />
    </div>
  </main>
)

/** `/?quickstart` is the README's snippet and nothing else; `/` is the shop. */
const isQuickstart = new URLSearchParams(window.location.search).has('quickstart')

const element = document.getElementById('root')
if (element !== null) {
  const root = createRoot(element)
  readConfig().then(
    ({ chain, ...settings }) => {
      const page = isQuickstart ? <Quickstart {...settings} /> : <Shop {...settings} chain={chain} />
      root.render(<StrictMode>{page}</StrictMode>)
    },
    () => root.render(<p role="alert">The shop could not load its settings. Reload the page to try again.</p>),
  )
}
