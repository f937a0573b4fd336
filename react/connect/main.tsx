import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { recoveryInWindow } from '../../adapters/browser/connect/inWindow.ts'
import { recoverPath } from '../../domain/model/ConnectUrl.ts'
import { OperatorOfOrigin } from '../operator.tsx'
import { Surface } from '../theme/Surface.tsx'
import { Connect, Incomplete } from './Connect.tsx'
import { Recover } from './Recover.tsx'
import './page.css'

const content = () => {
  const recovery = recoveryInWindow()
  if (recovery !== undefined) return <Recover recovery={recovery} />
  return window.location.pathname === recoverPath ? <Incomplete /> : <Connect />
}

const element = document.getElementById('page')
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <Surface>
        <OperatorOfOrigin>{content()}</OperatorOfOrigin>
      </Surface>
    </StrictMode>,
  )
}
