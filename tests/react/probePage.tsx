/** Takes over the probe that a server rendered, and notes whatever React had to mend. */
import { hydrateRoot } from 'react-dom/client'
import { clients, Probe } from './Probe.tsx'

const mended: string[] = []
Object.assign(window, { mended, clientCount: () => clients.size })

const element = document.getElementById('root')
if (element !== null) {
  hydrateRoot(element, <Probe api={window.location.origin} />, {
    onRecoverableError: (error) => mended.push(String(error)),
  })
}
