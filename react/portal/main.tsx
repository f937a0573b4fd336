import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { portalInWindow } from '../../adapters/browser/portal/inWindow.ts'
import { shortLinkInWindow } from '../../adapters/browser/portal/shortLink.ts'
import { OperatorOfOrigin } from '../operator.tsx'
import { Surface } from '../theme/Surface.tsx'
import { App } from './App.tsx'
import { ShortLink } from './pages/ShortLink.tsx'
import './window.css'

const content = () => {
  const link = shortLinkInWindow()
  if (link !== undefined) {
    return (
      <Surface>
        <ShortLink page={link} />
      </Surface>
    )
  }
  const portal = portalInWindow()
  return (
    <Surface theme={portal.theme}>
      <App portal={portal} />
    </Surface>
  )
}

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <OperatorOfOrigin>{content()}</OperatorOfOrigin>
    </StrictMode>,
  )
