import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { readConfig } from './config.ts'
import { Quickstart } from './Quickstart.tsx'
import { Shop } from './Shop.tsx'
import './page.css'

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
