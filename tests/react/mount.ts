/**
 * Mounts components that draw nothing, so that their hooks and effects run as in a page. A browser would show no more of
 * them; the few objects here are what React DOM asks of a document before it draws.
 */
import { act, createElement, StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'

export type Mounted = {
  readonly render: (children: ReactNode) => Promise<void>
  readonly unmount: () => Promise<void>
}

/** Mounts under StrictMode, which lets each effect begin twice. `unstubAllGlobals` has to follow. */
export const mount = async (children: ReactNode): Promise<Mounted> => {
  const node = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', textContent: '', addEventListener: () => undefined }
  const document = { ...node, nodeType: 9, nodeName: '#document', activeElement: null, body: node }
  const container = { ...node, ownerDocument: document }
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', { document, event: undefined, HTMLIFrameElement: Object })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const root = createRoot(container as unknown as Element)
  const render = (next: ReactNode) => act(async () => root.render(createElement(StrictMode, null, next)))
  await render(children)
  return { render, unmount: () => act(async () => root.unmount()) }
}
