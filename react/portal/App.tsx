import type { ReactNode } from 'react'
import type { Portal, PortalState } from '../../adapters/browser/portal.ts'
import { Page } from '../ui/Page.tsx'
import { Requester } from '../ui/Requester.tsx'
import type { Form } from './Form.ts'
import { Footer } from './Footer.tsx'
import { CreatePasskey } from './pages/CreatePasskey.tsx'
import { CreatePassword } from './pages/CreatePassword.tsx'
import { ExportKey } from './pages/ExportKey.tsx'
import { LoginWithPasskey } from './pages/LoginWithPasskey.tsx'
import { LoginWithPassword } from './pages/LoginWithPassword.tsx'
import { Review } from './pages/Review.tsx'
import { Asking } from './views/Asking.tsx'
import { Done } from './views/Done.tsx'
import { Exported } from './views/Exported.tsx'
import { Failed } from './views/Failed.tsx'
import { Reviewed } from './views/Reviewed.tsx'
import { Starting } from './views/Starting.tsx'
import { useReadable } from './useReadable.ts'
import { View } from './views/View.tsx'

/** One page of the portal: the requester above, one thing to do, and the portal's host below. */
export const App = ({ portal }: { readonly portal: Portal }) => {
  const state = useReadable(portal)
  const requester = 'requester' in state ? state.requester : undefined
  return (
    <Page
      header={requester === undefined ? undefined : <Requester {...requester} />}
      footer={<Footer host={portal.host} app={requester?.app} />}
      font={isDecidedByReading(state) ? 'own' : 'chosen'}
    >
      {viewOf(portal, state)}
    </Page>
  )
}

/** Reviews, exports, and whether the app is meant: amounts, warnings and questions. */
const isDecidedByReading = (state: PortalState): boolean =>
  state.status === 'asking' || ('page' in state && (state.page === 'review' || state.page === 'export'))

const viewOf = (portal: Portal, state: PortalState): ReactNode => {
  switch (state.status) {
    case 'starting':
      return <Starting state={state} />
    case 'asking':
      return <Asking portal={portal} state={state} />
    case 'ready':
    case 'working':
      return <PageForm portal={portal} state={state} />
    case 'done':
      return <Done state={state} />
    case 'exported':
      return <Exported portal={portal} state={state} />
    case 'reviewed':
      return <Reviewed portal={portal} state={state} />
    case 'failed':
      return <Failed portal={portal} state={state} />
    case 'left':
      return <Left state={state} />
    case 'unknown':
      return <Unknown />
  }
}

/** Stays mounted during the work, so that the typed input is kept for another try. */
const PageForm = (form: Form) => {
  switch (form.state.page) {
    case 'create-password':
      return <CreatePassword {...form} />
    case 'create-passkey':
      return <CreatePasskey {...form} />
    case 'login-password':
      return <LoginWithPassword {...form} />
    case 'login-passkey':
      return <LoginWithPasskey {...form} />
    case 'export':
      return <ExportKey {...form} />
    case 'review':
      return <Review {...form} />
  }
}

/** The person cancelled. Most browsers close the window; some leave that to the person. */
const Left = ({ state }: { readonly state: Extract<PortalState, { readonly status: 'left' }> }) => (
  <View
    title="Cancelled"
    lead={`${outcome(state.isCertain)} You can close this window and go back to ${state.requester?.app ?? 'the app'}.`}
  />
)

const outcome = (isCertain: boolean): string =>
  isCertain
    ? 'Nothing was changed.'
    : 'If your last try arrived, the app continues by itself; if not, nothing was changed.'

/** Not an address of a page, or one that was reloaded after its parameters were removed. */
const Unknown = () => (
  <View
    title="There is no page here"
    lead={
      'Pages for your wallet are opened by the app that you use it with. Nothing was changed. ' +
      'Go back to the app and start again there.'
    }
  />
)
