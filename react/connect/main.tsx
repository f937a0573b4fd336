import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Surface } from '../theme/Surface.tsx'
import { Connect } from './Connect.tsx'
import './page.css'

const element = document.getElementById('page')
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <Surface>
        <Connect />
      </Surface>
    </StrictMode>,
  )
}
