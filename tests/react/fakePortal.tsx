/** A page of the portal in one state, whose verbs do nothing, and what is drawn of it. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { Portal, PortalState } from '../../adapters/browser/portal.ts'
import { App } from '../../react/portal/App.tsx'
import { Surface } from '../../react/theme/Surface.tsx'

const nothing = () => Promise.resolve()

export const fakePortal = (state: PortalState, changes: Partial<Portal> = {}): Portal => ({
  subscribe: () => () => undefined,
  get: () => state,
  host: 'portal.example',
  theme: {},
  attention: { subscribe: () => () => undefined, get: () => true },
  proceed: nothing,
  createPassword: nothing,
  loginWithPassword: nothing,
  createPasskey: nothing,
  loginWithPasskey: nothing,
  exportWithPassword: nothing,
  exportWithPasskey: nothing,
  acceptReview: nothing,
  acceptWithPassword: nothing,
  acceptWithPasskey: nothing,
  denyReview: nothing,
  showKey: () => undefined,
  privateKey: () => undefined,
  copyKey: () => Promise.resolve(false),
  retry: nothing,
  leave: nothing,
  ...changes,
})

/** `isAttentive`: whether its deciding buttons may be pressed. */
export const drawPortal = (
  state: PortalState,
  { isAttentive = true, ...changes }: Partial<Portal> & { readonly isAttentive?: boolean } = {},
): string => {
  const attention = { subscribe: () => () => undefined, get: () => isAttentive }
  const portal = fakePortal(state, { attention, ...changes })
  return renderToStaticMarkup(
    <Surface theme={portal.theme}>
      <App portal={portal} />
    </Surface>,
  )
}

/** The words, with one space where a tag or a line ends. */
export const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** The text of each button, in the order of the focus; empty where it has an icon alone. */
export const buttonsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inside = '']) => textOf(inside).trim())
